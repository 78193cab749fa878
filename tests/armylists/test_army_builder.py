"""Rosters of Army Builder with several detachments: allies, and units that stand in a detachment within another."""

import re

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.exports import FORMATS
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

GUARD = """
<selectionEntry id="guard" name="Guards" type="unit" hidden="false">
  <categoryLinks><categoryLink id="guard-c" targetId="troops" primary="true" hidden="false"/></categoryLinks>
  <selectionEntries><selectionEntry id="man" name="Guard" type="model" hidden="false" defaultAmount="1,1,3">
    <constraints><constraint type="min" value="5" field="selections" scope="parent" id="man-min"/>
    <constraint type="max" value="5" field="selections" scope="parent" id="man-max"/></constraints>
    <selectionEntries>
      <selectionEntry id="great" name="Great Axe" type="upgrade" hidden="false" defaultAmount="0,1,0">
        <constraints><constraint type="max" value="1" field="selections" scope="parent" id="great-max"/></constraints>
      </selectionEntry>
      <selectionEntry id="axe" name="Axe" type="upgrade" hidden="false" defaultAmount="1,0,1">
        <constraints><constraint type="max" value="1" field="selections" scope="parent" id="axe-max"/></constraints>
      </selectionEntry>
      <selectionEntry id="first" name="Champion" type="upgrade" hidden="false" defaultAmount="1,0,0"><constraints>
        <constraint type="max" value="1" field="selections" scope="guard" id="first-max" includeChildSelections="true"/>
      </constraints></selectionEntry>
    </selectionEntries></selectionEntry></selectionEntries>
  <costs><cost typeId="pts" name="Pts" value="90"/></costs>
</selectionEntry>"""
"""Five of one kind that begin as three: a champion, one with a great axe, three with axes."""


def roster(*forces: str) -> bytes:
    return (
        '<document signature="Army Builder Roster"><game name="Invented Game"/><roster name="From afar">'
        f"{''.join(forces)}</roster></document>"
    ).encode()


def published(*, has_regiments: bool = False, squad: str = SQUAD) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, squad), catalogue("blue", "Blue Host", BARON))
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


AXES = [["Axe"]] * 5
TEXT_LAYOUTS = ("text-battlescribe", "text-new-recruit", "text-wtc", "text-wtc-full", "text-gw", "markdown", "plain")


@pytest.mark.parametrize(
    ("inner", "models"),
    [
        ("", AXES),
        ('<link name="Guard" count="5"/>', AXES),
        ('<link name="Guard" count="1"/><link name="Guard" count="4"/>', [*AXES[1:], ["Axe", "Champion"]]),
        ('<link name="Axe" count="5"/>', None),
    ],
)
def test_five_of_a_kind_are_five_and_have_one_champion(
    viewer: Viewer, inner: str, models: list[list[str]] | None
) -> None:
    """Five were six, or five champions, where the data begins with several of one kind that carry different things."""
    published(squad=GUARD)
    file = roster(f'<force name="Red Host"><unit name="Guards" models="5" cost="90">{inner}</unit></force>')
    row = import_file(viewer, file, file_name="army.xml").army_list
    assert len(carried(row)) == 5
    assert models is None or carried(row) == models
    for layout in TEXT_LAYOUTS:
        back = import_file(viewer, FORMATS[layout].file_of(row).content, file_name="list.txt").army_list
        assert carried(back) == carried(row), layout


def carried(army_list: ArmyList) -> list[list[str]]:
    """What each of the guards has."""
    units = [unit for force in services.check_army_list(army_list).state.all_forces() for unit in force.selections]
    guards = [guard for unit in units if unit.name == "Guards" for guard in unit.selections]
    return sorted(sorted(part.name for part in guard.selections) for guard in guards for _ in range(guard.number))


@pytest.mark.parametrize("layout", TEXT_LAYOUTS)
def test_a_detachment_with_a_colon_in_its_name_is_one(viewer: Viewer, layout: str) -> None:
    """What stands before the colon was taken for its name, and what was in it stood in two."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, SQUAD))
    primary = re.search(r"(?s)<forceEntry .*?</forceEntry>", game.content.decode())
    assert primary is not None
    second = primary[0].replace("Primary Detachment", "Path to Glory: Ascension").replace('id="', 'id="second-')
    both = game.content.decode().replace(primary[0], primary[0] + second)
    publishing.publish(system, (IncomingFile(game.name, both.encode()), *others), origin="test")
    told = b"++ Path to Glory: Ascension (Red Host) ++\n\nCaptain [120 pts]\nLine Squad [70 pts]\n"
    row = import_file(viewer, told, file_name="list.txt").army_list
    want = [("Path to Glory: Ascension", "Red Host", name) for name in ("Captain", "Line Squad")]
    assert units(row) == want
    back = import_file(viewer, FORMATS[layout].file_of(row).content, file_name="list.txt").army_list
    assert units(back) == want
    assert len(read_document(back.document).roster.forces) == 1
