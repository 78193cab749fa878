"""Facts told in words and read again: the words of every game's facts, in either language."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation
from msgspec import Struct

from armybuilder.armylists import edits as e
from armybuilder.armylists.documents import UNITS
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.facts import FactType, list_fact_types, members_of, unit_fact_types
from armybuilder.armylists.imports.stated_facts import FactWords, read_stated
from armybuilder.engine.systems.game import GAMES
from tests.armylists.conftest import Muster

UNIT_LINES = [
    ("horus-heresy", "joins (Tactical Squad #2)", "joined_to", "node of Tactical Squad #2"),
    ("horus-heresy", "присоединяется к: Тактическое отделение", "joined_to", "node of Тактическое отделение"),
    ("horus-heresy", "deployment (Deep Strike Assault)", "deployment", "deep_strike_assault"),
    ("horus-heresy", "must be the warlord", "must_be_warlord", True),
    ("horus-heresy", "slots taken: 2", "slots_used", 2),
    ("horus-heresy", "own price, points (120)", "own_points", 120),
    ("horus-heresy", "base size: 32 mm", "base_size", "32 mm"),
    ("horus-heresy", "slots taken: two", "slots_used", None),
    ("fantasy-8th", "spells (Banishment, Light of Battle)", "spells", ["Banishment", "Light of Battle"]),
    ("fantasy-8th", "знаменосец армии", "army_standard", True),
    ("fantasy-8th", "army standard bearer: no", "army_standard", False),
    ("fantasy-8th", "lore of magic (Lore of Light)", "lore", "Lore of Light"),
    (
        "epic",
        "written plan (turn of arrival 2, bombardment points (as 60x30, cm) 75x90, 60x60)",
        "plan",
        {"turn": 2, "bombardment_points": ["75x90", "60x60"]},
    ),
    ("epic", "Devastator – starts on Overwatch", "overwatch_at_start", True),
    ("wh40k-6th", "battlefield role: Troops", "role", "troops"),
]


@pytest.mark.parametrize(("game", "line", "fact", "value"), UNIT_LINES)
def test_what_a_line_states_of_a_unit(game: str, line: str, fact: str, value: Any) -> None:
    words = FactWords(game)
    found = words.stated(line, key="0", node_id="unit")
    assert found is not None and found.fact.name == fact
    read = read_stated(
        words, [found], refer=lambda name, of: f"node of {name}", part_of=lambda of, name: [f"{of} {name}"]
    )
    assert [one.text for one in read.unread] == ([line] if value is None else [])
    assert list(read.units.values()) == ([] if value is None else [{fact: value}])
    assert set(read.units) <= {"unit", "unit Devastator"}


@pytest.mark.parametrize("line", ["Power fist", "Rhino (Searchlight)", "painted: last winter", "3x Bolter", ""])
def test_what_is_no_fact_stays_an_option(line: str) -> None:
    assert FactWords("horus-heresy").stated(line, key="0", node_id="unit") is None


def test_a_name_alone_states_who_it_is() -> None:
    words = FactWords("fantasy-8th")
    found = words.stated("garrison of the watchtower", key="0", node_id="unit")
    assert found is not None
    read = read_stated(words, [found], refer=lambda name, of: None, part_of=lambda of, name: [])
    assert read.all == {"watchtower_garrison": "unit"}


def test_the_head_states_the_army() -> None:
    words = FactWords("horus-heresy")
    lines = ("My list", "Allegiance: Traitor", "kind of game: кампания", "Reactions in a phase: 2", "warlord: Praetor")
    assert words.of_head((*lines, "Opponent: allegiance Loyalist, points limit 2,000")) == {
        "allegiance": "traitor",
        "play_mode": "campaign",
        "base_reactions": 2,
        "opponent": {"allegiance": "loyalist", "points_limit": 2000},
    }
    assert words.of_head(("Allegiance: undecided", "FORCE ORGANISATION CHART: Crusade")) == {"chart": "crusade"}


@pytest.mark.parametrize("game", ["horus-heresy", "epic", "fantasy-8th", "wh40k-6th"])
def test_no_two_facts_of_a_game_are_called_alike(game: str) -> None:
    """Else a text would say one and mean the other."""
    words = FactWords(game)
    for types, told in ((list_fact_types(game), words.list_facts), (unit_fact_types(game), words.unit_facts)):
        assert {fact.name for fact in told.values()} == {fact.name for fact in types}


@pytest.mark.parametrize("game", ["horus-heresy", "epic", "fantasy-8th", "wh40k-6th"])
def test_every_fact_of_a_game_has_words(game: str) -> None:
    """Else players would read its name in the code."""
    words = GAMES[game].words
    assert words is not None
    types = [*list_fact_types(game), *unit_fact_types(game)]
    names = {fact.name for one in types for fact in _with_parts(one)} - {UNITS}
    assert names - set(words.facts) == set()


def _with_parts(fact: FactType) -> Iterator[FactType]:
    yield fact
    if isinstance(fact.kind, type) and issubclass(fact.kind, Struct):
        for part in members_of(fact.kind):
            yield from _with_parts(part)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_secret_text_tells_no_fact(legal: Muster, language: str) -> None:
    squad = legal.document.roster.forces[0].selections[1]
    legal.unit_facts(squad.id, deployment="deep_strike_assault", model_name="Secretive Sculptures")
    legal.edit(e.SetUnitFacts(node_id=squad.id, facts={"base_size": "33 mm"}))
    with translation.override(language):
        told = {one: FORMATS[one].file_of(legal.row).content.decode() for one in ("secret", "text-wtc", "plain")}
    for hidden in ("Secretive", "33 mm", "Bloody-handed", "кроваворукий", "Traitor", "предатели", "2,000", "2 000"):
        assert hidden not in told["secret"], hidden
    assert "Secretive" in told["text-wtc"] and "Secretive" in told["plain"]
