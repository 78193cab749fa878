"""What may be added below a detachment: under the heading that its data gives it, offered where it is lacking."""

import html
import re

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import repairs, services
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, release

pytestmark = pytest.mark.django_db

REGIMENT = '</categoryLinks><forceEntries><forceEntry id="regiment" name="Regiment"/></forceEntries></forceEntry>'


LACKING = """<modifiers><modifier type="add" field="error" value="You need to add a regiment."><conditions>
  <condition type="lessThan" value="1" field="forces" scope="force" childId="regiment" shared="true"
   includeChildForces="true"/></conditions></modifier></modifiers>"""


def begun(viewer: Viewer, *, label: str = "", said: str = "") -> ArmyList:
    """A list of a game whose primary detachment takes regiments."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, SQUAD))
    text = game.content.decode().replace("</categoryLinks></forceEntry>", REGIMENT, 1)
    text = text.replace("</forceEntries></forceEntry>", f"</forceEntries>{said}</forceEntry>", 1)
    text = text.replace('<forceEntry id="primary"', f'<forceEntry childForcesLabel="{label}" id="primary"')
    publishing.publish(system, (IncomingFile(game.name, text.encode()), *others), origin="test")
    return services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")


@pytest.mark.parametrize("label", ["Regiments and Auxiliaries", ""])
def test_forces_below_are_headed_as_the_data_calls_them(as_owner: Client, viewer: Viewer, label: str) -> None:
    made = begun(viewer, label=label)
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    assert "force_entry_id=regiment" in page
    assert (f">{label or 'Regiments'}</h3>" in page) is bool(label)
    assert '<h3 class="small muted"></h3>' not in page


def test_what_would_help_with_a_lacking_regiment_is_a_regiment(as_owner: Client, viewer: Viewer) -> None:
    """Age of Sigmar's army holds no unit before its first regiment, and says so in its data's own words."""
    made = begun(viewer, said=LACKING)
    report = services.check_army_list(made)
    (lacking,) = [finding for finding in report.findings if "regiment" in finding.message.en]
    proposals = repairs.repairs_of(made, report, lacking)
    assert [repair.does.en for repair in proposals] == ["Added Regiment"]
    why = as_owner.get(f"/lists/{made.pk}/why/").content.decode()
    assert "You need to add a regiment" in why
    assert "Said when (" not in html.unescape(why)


def test_units_are_added_to_the_regiment_that_was_begun_last(as_owner: Client, viewer: Viewer) -> None:
    made = begun(viewer)
    (army,) = services.check_army_list(made).state.forces

    def opened() -> str:
        page = as_owner.get(f"/lists/{made.pk}/").content.decode()
        found = re.search(r'class="dock__tool" href="\?add=([^#"]+)#detail"', page)
        assert found
        return found[1]

    assert opened() == army.id
    for revision in (1, 2):
        regiment = e.AddDetachment(force_entry_id="regiment", catalogue_id="red", parent_id=army.id)
        done = services.apply_edit(viewer, made.pk, regiment, expected_revision=revision)
        assert opened() == done.node_id


def test_a_regiment_shows_the_roles_that_it_fills(as_owner: Client, viewer: Viewer) -> None:
    """Every regiment of an army repeated every role that it might have; what it lacks and what it has is to be seen."""
    made = begun(viewer)
    (army,) = services.check_army_list(made).state.forces
    regiment = e.AddDetachment(force_entry_id="regiment", catalogue_id="red", parent_id=army.id)
    begun_regiment = services.apply_edit(viewer, made.pk, regiment, expected_revision=1).node_id
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    assert f'id="role-{army.id}-troops"' in page
    assert f'id="role-{begun_regiment}-' not in page
    squad = e.AddUnit(force_id=begun_regiment, entry_id="squad")
    services.apply_edit(viewer, made.pk, squad, expected_revision=2)
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    assert page.count(f'id="role-{begun_regiment}-') == 1
