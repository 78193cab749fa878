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


SWORN = '<categoryEntry id="oath" name="Sworn" hidden="false"/>'
TWO_SWORN = """<categoryLink id="p-oath" name="Sworn" targetId="oath" primary="false" hidden="false"><constraints>
  <constraint type="min" value="2" field="selections" scope="parent" id="p-oath-min"/></constraints></categoryLink>"""


def test_units_that_a_shared_category_asks_for_are_a_tap_away(as_owner: Client, viewer: Viewer) -> None:
    """A chart may ask for Troops of its own kind: several roles have such, and no place on the roll adds them."""
    oath = '<categoryLink id="{key}-o" targetId="oath" primary="false" hidden="false"/></categoryLinks>'
    units = [
        CAPTAIN.replace("</categoryLinks>", oath.format(key="captain")),
        SQUAD.replace("</categoryLinks>", oath.format(key="squad")),
        SQUAD.replace("squad", "guard").replace("Line Squad", "Guard"),
    ]
    rules = game_system().content.decode().replace("<categoryEntries>", f"<categoryEntries>{SWORN}")
    rules = rules.replace('<categoryLink id="p-fort"', f'{TWO_SWORN}<categoryLink id="p-fort"')
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    files = (IncomingFile("game.gst", rules.encode()), catalogue("red", "Red Host", *units))
    publishing.publish(system, files, origin="https://example.org/data.zip")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    force = services.check_army_list(made).state.forces[0].id
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    chips = re.findall(r'<a class="chip chip--repair" href="\?([^"#]*)#detail"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert [query for query, words in chips if "Add: Sworn" in words] == [f"add={force}&amp;role=oath"]
    assert not [query for query, words in chips if "Add: Troops" in words], "the roll has a place that adds them"
    shown = as_owner.get(f"/lists/{made.pk}/?add={force}&role=oath").content.decode()
    assert "Captain" in shown and "Line Squad" in shown and "Guard" not in shown
    assert "In other roles" not in shown
    found = as_owner.get(f"/lists/{made.pk}/?add={force}&role=oath&q=squad").content.decode()
    assert "Line Squad" in found and "Guard" not in found
