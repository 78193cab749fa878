"""What players are reminded of during a game: its phases, what each side does in them, and reactions.

Every game whose lists are played from has a `play.toml` beside its `game.py`; the words in it are our own.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, convert

from armybuilder.engine.findings import Text


class Reaction(Struct, frozen=True, forbid_unknown_fields=True):
    """Something a player may do in the opponent's phase.

    Attributes:
        when: what lets him.
        source: lines of the rules text.
    """

    name: Text
    when: Text
    source: str


class PlayPhase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A phase of a turn.

    Attributes:
        reminders: for the player whose phase it is.
        reactions: of the other player.
        is_magic: spells are cast in it.
    """

    name: Text
    source: str
    reminders: tuple[Text, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    is_magic: bool = False


class KnownSpell(Struct, frozen=True):
    """A spell of a lore; `value` is what it is cast on, empty where it has none."""

    name: Text
    value: str


class PlayGuide(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game is played, as far as one is reminded of it.

    Attributes:
        each_in_turn: every player has all phases for himself; otherwise both go through them together.
        reactions_in_phase: how many reactions a player has in one phase unless a rule says otherwise; None without.
        lores: spells by every name of their lore, in small letters.
        one_use: names of items that are gone once used, in small letters.
    """

    phases: tuple[PlayPhase, ...]
    each_in_turn: bool = True
    reactions_in_phase: int | None = None
    lores: Mapping[str, tuple[KnownSpell, ...]] = {}
    one_use: frozenset[str] = frozenset()


def read_play_guide(
    path: Path, *, lores: Mapping[str, tuple[KnownSpell, ...]] | None = None, one_use: frozenset[str] = frozenset()
) -> PlayGuide:
    """The guide of a game from its `play.toml`."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return convert(table | {"lores": dict(lores or {}), "one_use": one_use}, PlayGuide)
