"""Two sample armies that can fight a whole battle, to show what a simulation is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from armybuilder.armylists.models import VerdictChoice
from armybuilder.armylists.samples import Sample
from armybuilder.engine.systems.game import battle_rules_of


@dataclass(frozen=True, slots=True)
class Duel:
    """Two samples of one game; `game` is its rule pack."""

    game: str
    mine: Sample
    theirs: Sample


def duel_of(samples: Sequence[Sample]) -> Duel | None:
    """The first two legal samples of one game whose lists can fight a battle."""
    legal = [one for one in samples if one.army_list.verdict == VerdictChoice.LEGAL]
    for mine, theirs in combinations(legal, 2):
        game = mine.army_list.system.rule_pack
        if game == theirs.army_list.system.rule_pack and battle_rules_of(game) is not None:
            return Duel(game, mine, theirs)
    return None
