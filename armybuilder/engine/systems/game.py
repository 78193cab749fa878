"""A game as one value: everything the program knows of it, and the one place that finds games.

| asked for | gives | holds |
|---|---|---|
| `LIST_RULES["epic"]` | `list_rules.RULES` of the game's folder | what a check needs, without dice and rosters |
| `GAMES["epic"]` | `game.GAME` of the game's folder | the rules too, and every other part |

Both import a game when it is first asked for, and nothing else imports by a name that is put together. To reach a part
of a game is to read a member of `Game`; a part that a game does not have is None, and mypy compares what a game gives
with the protocol of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.list_rules import ListRules

if TYPE_CHECKING:  # a check needs none of these, and they bring NumPy with them
    from collections.abc import Sequence

    from msgspec import Struct

    from armybuilder.engine.roster.state import RosterState, SelectionState
    from armybuilder.engine.systems.battles import BattleRules
    from armybuilder.engine.systems.list_matchups import Combatant, MatchupRules
    from armybuilder.engine.systems.list_summary import ListSummary
    from armybuilder.engine.systems.matchups import SimulationTypes
    from armybuilder.engine.systems.play_guide import PlayGuide
    from armybuilder.engine.systems.roster_reading.army_reading import ArmyTranslator
    from armybuilder.engine.systems.roster_reading.unit_reader import Standing
    from armybuilder.engine.systems.target_profiles import TargetBook
    from armybuilder.engine.systems.words import GameWords

T = TypeVar("T")


@dataclass(frozen=True)
class RosterReader:
    """How rosters of a game are read.

    Attributes:
        facts: what a stored list of the game says besides its roster.
        translator: makes the army document of a roster.
        fighters: its units with their profiles, weapons and rules.
        attached: the fighters, with where the facts of the list put them: characters in units, units in reserve or in
            transports; None in a game where that plays no part.
        standing: what of a root selection stands on the table, None where that is not recognised; None in a game whose
            data types its models as such.
        without_fighters: names of the units that are no fighters, as the data has no characteristics of their models;
            None in a game that does not tell them.
    """

    facts: type[Struct]
    translator: type[ArmyTranslator[Any, Any]]
    fighters: Callable[[RosterState], Sequence[Combatant]]
    attached: Callable[[Any, RosterState, Mapping[str, Any]], Sequence[Combatant]] | None = None
    standing: Callable[[SelectionState], Standing | None] | None = None
    without_fighters: Callable[[RosterState], Sequence[str]] | None = None


def _every_rule_is_a_gap(rule: str) -> bool:
    return True


@dataclass(frozen=True)
class Game:
    """A game.

    Attributes:
        rules: of list building; their `system` is the game's id in documents and URLs.
        simulations: kinds of simulation by name; empty for a game without combat.
        roster: how its rosters are read; None for a game without any.
        matchups: how pairs of units of two lists are resolved; None for a game whose lists cannot meet.
        battles: what it tells about whole battles; None for a game whose lists cannot fight one.
        targets: its yardsticks and the form for new ones; None for a game without.
        words: of its matchups, in both languages; None for a game whose lists cannot meet.
        summary: what it shows of a list without being asked; None where it shows nothing.
        warlord_traits: of the rulebook, by the name a list records.
        play: what players are reminded of at the table; None for a game whose lists are no armies.
        is_gap: whether a special rule that an attack left out could have changed its numbers. One that the game's
            figures know elsewhere, or that has no part in any attack, is no gap; every rule is one where a game
            does not say.
    """

    rules: ListRules
    simulations: SimulationTypes
    roster: RosterReader | None = None
    matchups: MatchupRules[Any, Any] | None = None
    battles: BattleRules[Any] | None = None
    targets: TargetBook | None = None
    words: GameWords | None = None
    summary: Callable[[Any, Mapping[str, str]], ListSummary] | None = None
    warlord_traits: Mapping[str, Text] = field(default_factory=dict)
    play: PlayGuide | None = None
    is_gap: Callable[[str], bool] = _every_rule_is_a_gap

    @property
    def id(self) -> str:
        """The game's id in documents and URLs."""
        return self.rules.system


class _Games(Mapping[str, T], Generic[T]):
    """One part of every game by its id, imported when it is first asked for."""

    _folders = {
        "horus-heresy": "horus_heresy",
        "epic": "epic",
        "fantasy-8th": "fantasy_8th",
        "relic": "relic",
        "wh40k-6th": "wh40k_6th",
    }

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._loaded: dict[str, T] = {}

    def __getitem__(self, system: str) -> T:
        if system not in self._loaded:
            module = import_module(f"{__package__}.{self._folders[system]}.{self._module}")
            self._loaded[system] = getattr(module, self._name)
        return self._loaded[system]

    def __contains__(self, system: object) -> bool:
        return system in self._folders

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def __len__(self) -> int:
        return len(self._folders)


LIST_RULES: Mapping[str, ListRules] = _Games[ListRules]("list_rules", "RULES")
"""The rules of list building of every game, by its id; the same values as `GAMES[...].rules`."""

GAMES: Mapping[str, Game] = _Games[Game]("game", "GAME")
"""Every game by its id."""


def roster_reader_of(system: str) -> RosterReader | None:
    """How a game's rosters are read; None for a game without any, and for one that is not known."""
    return GAMES[system].roster if system in GAMES else None


def has_matchups(system: str) -> bool:
    """Whether lists of a game can meet; False for none and for one that is not known."""
    return system in GAMES and GAMES[system].matchups is not None


def matchup_rules_of(system: str) -> MatchupRules[Any, Any]:
    """How pairs of a game's units are resolved. Raises BadDocument for a game that cannot."""
    found = GAMES[system].matchups if system in GAMES else None
    if found is None:
        raise BadDocument(f"Matchups of lists cannot be simulated for '{system}'.")
    return found


def battle_rules_of(system: str) -> BattleRules[Any] | None:
    """What a game tells about whole battles; None for a game whose lists cannot fight one."""
    return GAMES[system].battles if system in GAMES else None


def target_book_of(system: str) -> TargetBook | None:
    """A game's yardsticks and the form for new ones; None for a game without."""
    return GAMES[system].targets if system in GAMES else None


def words_of(system: str) -> GameWords:
    """The words of a game's matchups. Raises BadDocument for a game whose lists cannot meet."""
    found = GAMES[system].words if system in GAMES else None
    if found is None:
        raise BadDocument(f"Matchups of lists cannot be simulated for '{system}'.")
    return found
