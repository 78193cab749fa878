"""An objection of the data that the rulebook has told already is told once."""

import msgspec
import pytest

from armybuilder.armylists.checking import _is_repeat
from armybuilder.armylists.reports import ListFinding
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems.game import LIST_RULES


def finding(rule: str, words: str, at: str, unit_id: str | None) -> ListFinding:
    return ListFinding(
        rule=rule,
        severity=Severity.ERROR,
        message=Text(words, words),
        at=at,
        source="",
        node_id=unit_id or "force",
        unit_id=unit_id,
        force_id="force",
    )


@pytest.mark.parametrize(
    ("rule", "objection", "unit_id", "said", "repeat"),
    [
        ("BS-01", "Chart: HQ: – 0 taken", None, ("HH-11", "Primary: compulsory HQ slots filled 0 of 1."), True),
        ("BS-01", "Chart: Troops: – 0 taken", None, ("HH-11", "Primary: compulsory HQ slots filled 0 of 1."), False),
        ("BS-01", "Chart: Compulsory HQ: – 0", None, ("HH-11", "Primary: compulsory HQ slots filled 0 of 1."), True),
        ("BS-02", "Wall: Strongpoints – 3 taken", "u", ("HH-47", "Wall: Strongpoint taken 3 times."), True),
        ("BS-02", "Wall: Doors – 3 taken", "u", ("HH-47", "Wall: Strongpoint taken 3 times."), False),
        ("BS-01", "Praetor: Warlord Traits – 0", "u", ("HH-39", "Choose a warlord trait for Praetor."), True),
    ],
)
def test_one_cause_one_finding(
    rule: str, objection: str, unit_id: str | None, said: tuple[str, str], repeat: bool
) -> None:
    data = finding(rule, objection, "/roster/forces/0/a", unit_id)
    book = finding(*said, "/roster/forces/0/b", unit_id)
    assert _is_repeat(data, [book], LIST_RULES["horus-heresy"]) is repeat


@pytest.mark.parametrize(
    ("objection", "repeat"),
    [
        ("Primary Detachment: Extra Detachment – 1 taken, at most 0 allowed.", True),
        ("Primary Detachment: Extra Armour – 1 taken, at most 0 allowed.", False),
    ],
)
def test_a_second_chart_below_2000_points_is_told_once(objection: str, repeat: bool) -> None:
    data = finding("BS-02", objection, "/roster/forces/0", None)
    book = finding("W6L-03", "2 primary detachments; allowed: 1.", "/roster/forces", None)
    assert _is_repeat(data, [book], LIST_RULES["wh40k-6th"]) is repeat


@pytest.mark.parametrize(("setting", "repeat"), [("Allegiance:", True), ("Rite of War", False)])
def test_a_setting_that_asks_for_the_allegiance_again_is_told_once(setting: str, repeat: bool) -> None:
    """A list begun by a program without an allegiance was told twice to choose one."""
    words = f"{setting} – 0 taken, at least 1 needed."
    data = msgspec.structs.replace(finding("BS-01", words, "/roster/forces/0/selections/2", "u"), node_name=setting)
    book = finding("HH-01", "Choose the army's allegiance: Loyalist or Traitor.", "/facts/allegiance", None)
    assert _is_repeat(data, [book], LIST_RULES["horus-heresy"]) is repeat
