"""What texts and files of a list once lost on the way back: detachments, notes, leaders, order, numbers."""

import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file, source_of
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import factions, likely_faction, review
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.own_points import OWN_POINTS
from armybuilder.datafiles.models import PublishedSystem
from tests.armylists.conftest import ALLIED, SONS, Muster, fixture_library
from tests.armylists.texts import READ_BACK

NAMING_NO_DETACHMENT = "organiser"


def again(viewer: Viewer, army: Muster, format_id: str, language: str = "en") -> ArmyList:
    """The list out in a format and in again."""
    with translation.override(language):
        content = FORMATS[format_id].file_of(army.row).content
        return import_file(viewer, content, file_name=f"army.{FORMATS[format_id].ending}").army_list


def detachments(army_list: ArmyList) -> list[tuple[str, list[str]]]:
    return [(block.name, [unit.name for role in block.roles for unit in role.units]) for block in blocks(army_list)]


def blocks(army_list: ArmyList):  # type: ignore[no-untyped-def]
    return plain_sheet_of(army_list).detachments


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("format_id", [one for one in READ_BACK if one != NAMING_NO_DETACHMENT])
def test_the_only_detachment_is_the_one_that_the_head_names(
    muster, viewer: Viewer, format_id: str, language: str
) -> None:  # type: ignore[no-untyped-def]
    """Layouts without a heading for it brought every list back as a Primary Detachment."""
    made = services.create_army_list(
        viewer,
        system_id=muster().row.system_id,
        name="Second wave",
        catalogue_id=SONS,
        force_entry_id=ALLIED,
        points_limit=1000,
    )
    allies = Muster(viewer, made)
    allies.units("hh-la-praetor", "hh-la-tactical-squad")
    assert detachments(again(viewer, allies, format_id, language)) == detachments(allies.row)


@pytest.mark.parametrize("format_id", ["markdown", "text-gw", "text-owb", "text-wtc-full", "bbcode", "plain"])
def test_two_detachments_of_one_name_stay_two(legal: Muster, viewer: Viewer, format_id: str) -> None:
    for _ in range(2):
        force = legal.detachment(ALLIED, SONS)
        legal.unit("hh-la-praetor", force_id=force)
        legal.unit("hh-la-tactical-squad", force_id=force)
    back = detachments(again(viewer, legal, format_id))
    assert back == detachments(legal.row)
    assert len(back) == 3


def test_notes_of_a_unit_stay_notes_in_plain_text(legal: Muster, viewer: Viewer) -> None:
    unit = plain_sheet_of(legal.row).units[1]
    legal.edit(e.SetNotes(node_id=unit.id, notes="Painted by Ann, left of the hill"))
    done = import_file(viewer, FORMATS["plain"].file_of(legal.row).content, file_name="army.txt")
    assert done.dropped == ()
    assert [unit.notes for unit in plain_sheet_of(done.army_list).units] == ["", "Painted by Ann, left of the hill", ""]


def test_the_review_counts_a_price_of_the_players_own(legal: Muster, viewer: Viewer) -> None:
    """It told other points than the source and the list that is made of it."""
    legal.unit_facts(plain_sheet_of(legal.row).units[1].id, **{OWN_POINTS: 3})
    source = source_of(FORMATS["plain"].file_of(legal.row).content, file_name="army.txt")
    found = review(source, likely_faction(source, factions()))
    assert found.points == legal.report.points.total


def test_a_units_own_allegiance_is_not_that_of_the_list() -> None:
    text = "Army\nAllegiance: Loyalist\n\nHQ 1/2: 100 pts, 5 %\n- Praetor, 100 pts\n  allegiance: Traitor\n"
    assert read_text(text).allegiance == "Loyalist"


@pytest.mark.parametrize("format_id", [*READ_BACK[:6], "plain", "markdown"])
def test_a_game_without_rules_keeps_its_warlord(legal: Muster, viewer: Viewer, format_id: str) -> None:
    """Only games whose rules ask for one were listened to."""
    PublishedSystem.objects.update(rule_pack="")
    assert plain_sheet_of(legal.row).warlord
    assert plain_sheet_of(again(viewer, legal, format_id)).warlord.split(" (")[0] == "Praetor"


def test_a_roster_file_keeps_the_order_of_units(legal: Muster, viewer: Viewer) -> None:
    """The file has them by name; the player had put them otherwise."""
    PublishedSystem.objects.update(battlescribe_id=fixture_library().system_id)
    first, second = (unit.id for unit in plain_sheet_of(legal.row).units[1:])
    legal.edit(e.Rename(node_id=first, name="Zealots"), e.Rename(node_id=second, name="Ash Hounds"))
    (force,) = legal.document.roster.forces
    praetor = next(unit.id for unit in force.selections if unit.id not in (first, second))
    legal.edit(e.Move(node_id=praetor, force_id=force.id))
    for format_id in ("ros", "rosz"):
        back = Muster(viewer, again(viewer, legal, format_id))
        order = [unit.id for unit in back.document.roster.forces[0].selections]
        assert order == [unit.id for unit in legal.document.roster.forces[0].selections]


def test_army_builder_counts_what_a_squad_has_in_all(legal: Muster, viewer: Viewer) -> None:
    """Nine bolters of nine models were nine times nine."""
    content = (
        b'<document signature="Army Builder Roster"><game name="The Horus Heresy"/><roster name="From afar">'
        b'<force name="Sons of Horus"><unit name="Tactical Squad" models="10" cost="100">'
        b'<link name="Legionary" count="9"><link name="Bolter" count="9"/></link></unit></force></roster></document>'
    )
    back = import_file(viewer, content, file_name="army.xml").army_list
    (squad,) = plain_sheet_of(back).units
    kind = next(kind for kind in squad.models if kind.name == "Legionary")
    assert (kind.number, [item.number for item in kind.items if item.name == "Bolter"]) == (9, [9])


def test_the_warlord_is_told_once_where_the_data_has_an_option_of_that_name() -> None:
    """The trait alone is left to be said, and read again."""
    found = read_text("Army [100 pts]\n\n## HQ [100 pts]\nPraetor [100 pts]: Warlord Trait (Bloody-handed), Warlord\n")
    (unit,) = found.units
    assert (unit.is_warlord, unit.warlord_trait, unit.badges, unit.items) == (
        True,
        "Bloody-handed",
        frozenset({"Warlord"}),
        (),
    )
