"""The part of a rule pack that reads stored rosters, by the pack a published system names."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import msgspec

from armybuilder.armylists.validation import shaped
from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems import PACKS
from armybuilder.engine.systems.list_rules import Document, ListRules
from armybuilder.engine.systems.list_summary import ListSummary


class ArmyReading(Protocol):
    """An army document made of a roster."""

    @property
    def army(self) -> Document:
        """What the rulebook checks."""

    @property
    def places(self) -> Mapping[str, str]:
        """Pointer into `army` -> node id of the roster."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What of the roster was not recognised."""


class RosterReader(Protocol):
    """The module `from_roster` of a game."""

    Facts: type[msgspec.Struct]

    def translate(
        self,
        state: RosterState,
        facts: Any,
        *,
        points_limit: int | None,
        alliance_levels: Mapping[tuple[str, str], str],
    ) -> ArmyReading:
        """The roster as the army document of the game."""


def rule_pack(name: str) -> ListRules | None:
    """The rule pack a published system names; None for a game that has none (yet)."""
    return PACKS[name] if name and name in PACKS else None


@cache
def roster_reader(name: str) -> RosterReader | None:
    """How rosters of this game are read; None when its pack reads none."""
    pack = rule_pack(name)
    if pack is None:
        return None
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.roster.army_document"
    return import_module(module) if find_spec(module) else None  # type: ignore[return-value]


@cache
def warlord_traits(name: str) -> Mapping[str, Text]:
    """The warlord traits of a game's rulebook by the name a list records; none for a game without any."""
    pack = rule_pack(name)
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.list_rules.warlord" if pack is not None else ""
    if not module or not find_spec(module):
        return {}
    return {text.en: text for text in getattr(import_module(module), "CORE_TRAITS", {}).values()}


@cache
def _glancing(name: str) -> Callable[[Any, Mapping[str, str]], ListSummary] | None:
    pack = rule_pack(name)
    if pack is None:
        return None
    module = f"{pack.army_type.__module__.rpartition('.')[0]}.list_rules.summary"
    return import_module(module).glance if find_spec(module) else None  # type: ignore[no-any-return]


def glance(name: str, army: Any, places: Mapping[str, str]) -> ListSummary | None:
    """What a game shows of a list without being asked: ratings, break points; None where it shows nothing."""
    shown = _glancing(name) if army is not None else None
    return shown(army, places) if shown is not None else None


def read_facts(name: str, facts: Mapping[str, Any], *, at: str = "") -> Any:
    """Plain facts as the game's Struct; without a rule pack they stay what they are.

    Raises:
        BadDocument: a fact the game does not know or a value it cannot have; `at` is where the facts stand.
    """
    reader = roster_reader(name)
    return shaped(dict(facts), reader.Facts, at=at) if reader is not None else dict(facts)
