"""What reading a roster gives: the army document of a game, and where each part of it came from."""

from typing import Generic, TypeVar

from msgspec import Struct

from armybuilder.engine.findings import Finding
from armybuilder.engine.roster.state import RosterError

Army = TypeVar("Army")


class ArmyReading(Struct, Generic[Army], frozen=True):
    """An army document made of a roster.

    Attributes:
        army: what the rulebook checks.
        places: pointer into the army -> node id, for every part of it that a finding may name.
        findings: BS-05, what was not recognised, and what a game says of the roster itself; `at` points into the
            stored roster.
        alliances: by the force of each ally, the level of the alliance, empty where the rules do not say it; only of
            games whose alliances are no detachments of one army.
        answered: objections of the data to what the rulebook judges itself, by its own reading and with facts that
            the data cannot see; they are neither told nor counted.
        set_aside: rules of the book whose question the data has answered already.
    """

    army: Army
    places: dict[str, str]
    findings: tuple[Finding, ...]
    alliances: dict[str, str] = {}
    answered: tuple[RosterError, ...] = ()
    set_aside: frozenset[str] = frozenset()
