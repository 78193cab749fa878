"""Characters in units: WF-46 to WF-54 and WF-61."""

from typing import Any

import pytest

from armybuilder.engine.systems.fantasy_8th.list_rules.joining import base_fits
from tests.engine.systems.fantasy_8th.builders import assert_fires, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("infantry", make_army({"hero": {"joined_to": "core"}, "core": {}}), False),
        ("a monster", make_army({"hero": {"joined_to": "rare"}}), True),
        ("a flying unit", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Fly"]}}), True),
        ("a war machine", make_army({"hero": {"joined_to": "core"}, "core": {"troop_type": "war_machine"}}), True),
    ],
)
def test_wf_46(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-46", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "both",
            make_army({"hero": {"joined_to": "core", "rules": ["Ethereal"]}, "core": {"rules": ["Ethereal"]}}),
            False,
        ),
        ("only the unit", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Ethereal"]}}), True),
        ("only the character", make_army({"hero": {"joined_to": "core", "rules": ["Ethereal"]}, "core": {}}), False),
    ],
)
def test_wf_47(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-47", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "both",
            make_army({"hero": {"joined_to": "core", "rules": ["Unbreakable"]}, "core": {"rules": ["Unbreakable"]}}),
            False,
        ),
        ("only the unit", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Unbreakable"]}}), True),
        ("only the character", make_army({"hero": {"joined_to": "core", "rules": ["Unbreakable"]}, "core": {}}), False),
    ],
)
def test_wf_48(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-48", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "both",
            make_army({"hero": {"joined_to": "core", "rules": ["Unstable"]}, "core": {"rules": ["Unstable"]}}),
            False,
        ),
        ("only the unit", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Unstable"]}}), True),
        ("only the character", make_army({"hero": {"joined_to": "core", "rules": ["Unstable"]}, "core": {}}), False),
    ],
)
def test_wf_49(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-49", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("on foot", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Skirmishers"]}}), False),
        (
            "mounted",
            make_army({"hero": {"joined_to": "core", "mounted": True}, "core": {"rules": ["Skirmishers"]}}),
            True,
        ),
        (
            "a swarm skirmishes",
            make_army({"hero": {"joined_to": "core", "mounted": True}, "core": {"troop_type": "swarm"}}),
            True,
        ),
    ],
)
def test_wf_50(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-50", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("on foot", make_army({"hero": {"joined_to": "core"}, "core": {}}), False),
        ("on a chariot", make_army({"hero": {"joined_to": "core", "troop_type": "chariot"}, "core": {}}), True),
    ],
)
def test_wf_51(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-51", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "both",
            make_army({"hero": {"joined_to": "core", "rules": ["Fast Cavalry"]}, "core": {"rules": ["Fast Cavalry"]}}),
            False,
        ),
        ("only the unit", make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Fast Cavalry"]}}), True),
    ],
)
def test_wf_52(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-52", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "the same army",
            make_army(
                {"hero": {"joined_to": "core"}, "core": {"army": 0}},
                alliance={"level": "desperate", "races": ["empire", "orcs_and_goblins"]},
            ),
            False,
        ),
        (
            "another army",
            make_army(
                {"hero": {"joined_to": "core"}, "core": {"army": 1}},
                alliance={"level": "desperate", "races": ["empire", "orcs_and_goblins"]},
            ),
            True,
        ),
        (
            "a firm alliance",
            make_army(
                {"hero": {"joined_to": "core"}, "core": {"army": 1}},
                alliance={"level": "firm", "races": ["empire", "orcs_and_goblins"]},
            ),
            False,
        ),
    ],
)
def test_wf_54(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-54", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("in the front rank", make_army({"hero": {"joined_to": "core"}, "core": {}}), False),
        ("behind", make_army({"hero": {"joined_to": "core", "front_rank": False}, "core": {}}), True),
    ],
)
def test_wf_61(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-61", army, fires)


@pytest.mark.parametrize(
    ("case", "base_mm", "fires"),
    [
        ("one place", (20, 20), False),
        ("two by two places", (40, 40), False),
        ("beside the front rank", (50, 75), False),
        ("too short for either", (15, 15), True),
    ],
)
def test_wf_53(case: str, base_mm: tuple[int, int], fires: bool) -> None:
    found = list(base_fits("Captain", "Spearmen", base_mm=base_mm, unit_base_mm=(20, 20), ranks=4))
    assert [finding.rule for finding in found] == (["WF-53"] if fires else [])
