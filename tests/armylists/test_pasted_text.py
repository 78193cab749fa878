"""Lists pasted as text: every layout we write comes back as the same list; every line is accounted for."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports import matching
from armybuilder.armylists.imports.files import source_of
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import factions, import_reviewed, likely_faction, review
from armybuilder.armylists.imports.source_list import UNITS
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import load_sample, read_sample
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Verdict
from armybuilder.engine.roster.model import Roster
from tests.armylists.conftest import ALLIED, AUXILIA, LORD_OF_WAR, SONS, Muster, shipped_game
from tests.armylists.texts import READ_BACK
from tests.breadth import in_turn
from tests.examples import examples

FIXTURES = Path(__file__).parents[2] / "fixtures"
GOLDEN = Path(__file__).parents[1] / "golden" / "exports"


def shape(army_list: ArmyList) -> list[Any]:
    """The visible units of a list with everything in them, without ids and order."""
    state = services.check_army_list(army_list).state

    def node(part: Any) -> Any:
        below = sorted(map(repr, (node(child) for child in part.selections if not child.hidden)))
        return part.name, part.number, below

    return sorted(repr(node(unit)) for force in state.all_forces() for unit in force.selections)


def named(army_list: ArmyList) -> Any:
    """The facts of a list with names in the place of ids."""
    report = services.check_army_list(army_list)
    names = {part.id: part.custom_name or part.name for part in report.state.all_selections()}

    def said(value: Any) -> Any:
        if isinstance(value, dict):
            return {said(key): said(inner) for key, inner in value.items()}
        return [said(one) for one in value] if isinstance(value, list | tuple) else names.get(value, value)

    return {name: said(value) for name, value in report.facts.items() if value not in (None, {})}


def again(viewer: Viewer, army_list: ArmyList, format_id: str, language: str) -> ArmyList:
    with translation.override(language):
        text = FORMATS[format_id].file_of(army_list).content
    source = source_of(text, file_name="list.txt")
    return import_reviewed(viewer, source, likely_faction(source, factions())).army_list


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("format_id", READ_BACK)
def test_a_list_comes_back_from_its_text(legal: Muster, viewer: Viewer, format_id: str, language: str) -> None:
    unit = legal.document.roster.forces[0].selections[1]
    legal.edit(e.SetName(name="Autumn muster"), e.Rename(node_id=unit.id, name="Ash Hounds"))
    copy = again(viewer, legal.row, format_id, language)
    assert shape(copy) == shape(legal.row)
    report = services.check_army_list(copy)
    assert report.points.total == legal.report.points.total
    assert (report.verdict, report.points) == (Verdict.LEGAL, legal.report.points)
    assert named(copy) == named(legal.row)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("format_id", READ_BACK)
@pytest.mark.parametrize("filled", ["the first", "the last"])
def test_detachments_without_units_come_back(
    muster: Any, viewer: Viewer, format_id: str, language: str, filled: str
) -> None:
    """Each of its own army list: nothing stood below them that told it, or they were no heading at all."""
    army: Muster = muster()
    army.detachment(LORD_OF_WAR, SONS)
    allied = army.detachment(ALLIED, AUXILIA)
    if filled == "the first":
        army.unit("hh-la-praetor")
    else:
        army.unit("hh-sa-legate-marshal", force_id=allied)
    copy = again(viewer, army.row, format_id, language)

    def told(row: ArmyList) -> list[Any]:
        forces = services.check_army_list(row).state.forces
        return [(force.entry_id, force.catalogue_id, len(force.selections)) for force in forces]

    assert told(copy) == told(army.row)
    assert services.check_army_list(copy).verdict == army.report.verdict


@pytest.mark.parametrize("units", [30, 400])
def test_a_list_of_many_units_is_looked_up_soon(
    heresy: PublishedSystem, monkeypatch: pytest.MonkeyPatch, units: int
) -> None:
    """Beside a hundred selections, not beside all the units before; what no list can hold is refused on the way."""
    source = read_text(
        "++ Muster (The Horus Heresy) [2000pts] ++\n\n+ Troops +\n" + "Tactical Squad [100 pts]\n" * units
    )
    sizes = []

    def seen(library: Any, roster: Roster, **more: Any) -> Any:
        sizes.append(sum(1 for _ in roster.all_selections()))
        return select(library, roster, **more)

    select = matching.roster_edits.select
    monkeypatch.setattr(matching.roster_edits, "select", seen)
    where = likely_faction(source, factions())
    if units == 400:
        with pytest.raises(TooLarge, match="1500 in"):
            review(source, where)
    else:
        found = review(source, where)
        assert [line.state for line in found.lines if line.is_unit] == ["sure"] * units
    assert matching.AT_HAND / 2 < max(sizes) <= matching.AT_HAND


def samples() -> Iterator[Path]:
    for game in ("epic", "fantasy-8th", "horus-heresy", "wh40k-6th"):
        yield from sorted((FIXTURES / game / "lists").glob("*.json"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "path"),
    list(enumerate(samples())),
    ids=lambda it: f"{it.parent.parent.name}-{it.stem}" if isinstance(it, Path) else "",
)
def test_samples_come_back_from_every_text(
    db: None, viewer: Viewer, place: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped_game(path.parent.parent.name)
    assert load_sample(read_sample(path))
    army_list = ArmyList.objects.select_related("system", "release").get()
    wanted, before = shape(army_list), services.check_army_list(army_list)
    for number, format_id in in_turn(place, list(enumerate(READ_BACK)), of=2):
        monkeypatch.setattr(matching, "AT_HAND", (matching.AT_HAND, 2)[number % 2])  # a long list is the same list
        copy = again(viewer, army_list, format_id, "ru" if number % 3 == 0 else "en")
        got, after = shape(copy), services.check_army_list(copy)
        assert [one for one in got if one not in wanted] == [one for one in wanted if one not in got], format_id
        assert (after.points, after.verdict) == (before.points, before.verdict), format_id
        assert named(copy) == named(army_list), format_id


MESSY = """
**Autumn\u00a0muster** (320\u2009очков)
Sons of Horus

