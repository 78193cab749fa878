"""Which findings of the rulebook are told where the data has answered some of its questions."""

import pytest

from armybuilder.engine.findings import Finding, Severity, Text
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading


@pytest.mark.parametrize(
    ("rule", "at", "told"),
    [
        ("WF-16", "/units/1/lore", False),
        ("WF-16", "/units/1", False),
        ("WF-16", "/units/11/lore", True),
        ("WF-17", "/units/1/lore", True),
        ("HH-08", "/chart", False),
        ("HH-08", None, False),
    ],
)
def test_a_question_that_the_data_has_answered(rule: str, at: str | None, told: bool) -> None:
    reading = ArmyReading(None, {}, (), set_aside=frozenset({("WF-16", "/units/1"), ("HH-08", "")}))
    finding = Finding(rule=rule, severity=Severity.ERROR, message=Text("x", "x"), at=at, source="")
    assert reading.tells(finding) is told
