"""A law of whole battles: an army that leaves a unit at home does not win more often, beyond what chance explains.

Tried on our own sample lists of every game, with the cheapest units, which add least.
"""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.epic.roster.fighters import sides_from_roster as epic_fighters
from armybuilder.engine.systems.game import battle_rules_of, roster_reader_of
from tests.breadth import share, some
from tests.conftest import ROOT
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

TRIALS = 2_000
NOISE = 0.04
"""Three standard errors of the difference of two chances."""

UNITS = 2
"""So many units of each list are left at home, one at a time."""


TRANSPORTS = {"Aurox Transport"}
"""What carries a squad that shoots from afar, and has to start in it: the page says that it can cost more than it
brings."""

WORD_BEARERS = ("Chaos - Word Bearers", "Possessed", "Word Bearers Retinue", "Armoured Company", "Defilers")
NECRONS = ("Necrons - Sautekh Legion", "Stalker Maniple", "Sentry Maniple", "Blade Maniple")
"""Army lists of the community and formations of them."""

HAND_TO_HAND = {"Nobz", "Stormboyz", "Warbikers"}
"""Units of 40k that are made for close combat, which its battles do not hold: the page says they only lose points."""


def fighters(game: str, folder: str, name: str) -> tuple[Any, ...]:
    fixtures = ROOT / "fixtures" / folder
    library = compiled_library(
        [
            SourceFile(path.name, path.read_bytes())
            for path in sorted(fixtures.iterdir())
            if path.suffix in (".gst", ".cat")
        ]
    )
    kept = json.loads((fixtures / f"lists/{name}.json").read_text())
    reader = roster_reader_of(game)
    assert reader is not None and reader.fighters is not None
    return tuple(reader.fighters(evaluate(library, msgspec.convert(kept["document"]["roster"], Roster))))


def community_list(shared: Path, catalogue: str, *formations: str) -> ListBuilding:
    """An Epic list of the community's data."""
    folder = shared / "battlescribe" / "data" / "wh40k-epic-armageddon"
    files = [SourceFile(name, (folder / name).read_bytes()) for name in ("Epic.gstz", f"{catalogue} - EA.catz")]
    army = ListBuilding(compiled_library(files))
    army.detachment("f12d-4f60-fe2d-1813", army.library.catalogues[0].id)
    for name in formations:
        army.add(name)
    return army


def community_list_of_40k(shared: Path, catalogue: str, *units: str) -> ListBuilding:
    """Units of the community's 6th edition data in a primary detachment."""
    folder = shared / "battlescribe" / "data" / "wh40k-6th-1.14b"
    names = (path for path in sorted(folder.iterdir()) if path.suffix[:4] in (".gst", ".cat"))
    army = ListBuilding(compiled_library([SourceFile(path.name, path.read_bytes()) for path in names]))
    found = next(one for one in army.library.catalogues if one.name.startswith(catalogue))
    army.detachment(army.library.force_entries(found.id)[0].id, found.id)
    for name in units:
        army.add(name)
    return army


def chance_to_win(game: str, army: Sequence[Any], enemy: Sequence[Any]) -> float:
    rules = battle_rules_of(game)
    assert rules is not None
    plans = Plans(prepared(rules, army, enemy).battle)
    return float(play.fought(plans, trials=TRIALS, seed=7).outcomes[0] / TRIALS)


@pytest.mark.long
@pytest.mark.parametrize(("game", "folder", "name", "enemy"), share([
    ("horus-heresy", "horus-heresy", "solar-auxilia", "sons-of-horus"),
    ("wh40k-6th", "wh40k-6th", "space-marines", "orks"),
    ("wh40k-6th", "wh40k-6th", "orks", "space-marines"),
    ("fantasy-8th", "fantasy-8th", "empire", "orcs-and-goblins"),
    ("epic", "epic", "hades-hive-relief", "strike-force-damocles"),
    ("fantasy-8th", "fantasy-8th", "orcs-and-goblins", "empire"),
], of=2))  # fmt: skip
def test_a_unit_less_wins_no_more(game: str, folder: str, name: str, enemy: str) -> None:
    army, against = fighters(game, folder, name), fighters(game, folder, enemy)
    whole = chance_to_win(game, army, against)
    for spared in sorted(army, key=lambda fighter: fighter.points)[: some(UNITS, of=2)]:
        smaller = [fighter for fighter in army if fighter.unit != spared.unit]
        assert chance_to_win(game, smaller, against) <= whole + NOISE or spared.name in TRANSPORTS, spared.name


