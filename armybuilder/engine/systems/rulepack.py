"""What a game must supply to be checked and simulated."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from armybuilder.engine.findings import Finding, Points, has_error
from armybuilder.engine.systems.rule_table import RuleTable


class RuleSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a document cannot hold: switches and data that an administrator keeps.

    Attributes:
        conventions: whether conventions outside the rules text (WFX) are reported.
        alliance_levels: by system id, the level of each recorded (from, to) pair.
    """

    conventions: bool = True
    alliance_levels: Mapping[str, Mapping[tuple[str, str], str]] = {}


SHIPPED = RuleSettings()
"""The settings of the command line: nothing an administrator has changed."""


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The envelope of every document: `notes` are ignored, `id` is echoed, `x-` fields were dropped before."""

    system: str
    name: str | None = None
    notes: Any = None
    id: str | None = None
    version: int = 1
    schema_address: str | None = msgspec.field(default=None, name="$schema")


Check = Callable[[Any], Iterator[Finding]]
"""A rule or a family of rules: army document in, findings out."""


def no_errors(army: Any, findings: tuple[Finding, ...]) -> bool | None:
    """Legal if and only if nothing of severity error was found."""
    return not has_error(findings)


@dataclass(frozen=True)
class RulePack:
    """The native rules of one game.

    Attributes:
        system: the game's id in documents and URLs.
        army_type: Struct an army document is read into.
        checks: in the order they run; each takes the army, and the settings if it asks for `settings`.
        points: total and limit of an army.
        legality: army and findings to legal, illegal or not established.
        simulations: dotted name of the module that holds this game's `KINDS` (loaded when first needed).
    """

    system: str
    rules: RuleTable
    army_type: type[Document]
    checks: tuple[Callable[..., Iterator[Finding]], ...]
    points: Callable[[Any], Points]
    legality: Callable[[Any, tuple[Finding, ...]], bool | None] = no_errors
    simulations: str | None = field(default=None)
