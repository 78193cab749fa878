"""W6-01 to W6-17 on their boundaries: values outside the tables, and battle actions."""

from typing import Any

import pytest

from tests.engine.systems.wh40k_6th.builders import FRAG, findings_on, make_group, make_unit, report_on

PROFILE = "/units/0/models/0/profile"
WEAPON = "/units/0/models/0/weapons/0"


def assert_fires(rule: str, found: list[Any], fires: bool, at: str) -> None:
    assert [(finding.rule, finding.at) for finding in found] == ([(rule, at)] if fires else [])


def with_profile(**profile: Any) -> dict[str, Any]:
    return make_unit(models=[make_group(profile=profile)])


def with_weapon(**weapon: Any) -> dict[str, Any]:
    return make_unit(models=[make_group(weapons=[{"name": "gun", "range": 12, "S": 4, "AP": 5} | weapon])])


@pytest.mark.parametrize(
    ("case", "bs", "fires"), [("lowest", 1, False), ("zero", 0, True), ("highest", 10, False), ("eleven", 11, True)]
)
def test_w6_01(case: str, bs: int, fires: bool) -> None:
    assert_fires("W6-01", findings_on(with_profile(BS=bs)), fires, f"{PROFILE}/BS")


@pytest.mark.parametrize(
    ("case", "unit", "at", "fires"),
    [
        ("Strength 10", with_profile(S=10), "", False),
        ("Strength 11", with_profile(S=11), f"{PROFILE}/S", True),
        ("Toughness 1", with_profile(T=1), "", False),
        ("Toughness 0", with_profile(T=0), f"{PROFILE}/T", True),
        ("weapon of Strength 10", with_weapon(S=10), "", False),
        ("weapon of Strength 11", with_weapon(S=11), f"{WEAPON}/S", True),
        ("the user's Strength", with_weapon(S="User"), "", False),
    ],
)
def test_w6_02(case: str, unit: dict[str, Any], at: str, fires: bool) -> None:
    assert_fires("W6-02", findings_on(unit), fires, at)


@pytest.mark.parametrize(
    ("case", "save", "fires"),
    [("best", "2+", False), ("too good", "1+", True), ("worst", 6, False), ("too bad", 7, True), ("none", "-", False)],
)
def test_w6_03(case: str, save: Any, fires: bool) -> None:
    assert_fires("W6-03", findings_on(with_profile(Sv=save)), fires, f"{PROFILE}/Sv")


@pytest.mark.parametrize(
    ("case", "ap", "fires"),
    [("six", 6, False), ("seven", 7, True), ("one", 1, False), ("zero", 0, True), ("none", "-", False)],
)
def test_w6_04(case: str, ap: Any, fires: bool) -> None:
    assert_fires("W6-04", findings_on(with_weapon(AP=ap)), fires, f"{WEAPON}/AP")


@pytest.mark.parametrize(
    ("case", "weapon", "at", "fires"),
    [
        ("short range", {"range": 1}, "", False),
        ("no range", {"range": 0}, "/range", True),
        ("no strength", {"S": "-"}, "/S", True),
        ("template", {"range": "Template"}, "", False),
        ("close combat weapon", {"range": None, "S": "User", "type": "Melee"}, "", False),
        ("overridden attack", {"range": None, "S": None, "override": {"hits": 3}}, "", False),
    ],
)
def test_w6_05(case: str, weapon: dict[str, Any], at: str, fires: bool) -> None:
    assert_fires("W6-05", findings_on(with_weapon(**weapon)), fires, f"{WEAPON}{at}")