@pytest.mark.long
def test_the_page_says_that_a_transport_may_cost_more_than_it_brings() -> None:
    army = fighters("horus-heresy", "horus-heresy", "solar-auxilia")
    enemy = fighters("horus-heresy", "horus-heresy", "sons-of-horus")
    rules = battle_rules_of("horus-heresy")
    assert rules is not None
    assert {fighter.name for fighter in army} >= TRANSPORTS
    approximated = prepared(rules, army, enemy).notes.approximated
    assert any("a transport can cost more than it brings" in one.how.en for one in approximated)


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(("game", "army", "enemy"), [
    (
        "epic",
        ("Tau - Taros", "Fire Warrior Cadre", "Battlesuit Cadre", "Hammerhead Contingent", "Pathfinders Contingent"),
        ("Necrons - Sautekh Legion", "Ghost Ark Phalanx", "Stalker Maniple", "Sentry Maniple", "Iudicium Maniple"),
    ),
    (
        "wh40k-6th",
        ("Space Marines", "Tactical Squad", "Devastator Squad", "Predator", "Vindicator"),
        ("Tau Empire", "Fire Warrior Team", "Kroot Carnivore Squad", "Hammerhead Gunship", "XV88 Broadside Team"),
    ),
])  # fmt: skip
def test_a_unit_less_of_a_community_list_wins_no_more(
    game: str, army: tuple[str, ...], enemy: tuple[str, ...], shared: Path
) -> None:
    listed = {"epic": community_list, "wh40k-6th": community_list_of_40k}[game]
    reader = roster_reader_of(game)
    assert reader is not None and reader.fighters is not None
    own, against = (tuple(reader.fighters(listed(shared, *wanted).state)) for wanted in (army, enemy))
    assert len(own) == len(against) == len(army) - 1
    whole = chance_to_win(game, own, against)
    for spared in sorted(own, key=lambda fighter: fighter.points)[:UNITS]:
        smaller = [fighter for fighter in own if fighter.unit != spared.unit]
        assert chance_to_win(game, smaller, against) <= whole + NOISE, spared.name


@pytest.mark.long
@pytest.mark.shared
def test_the_page_says_that_epic_foot_without_guns_may_cost_more_than_it_brings(shared: Path) -> None:
    """Possessed of the Word Bearers walk under the fire of Necrons, and the army does better without them."""
    lists = [community_list(shared, *wanted) for wanted in (WORD_BEARERS, NECRONS)]
    army, enemy = (epic_fighters(one.state) for one in lists)
    rules = battle_rules_of("epic")
    assert rules is not None
    for own, is_told in ((army, True), ([one for one in army if one.name != "Possessed"], False)):
        approximated = prepared(rules, own, enemy).notes.approximated
        assert any("can cost more than it brings" in one.how.en for one in approximated) is is_told


@pytest.mark.long
def test_without_close_combat_those_made_for_it_lose_points_and_the_page_says_so() -> None:
    orks, marines = fighters("wh40k-6th", "wh40k-6th", "orks"), fighters("wh40k-6th", "wh40k-6th", "space-marines")
    whole = chance_to_win("wh40k-6th", orks, marines)
    gaining = {
        spared.name
        for spared in share(orks, of=3)
        if chance_to_win("wh40k-6th", [one for one in orks if one.unit != spared.unit], marines) > whole + NOISE
    }
    assert gaining <= HAND_TO_HAND
    words = tomllib.loads((ROOT / "armybuilder/engine/systems/wh40k_6th/words.toml").read_text(encoding="utf-8"))
    assert "made for close combat can only lose points" in words["battle"]["en"]
