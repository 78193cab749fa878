"""How many units a role has: those that stand in it, and what a limit counts where there is one."""

import re

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, services
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, game_system

pytestmark = pytest.mark.django_db


LIMIT = '<constraint type="min" value="2" field="selections" scope="parent" id="p-tr-min"/>'


@pytest.mark.parametrize(("limit", "counted"), [("", "1"), (LIMIT, "2 / 2+")])
def test_a_keyword_of_many_units_counts_those_that_stand_under_it(
    as_owner: Client, viewer: Viewer, limit: str, counted: str
) -> None:
    also_troops = '<categoryLink id="captain-t" targetId="troops" primary="false" hidden="false"/>'
    captain = CAPTAIN.replace("<categoryLinks>", f"<categoryLinks>{also_troops}")
    rules = game_system().content.decode()
    assert LIMIT in rules
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    files = (
        IncomingFile("game.gst", rules.replace(LIMIT, limit).encode()),
        catalogue("red", "Red Host", captain, SQUAD),
    )
    publishing.publish(system, files, origin="https://example.org/data.zip")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    force = services.check_army_list(made).state.forces[0]
    for unit in ("captain", "squad"):
        edit = e.AddUnit(force_id=force.id, entry_id=unit)
        services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
        made = queries.own_army_list(made.pk, viewer)
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    counts = re.findall(r"<h3>Troops</h3>\s*<span[^>]*>([^<]*)<", page)
    assert [" ".join(one.split()) for one in counts] == [counted]
    sheet = as_owner.get(f"/lists/{made.pk}/print/").content.decode()
    counts = re.findall(r"Troops <span class=\"muted\">([^<]*)<", sheet)
    assert [" ".join(one.split()) for one in counts] == [counted], "on paper as on the page"