@pytest.mark.parametrize(
    ("case", "state", "action", "fires"),
    [
        ("free unit shoots", [], "shoot", False),
        ("locked unit shoots", ["locked_in_combat"], "shoot", True),
        ("locked unit moves", ["locked_in_combat"], "move", True),
        ("locked unit charges", ["locked_in_combat"], "charge", False),
    ],
)
def test_w6_06(case: str, state: list[str], action: str, fires: bool) -> None:
    found = findings_on(make_unit(state=state), actions=({"action": action, "unit": "u1"},))
    assert_fires("W6-06", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "state", "action", "fires"),
    [
        ("moved and shoots", ["moved"], "shoot", False),
        ("ran and shoots", ["ran"], "shoot", True),
        ("ran and charges", ["ran"], "charge", True),
        ("ran and overwatches", ["ran"], "overwatch", False),
    ],
)
def test_w6_07(case: str, state: list[str], action: str, fires: bool) -> None:
    found = findings_on(make_unit(state=state), actions=({"action": action, "unit": "u1"},))
    assert_fires("W6-07", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "targets", "fires"), [("one target", ["e1", "e1"], False), ("two", ["e1", "e2"], True)]
)
def test_w6_08(case: str, targets: list[str], fires: bool) -> None:
    found = findings_on(make_unit(), actions=({"action": "shoot", "unit": "u1", "targets": targets},))
    assert_fires("W6-08", found, fires, "/actions/0/targets")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("at maximum range", {"distance": 24}, False),
        ("just out of range", {"distance": 24.5}, True),
        ("unseen", {"distance": 6, "line_of_sight": False}, True),
        ("distance not stated", {}, False),
    ],
)
def test_w6_09(case: str, action: dict[str, Any], fires: bool) -> None:
    found = findings_on(make_unit(), actions=({"action": "shoot", "unit": "u1"} | action,))
    assert_fires("W6-09", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "weapon", "state", "snap", "fires"),
    [
        ("boltgun", "boltgun", [], True, False),
        ("blast", "frag missile", [], True, True),
        ("blast, standing", "frag missile", [], False, False),
        ("heavy blast after moving", "frag missile", ["moved"], False, True),
    ],
)
def test_w6_10(case: str, weapon: str, state: list[str], snap: bool, fires: bool) -> None:
    unit = make_unit(models=[make_group(), make_group("gunner", 1, weapons=[FRAG])], state=state)
    found = findings_on(unit, actions=({"action": "shoot", "unit": "u1", "weapon": weapon, "snap_shots": snap},))
    assert_fires("W6-10", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("snap shots", {"action": "shoot", "snap_shots": True}, False),
        ("aimed shots", {"action": "shoot"}, True),
        ("Overwatch", {"action": "overwatch"}, False),
        ("move", {"action": "move"}, True),
        ("run", {"action": "run"}, True),
        ("charge", {"action": "charge"}, True),
    ],
)
def test_w6_11(case: str, action: dict[str, Any], fires: bool) -> None:
    found = findings_on(make_unit(state=["gone_to_ground"]), actions=({"unit": "u1"} | action,))
    assert_fires("W6-11", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "covers", "action", "fires"),
    [
        ("partly in cover", [4, None], {"focus_fire": "4+"}, False),
        ("wholly in cover", [4, 5], {"focus_fire": "4+"}, True),
        ("no cover at all", [None, "-"], {"focus_fire": "4+"}, True),
        ("best value", [4, None], {"focus_fire": "2+"}, False),
        ("value too good", [4, None], {"focus_fire": "1+"}, True),
        ("value too bad", [4, None], {"focus_fire": 7}, True),
        ("declared late", [4, None], {"focus_fire": "4+", "focus_fire_declared": "after_to_hit"}, True),
    ],
)
def test_w6_12(case: str, covers: list[Any], action: dict[str, Any], fires: bool) -> None:
    enemy = make_unit("e1", models=[make_group(str(index), cover=cover) for index, cover in enumerate(covers)])
    found = findings_on(
        make_unit(), enemies=[enemy], actions=({"action": "shoot", "unit": "u1", "target": "e1"} | action,)
    )
    assert_fires("W6-12", found, fires, "/actions/0/focus_fire")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("first attempt", {"model": "Captain", "comrades_within_6in": 1}, False),
        ("second attempt", {"model": "Captain", "comrades_within_6in": 1, "attempts_for_this_wound": 1}, True),
        ("nobody near", {"model": "Captain", "comrades_within_6in": 0}, True),
        ("no character", {"model": "Marine", "comrades_within_6in": 1}, True),
    ],
)
def test_w6_13(case: str, action: dict[str, Any], fires: bool) -> None:
    unit = make_unit(models=[make_group(), make_group("Captain", 1, subtypes=["character"])])
    found = findings_on(unit, actions=({"action": "look_out_sir", "unit": "u1"} | action,))
    assert_fires("W6-13", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "cover", "fires"),
    [("best", "2+", False), ("too good", "1+", True), ("worst", "6+", False), ("too bad", "7+", True)],
)
def test_w6_14(case: str, cover: str, fires: bool) -> None:
    found = findings_on(make_unit(models=[make_group(cover=cover)]))
    assert_fires("W6-14", found, fires, "/units/0/models/0/cover")


@pytest.mark.parametrize(
    ("case", "profile", "action", "fires"),
    [
        ("full move", {}, {"action": "move", "distance": 6}, False),
        ("too far", {}, {"action": "move", "distance": 6.5}, True),
        ("own maximum", {"M": 12}, {"action": "move", "distance": 12}, False),
        ("over the own maximum", {"M": 12}, {"action": "move", "distance": 13}, True),
        ("coherent", {}, {"action": "move", "gap": 2}, False),
        ("scattered", {}, {"action": "move", "gap": 2.5}, True),
        ("an inch away", {}, {"action": "move", "nearest_enemy": 1}, False),
        ("too near", {}, {"action": "move", "nearest_enemy": 0.5}, True),
        ("charging", {}, {"action": "charge", "nearest_enemy": 0}, False),
    ],
)
def test_w6_15(case: str, profile: dict[str, int], action: dict[str, Any], fires: bool) -> None:
    found = findings_on(with_profile(**profile), actions=({"unit": "u1"} | action,))
    assert_fires("W6-15", found, fires, "/actions/0")


@pytest.mark.parametrize(("case", "distance", "fires"), [("as rolled", 4, False), ("further", 5, True)])
def test_w6_16(case: str, distance: int, fires: bool) -> None:
    found = findings_on(make_unit(), actions=({"action": "run", "unit": "u1", "distance": distance, "roll": 4},))
    assert_fires("W6-16", found, fires, "/actions/0/distance")


@pytest.mark.parametrize(
    ("case", "construction", "legal", "fires"),
    [("not checked", "not_checked", None, True), ("published", "published", False, False)],
)
def test_w6_17(case: str, construction: str, legal: bool | None, fires: bool) -> None:
    report = report_on(make_unit(), options={"army_construction": construction})
    assert ("W6-17" in [finding.rule for finding in report.findings]) is fires
    assert report.legal is legal


def test_an_error_makes_an_unchecked_list_illegal() -> None:
    assert report_on(with_profile(BS=0)).legal is False
