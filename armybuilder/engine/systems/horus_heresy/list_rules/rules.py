"""The rule table of the Horus Heresy, and what open play does to it."""

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path

from msgspec.structs import replace

from armybuilder.engine.findings import Finding, Severity
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.vocabulary import PlayMode
from armybuilder.engine.systems.rule_table import RuleTable

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))
finding = TABLE.finding


def composition(check: Callable[[Army], Iterator[Finding]]) -> Callable[[Army], Iterator[Finding]]:
    """Marks a rule about the composition of an army (HH-08 to HH-31): information in open play.

    Source: HH L3433-L3437 (open play limits neither the composition nor the rules used) [text].
    """

    @wraps(check)
    def softened(army: Army) -> Iterator[Finding]:
        found = check(army)
        if army.play_mode is PlayMode.OPEN:
            return (replace(one, severity=Severity.INFO) for one in found)
        return found

    return softened
