"""Rosters of Army Builder with several detachments: allies, and units that stand in a detachment within another."""

import re

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.imports.matching import MOST_IN_A_PART
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, entry, release

pytestmark = pytest.mark.django_db

BARON = entry("baron", "Baron", category="hq", points=90)
REGIMENT = """</categoryLinks><forceEntries><forceEntry id="regiment" name="Regiment" hidden="false"><categoryLinks>
  <categoryLink id="r-troops" name="Troops" targetId="troops" primary="false" hidden="false"/>
</categoryLinks></forceEntry></forceEntries></forceEntry>"""


def roster(*forces: str) -> bytes:
    return (
        '<document signature="Army Builder Roster"><game name="Invented Game"/><roster name="From afar">'
        f"{''.join(forces)}</roster></document>"
    ).encode()


def published(*, has_regiments: bool = False) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, SQUAD), catalogue("blue", "Blue Host", BARON))
    text = game.content.decode()
    if has_regiments:
        text = re.sub(r'(?s)<categoryLink id="p-troops".*?</categoryLink>', "", text, count=1)
        text = text.replace("</categoryLinks></forceEntry>", REGIMENT, 1)
    publishing.publish(system, (IncomingFile(game.name, text.encode()), *others), origin="test")


def units(army_list: ArmyList) -> list[tuple[str, str, str]]:
    sheet = plain_sheet_of(army_list)
    return [
        (block.name, block.faction, unit.name)
        for block in sheet.detachments
        for role in block.roles
        for unit in role.units
    ]


def test_a_force_that_is_called_after_its_faction_becomes_the_allies(viewer: Viewer) -> None:
    """Its units are in no detachment of the first faction, and were notes."""
    published()
    content = roster(
        '<force name="Red Host"><unit name="Captain" cost="120"/><unit name="Line Squad" cost="70"/></force>',
        '<force name="Blue Host" type="Allied Detachment"><unit name="Baron" cost="110"/></force>',
    )
    done = import_file(viewer, content, file_name="army.xml")
    assert done.dropped == ()
    assert units(done.army_list) == [
        ("Primary Detachment", "Red Host", "Captain"),
        ("Primary Detachment", "Red Host", "Line Squad"),
        ("Allied Detachment", "Blue Host", "Baron"),
    ]


def test_units_of_regiments_are_in_a_regiment(viewer: Viewer) -> None:
    """Of Age of Sigmar the file has no regiments, and every unit was refused."""
    published(has_regiments=True)
    content = roster(
        '<force name="Red Host"><unit name="Captain" cost="120"/><unit name="Line Squad" cost="70"/>'
        '<unit name="Line Squad" cost="70"/></force>'
    )
    done = import_file(viewer, content, file_name="army.xml")
    assert done.dropped == ()
    assert [(where, name) for where, _, name in units(done.army_list)] == [
        ("Primary Detachment", "Captain"),
        ("Regiment", "Line Squad"),
        ("Regiment", "Line Squad"),
    ]
    (force,) = read_document(done.army_list.document).roster.forces
    assert [inner.entry_id.rpartition("::")[2] for inner in force.forces] == ["regiment"]


def test_a_regiment_takes_no_more_units_than_any_could_have(viewer: Viewer) -> None:
    """Who is one of them hangs on all others: two hundred in one took a minute of processor."""
    published(has_regiments=True)
    squads = '<unit name="Line Squad" cost="70"/>' * (MOST_IN_A_PART + 5)
    content = roster(f'<force name="Red Host"><unit name="Captain" cost="120"/>{squads}</force>')
    done = import_file(viewer, content, file_name="army.xml")
    assert [where for where, _, _ in units(done.army_list)].count("Regiment") == MOST_IN_A_PART
    assert len(done.dropped) == 5
