"""The law of whole battles: a list does not fight better without one of its units, on the sample list of each game."""

import json
from collections.abc import Sequence
from math import sqrt

import msgspec
import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.list_matchups import Combatant
from tests.conftest import ROOT
from tests.libraries import compiled_library

LISTS = {
    "horus-heresy": ("solar-auxilia", "sons-of-horus"),
    "fantasy-8th": ("empire", "orcs-and-goblins"),
    "epic": ("strike-force-damocles", "hades-hive-relief"),
    "wh40k-6th": ("space-marines", "orks"),
}

TRIALS = 600
NOISE = 4 * sqrt(2 * 0.25 / TRIALS)
"""Four standard errors of the difference of two chances."""

UNITS = 3
"""So many units of a list are taken away, one at a time: those that cost least, whose price is lost soonest."""

SAID = {"wh40k-6th": "assaults", "fantasy-8th": "unknown spells"}
"""Why a unit may be a burden after all, by the words with which the answer says so."""


def armies_of(game: str) -> list[Sequence[Combatant]]:
    folder = ROOT / "fixtures" / game
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".gst", ".cat"))
    library = compiled_library([SourceFile(path.name, path.read_bytes()) for path in paths])
    reader = GAMES[game].roster
    assert reader is not None
    found = []
    for name in LISTS[game]:
        document = json.loads((folder / f"lists/{name}.json").read_text())["document"]
        state = evaluate(library, msgspec.convert(document["roster"], Roster))
        fighters = tuple(reader.fighters(state))
        found.append(fighters if reader.attached is None else reader.attached(fighters, state, document["facts"]))
    return found


@pytest.mark.long
@pytest.mark.parametrize("game", LISTS)
def test_a_list_is_no_better_without_a_unit(game: str) -> None:
    rules = GAMES[game].battles
    assert rules is not None
    mine, theirs = armies_of(game)

    def chance(army: Sequence[Combatant]) -> tuple[float, set[str]]:
        ready = prepared(rules, army, theirs)
        outcomes = play.fought(Plans(ready.battle), trials=TRIALS, seed=5).outcomes
        told = {*ready.notes.not_simulated, *(item.rule for item in ready.notes.approximated)}
        return float(outcomes[0] + outcomes[1] / 2) / TRIALS, told

    whole, told = chance(mine)
    burdens = {}
    for unit in sorted(mine, key=lambda one: one.points)[:UNITS]:
        without, _ = chance([one for one in mine if one is not unit])
        if without > whole + NOISE:
            burdens[unit.name] = (round(whole, 2), round(without, 2))
    assert not burdens or SAID.get(game) in told, burdens
