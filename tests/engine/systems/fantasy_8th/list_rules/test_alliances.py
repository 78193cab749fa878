"""Allied armies: WF-63 to WF-67."""

from typing import Any

import pytest

from tests.engine.systems.fantasy_8th.builders import assert_fires, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one camp, firm", make_army(alliance={"level": "firm", "races": ["empire", "dwarfs"]}), False),
        ("neutral, dubious", make_army(alliance={"level": "dubious", "races": ["empire", "tomb_kings"]}), False),
        ("neutral, firm", make_army(alliance={"level": "firm", "races": ["empire", "tomb_kings"]}), True),
        ("both camps, desperate", make_army(alliance={"level": "desperate", "races": ["empire", "beastmen"]}), False),
        ("both camps, dubious", make_army(alliance={"level": "dubious", "races": ["empire", "beastmen"]}), True),
    ],
)
def test_wf_63(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-63", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("reliable", make_army(alliance={"level": "firm", "races": ["empire", "dwarfs"]}), False),
        ("Skaven", make_army(alliance={"level": "firm", "races": ["skaven", "beastmen"]}), True),
    ],
)
def test_wf_64(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-64", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("camps known", make_army(alliance={"level": "dubious", "races": ["empire", "tomb_kings"]}), False),
        ("only neutral", make_army(alliance={"level": "firm", "races": ["ogre_kingdoms", "tomb_kings"]}), True),
        ("no camp", make_army(alliance={"level": "firm", "races": ["empire", "chaos_dwarfs"]}), True),
    ],
)
def test_wf_65(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-65", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "three armies of 2,000",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 2000],
                    "supreme_commander": "lord",
                }
            ),
            False,
        ),
        (
            "one below",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 1999],
                    "supreme_commander": "lord",
                }
            ),
            True,
        ),
        (
            "no character",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 2000],
                    "supreme_commander": "core",
                }
            ),
            True,
        ),
        (
            "two armies",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs"],
                    "army_points": [2000, 2000],
                    "supreme_commander": "lord",
                }
            ),
            True,
        ),
    ],
)
def test_wf_66(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-66", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "named",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 2000],
                    "supreme_commander": "lord",
                }
            ),
            False,
        ),
        (
            "nobody named",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 2000],
                }
            ),
            True,
        ),
        (
            "too small",
            make_army(
                alliance={
                    "level": "firm",
                    "races": ["empire", "dwarfs", "bretonnia"],
                    "army_points": [2000, 2000, 1999],
                }
            ),
            False,
        ),
    ],
)
def test_wf_67(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-67", army, fires)
