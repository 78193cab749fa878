"""A list typed as text: what is left alone stays as it is, what is changed is looked up, nothing is dropped."""

import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.completions import completions
from armybuilder.armylists.documents import read_document
from armybuilder.armylists.errors import EditRefused, RevisionConflict
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.typed_list import replaced_line, save_typed, text_of, typed
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Verdict
from armybuilder.reference import publishing
from tests.armylists.conftest import Muster
from tests.armylists.test_verdicts import unit_named
from tests.gamedata_files import release


@pytest.fixture
def squad(legal: Muster) -> str:
    """A squad with a name, notes, a price and a base of its own."""
    squad = unit_named(legal, "Tactical Squad")
    legal.edit(
        e.Rename(node_id=squad, name="Ash Hounds"),
        e.SetNotes(node_id=squad, notes="Painted"),
        e.SetUnitFacts(node_id=squad, facts={"own_points": 80, "base_size": "32 mm"}),
    )
    return squad


def save(army: Muster, text: str) -> None:
    save_typed(army.viewer, army.list_id, text, expected_revision=army.row.revision)


def test_what_is_left_alone_is_the_same_list(legal: Muster, squad: str) -> None:
    before, revision = legal.row.document, legal.row.revision
    text = text_of(legal.row)
    assert "• 9x Legionary\n   • Bolt Pistol\n" in text
    assert "Praetor: Warlord (Bloody-handed)" in text
    found = typed(legal.row, text)
    assert (found.lines, found.comparison.is_empty, found.sheet.verdict) == ((), True, Verdict.LEGAL)
    save(legal, text)
    assert legal.row.document == before
    assert legal.row.revision == revision


def test_a_heading_in_quotes_is_the_detachment_that_is_there(viewer: Viewer) -> None:
    """In Russian charts have quotes in their names: what was typed opened a second detachment for all units."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *catalogues, names = release()
    quoted = names.content.decode() + '[forces]\n"Primary Detachment" = "Схема «Поход»"\n'
    publishing.publish(system, (game, *catalogues, IncomingFile(names.name, quoted.encode())), origin="test")
    pasted = b"Muster\nRed Host\n\nCaptain [120 pts]\nLine Squad [70 pts]\n"
    row = import_file(viewer, pasted, file_name="list.txt").army_list
    with translation.override("ru"):
        text = text_of(row)
        assert "++ Схема «Поход» (" in text
        for same in (text, text.replace("Схема «Поход»", 'схема "поход"')):
            found = typed(row, same)
            assert (found.lines, found.comparison.is_empty) == ((), True)
            assert found.document.roster == read_document(row.document).roster
        changed = typed(row, text.replace("• 2x Trooper", "• 3x Trooper"))
    assert len(changed.document.roster.forces) == 1 and not changed.comparison.is_empty


def test_a_changed_line_changes_its_unit_and_nothing_else_of_it(legal: Muster, squad: str) -> None:
    text = text_of(legal.row).replace("9x Legionary", "14x Legionary", 1)
    before = {unit.id for unit in plain_sheet_of(legal.row).units}
    save(legal, text)
    units = {unit.id: unit for unit in plain_sheet_of(legal.row).units}
    assert set(units) == before
    assert (units[squad].own_name, units[squad].notes, units[squad].points) == ("Ash Hounds", "Painted", 80)
    assert "base size: 32 mm" in units[squad].facts
    assert units[squad].model_count == 15
    assert legal.report.verdict is Verdict.LEGAL
    services.undo(legal.viewer, legal.list_id, expected_revision=legal.row.revision)
    assert "• 9x" in text_of(legal.row)


def test_units_come_and_go(legal: Muster, squad: str) -> None:
    lines = text_of(legal.row).splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("Tactical Squad"))
    end = next((place for place in range(at + 1, len(lines)) if not lines[place].startswith((" ", "•"))), len(lines))
    save(legal, "\n".join([*lines[:at], "Predator Squadron", *lines[end:]]))
    names = sorted(unit.title for unit in plain_sheet_of(legal.row).units)
    assert names == ["Ash Hounds (Tactical Squad)", "Praetor", "Predator Squadron"]
    assert plain_sheet_of(legal.row).warlord == "Praetor (Bloody-handed)"


def test_another_warlord_is_typed(legal: Muster) -> None:
    text = text_of(legal.row)
    save(legal, text.replace("Praetor: Warlord (Bloody-handed)", "Praetor"))
    assert plain_sheet_of(legal.row).warlord == ""
    save(legal, text_of(legal.row).replace("Praetor\n", "Praetor: warlord (Bloody-handed)\n"))
    assert plain_sheet_of(legal.row).warlord == "Praetor (Bloody-handed)"
    assert legal.report.verdict is Verdict.LEGAL


def test_what_the_data_does_not_know_is_shown_and_kept(legal: Muster) -> None:
    text = text_of(legal.row) + "\nTactical Sqad\nPurple Dragons [250 pts]\n• 3x Fire-breath\n"
    found = typed(legal.row, text)
    unsure = {line.text: line for line in found.lines}
    assert unsure["Tactical Sqad"].name == "Tactical Squad"
    assert not unsure["Purple Dragons"].entry_id
    save(legal, text)
    assert {"Purple Dragons", "Fire-breath"} <= {line.strip() for line in plain_sheet_of(legal.row).notes.splitlines()}
    again = replaced_line(text, unsure["Tactical Sqad"].line, "Tactical Sqad", "Tactical Squad")
    assert "Tactical Sqad" not in again
    assert [line.text for line in typed(legal.row, again).lines if line.entry_id] == []


def test_dashes_stars_and_prices_are_taken_as_others_write_them(legal: Muster) -> None:
    text = text_of(legal.row)
    assert typed(legal.row, text.replace("• ", "- ").replace("   - ", "   * ")).comparison.is_empty
    priced = text.replace("Praetor:", "Praetor [120 pts]:") + "\nTactical Squad – 100 pts\n"
    assert [pair.after.name for pair in typed(legal.row, priced).comparison.pairs if pair.before is None] == [
        "Tactical Squad"
    ]


def test_names_that_look_like_bullets_or_headings_stay_units(legal: Muster, squad: str) -> None:
    legal.edit(e.Rename(node_id=squad, name="- Ash"), e.Rename(node_id=unit_named(legal, "Praetor"), name="+ ODO"))
    found = typed(legal.row, text_of(legal.row))
    assert (found.lines, found.comparison.is_empty) == ((), True)
    assert found.document.roster == legal.document.roster


def test_a_late_text_and_one_without_units_are_refused(legal: Muster) -> None:
    text = text_of(legal.row)
    with pytest.raises(RevisionConflict):
        save_typed(legal.viewer, legal.list_id, text, expected_revision=legal.row.revision - 1)
    with pytest.raises(EditRefused):
        save(legal, "nothing")


def test_the_name_of_the_list_is_its_first_line(legal: Muster) -> None:
    save(legal, text_of(legal.row).replace("+++ First draft +++", "+++ Second (b) +++"))
    assert legal.row.name == "Second (b)"


def test_words_are_completed_with_units_and_options(legal: Muster) -> None:
    assert completions(legal.row, "tacti")[0] == "Tactical Squad"
    assert "Tactical Squad" in completions(legal.row, "squad")
    assert "Legionary" in completions(legal.row, "legio", unit="Ash Hounds (Tactical Squad)")
    assert completions(legal.row, "legio", unit="Nobody") == ()
    assert completions(legal.row, "  ") == ()
