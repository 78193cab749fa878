"""What a game's rule pack gives for fights between lists, found by the names of its modules."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from armybuilder.armylists import games
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.battles import BattleRules
from armybuilder.engine.systems.list_matchups import FighterReader, MatchupConditions, MatchupRules
from armybuilder.engine.systems.matchups import Matchup, ModelNotes
from armybuilder.engine.systems.target_profiles import TargetBook


def battlefield(system: str) -> MatchupRules:
    """How pairs of this game's units are resolved. Raises BadDocument for a game that cannot."""
    found: MatchupRules | None = _module(system, "combat.list_matchup")
    if found is None:
        raise BadDocument(f"Matchups of lists cannot be simulated for '{system}'.")
    return found


def occasions_of(system: str) -> tuple[str, ...]:
    """Attacks of this game that only some units can make; a pair shows them where they can."""
    return tuple(getattr(battlefield(system), "OCCASIONS", ()))


def fights(system: str) -> bool:
    """Whether lists of this game can be fought."""
    return _module(system, "combat.list_matchup") is not None and _module(system, "roster.fighters") is not None


def attack_of(system: str, attack: str | None, *, at: str) -> str:
    """The attack of a matrix, by default the game's first. Raises BadDocument for one it does not have."""
    known = battlefield(system).MATRIX
    if attack is not None and attack not in known:
        raise BadDocument(f"A matrix of this game shows {' or '.join(known)}, not '{attack}'.", at)
    return attack or known[0]


def circumstances_of(system: str, given: Mapping[str, Any], *, at: str) -> MatchupConditions:
    """Circumstances as the game knows them. Raises BadDocument with the pointer of what it does not."""
    return shaped(dict(given), battlefield(system).CONDITIONS, at=at)


def rules_of(system: str) -> Callable[[Matchup, ModelNotes], None]:
    """Enters into a basis which rules of a matchup document are in its numbers, without computing them."""
    report: Callable[[Matchup, ModelNotes], None] = _module(system, "combat.model_notes").note_rules
    return report


def is_missed(system: str, rule: str) -> bool:
    """Whether a special rule that an attack left out could have changed its numbers.

    One that the game's figures know elsewhere, or that has no part in any attack, is not missed; where a game does not
    say, every rule is.
    """
    known = _module(system, {"epic": "combat.special_rules"}.get(system, "special_rules"))
    return known is None or bool(known.has_a_part(rule) and not known.is_known(rule))


def fighter_reader(system: str) -> FighterReader | None:
    """How units of this game's rosters are read; None for a game whose units nobody can read."""
    found: FighterReader | None = _module(system, "roster.fighters")
    return found


def battle_rules(system: str) -> BattleRules[Any] | None:
    """What this game tells about whole battles; None for a game whose lists cannot fight one."""
    found: BattleRules[Any] | None = _module(system, "combat.battle") if fights(system) else None
    return found


def target_book(system: str) -> TargetBook | None:
    """The game's yardsticks and the form for new ones; None for a game without."""
    found: TargetBook | None = _module(system, "combat.target_profiles")
    return found


@cache
def _module(system: str, name: str) -> Any:
    """A module of a game's rule pack; None when it has none of that name."""
    pack = games.rule_pack(system)
    if pack is None:
        return None
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.{name}"
    return import_module(module) if find_spec(module) else None