HQ

Praetor (120\u2009очков)
  ● Warlord
  ● 1x Iron Halo

TROOPS
Tactical Squads (1\u00a0100 pts)
  ● 9x Legionary
     ○ 9x “Bolt Pistol”
Chariot of Dreams [77pts]
• Golden wheels
"""


def test_every_line_has_an_end(muster: Any, viewer: Viewer) -> None:
    muster()
    source = read_text(MESSY)
    assert [(unit.name, unit.points) for unit in source.units] == [
        ("Praetor", 120),
        ("Tactical Squads", 1100),
        ("Chariot of Dreams", 77),
    ]
    where = likely_faction(source, factions())
    assert where.name == "Sons of Horus"
    found = review(source, where)
    states = {line.text.split(" (")[0].split(" [")[0]: str(line.state) for line in found.lines}
    assert states == {
        "Praetor": "sure",
        "Iron Halo": "sure",
        "Tactical Squads": "likely",
        "Legionary": "sure",
        '"Bolt Pistol"': "sure",
        "Chariot of Dreams": "unmatched",
        "Golden wheels": "unmatched",
    }
    squads = next(line for line in found.lines if line.state == "likely")
    assert squads.name == squads.suggestions[0].name == "Tactical Squad"
    made = import_reviewed(viewer, source, where).army_list
    assert "Chariot of Dreams" in made.document and "Golden wheels" in made.document
    assert made.points == 220


def test_a_choice_is_kept(muster: Any, viewer: Viewer) -> None:
    muster()
    source = read_text(MESSY)
    where = likely_faction(source, factions())
    chariot = next(line for line in review(source, where).lines if line.state == "unmatched")
    found = review(source, where, choices={chariot.key: "hh-la-praetor", "1": ""})
    assert {line.key: str(line.state) for line in found.lines if line.is_unit} == {
        "0": "sure",
        "1": "left_out",
        "2": "chosen",
    }
    assert found.points == 240


def test_text_without_a_unit_is_refused() -> None:
    with pytest.raises(EditRefused, match="looks like a unit"):
        read_text("Dear diary,\nnothing happened.")


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
@pytest.mark.long
def test_broken_texts_are_read_or_refused(data: Any) -> None:
    text = (GOLDEN / data.draw(st.sampled_from(["text-gw.en.txt", "markdown.ru.md", "plain.en.txt"]))).read_text()
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(text)))
        junk = data.draw(st.sampled_from(["(" * 50, "[9,9 pts]", "\n", "\u202e", "- ", "x" * 3000, "0x ", "|", "++ "]))
        text = text[:at] + junk + text[at + data.draw(st.integers(0, 9)) :]
    try:
        assert len(read_text(text).units) <= UNITS
    except EditRefused as refusal:
        assert refusal.text.ru


def test_ten_megabytes_of_text_are_refused() -> None:
    with pytest.raises(TooLarge):
        read_text("Unit [1 pts]\n" * 900_000)
    assert len(read_text("Unit [1 pts]\n" * 30_000).units) == UNITS


@pytest.mark.long
@pytest.mark.parametrize("filling", [".", ". ", "…", "….", "... ", "a: ", "(: "])
def test_lines_of_dots_and_colons_are_read_soon(filling: str) -> None:
    row = f"Tactical {filling * 1_980}"[:1_980] + "x"
    text = "\n".join(["Army", "", *[row] * (390_000 // len(f"{row}\n".encode()))])
    began = process_time()
    with pytest.raises(EditRefused):
        read_text(text)
    assert process_time() - began < 5


@pytest.mark.parametrize("words", ["joins (", "joins: ", "a: "])
@pytest.mark.long
def test_words_that_name_a_unit_at_length_are_matched_soon(heresy: PublishedSystem, words: str) -> None:
    """A unit in each line that joins whoever is called by two thousand signs."""
    row = f"Praetor [100pts]: {words * 900}"[:1_990]
    text = "\n".join(["+++ Muster (The Horus Heresy) [2000pts] +++", "", "+ HQ +", "", *[row] * 190])
    source = read_text(text)
    began = process_time()
    found = review(source, likely_faction(source, factions()))
    assert len(found.lines) >= 190
    assert process_time() - began < 8
