"""RL-01 to RL-29, each on its boundary: the last legal value and the first illegal one."""

from typing import Any

import pytest

from armybuilder.engine.findings import Severity
from tests.engine.systems.relic.builders import findings_of, make_hero, make_starting_hero, wargear

RELIC = {"name": "Shield", "kind": "relic"}


def assert_fires(rule: str, found: tuple[Any, ...], fires: bool, at: str | None = None) -> None:
    assert [finding.rule for finding in found] == ([rule] if fires else [])
    if fires and at is not None:
        assert found[0].at == at


@pytest.mark.parametrize(
    ("case", "strength", "fires"), [("top of the dial", 12, False), ("above the dial", 13, True), ("below it", 0, True)]
)
def test_rl_01(case: str, strength: int, fires: bool) -> None:
    hero = make_hero(attributes={"strength": strength})
    hero["character"]["start"]["strength"] = 0
    assert_fires("RL-01", findings_of(hero), fires, "/hero/attributes/strength")


@pytest.mark.parametrize(("case", "strength", "fires"), [("at the start value", 4, False), ("below it", 3, True)])
def test_rl_02(case: str, strength: int, fires: bool) -> None:
    assert_fires("RL-02", findings_of(make_hero(attributes={"strength": strength})), fires, "/hero/attributes/strength")


@pytest.mark.parametrize(
    ("case", "life", "fires"),
    [("one left", 1, False), ("vanquished", 0, True), ("top", 12, False), ("above", 13, True)],
)
def test_rl_03(case: str, life: int, fires: bool) -> None:
    assert_fires("RL-03", findings_of(make_hero(life=life)), fires, "/hero/life")


@pytest.mark.parametrize(
    ("case", "level", "fires"), [("highest", 12, False), ("too high", 13, True), ("negative", -1, True)]
)
def test_rl_04(case: str, level: int, fires: bool) -> None:
    assert_fires("RL-04", findings_of(make_hero(level=level)), fires, "/hero/level")


@pytest.mark.parametrize(
    ("case", "level", "cards", "fires"),
    [
        ("full hand", 4, 2, False),
        ("one too many", 4, 3, True),
        ("next band", 5, 3, False),
        ("over the next band", 5, 4, True),
    ],
)
def test_rl_05(case: str, level: int, cards: int, fires: bool) -> None:
    found = findings_of(make_hero(level=level, power_cards=[{"number": 1}] * cards))
    assert_fires("RL-05", found, fires, "/hero/power_cards")


@pytest.mark.parametrize(("case", "assets", "fires"), [("at the limit", 2, False), ("one over", 3, True)])
def test_rl_06(case: str, assets: int, fires: bool) -> None:
    found = findings_of(make_hero(assets=[wargear(str(n)) for n in range(assets - 1)] + [RELIC]))
    assert_fires("RL-06", found, fires, "/hero/assets")


@pytest.mark.parametrize(
    ("case", "changes"),
    [("within a turn", {"checkpoint": "mid_turn"}), ("Experience skipped", {"experience_skipped": True})],
)
def test_card_limits_only_warn_outside_the_experience_phase(case: str, changes: dict[str, Any]) -> None:
    found = findings_of(make_hero(power_cards=[{"number": 1}] * 3, assets=[RELIC] * 3, **changes))
    assert [(finding.rule, finding.severity) for finding in found] == [
        ("RL-05", Severity.WARNING),
        ("RL-06", Severity.WARNING),
    ]


@pytest.mark.parametrize(("case", "influence", "fires"), [("none", 0, False), ("negative", -1, True)])
def test_rl_07(case: str, influence: int, fires: bool) -> None:
    assert_fires("RL-07", findings_of(make_hero(influence=influence)), fires, "/hero/influence")


@pytest.mark.parametrize(("case", "active", "fires"), [("one", 1, False), ("two", 2, True)])
def test_rl_08(case: str, active: int, fires: bool) -> None:
    assert_fires("RL-08", findings_of(make_hero(missions={"active": active})), fires, "/hero/missions/active")


@pytest.mark.parametrize(
    ("case", "changes", "fires"),
    [
        ("one active", {"missions": {"active": 1}}, False),
        ("none active", {"missions": {"active": 0}}, True),
        ("none active in mid turn", {"missions": {"active": 0}, "checkpoint": "mid_turn"}, False),
        ("Experience skipped", {"missions": {"active": 0}, "experience_skipped": True}, False),
        ("not stated", {"missions": None}, False),
    ],
)
def test_rl_09(case: str, changes: dict[str, Any], fires: bool) -> None:
    assert_fires("RL-09", findings_of(make_hero(**changes)), fires, "/hero/missions/active")


@pytest.mark.parametrize(
    ("case", "cards", "threshold", "fires"),
    [("five", 5, 6, False), ("six", 6, 6, True), ("higher threshold", 6, 7, False), ("lower threshold", 5, 5, True)],
)
def test_rl_10(case: str, cards: int, threshold: int, fires: bool) -> None:
    found = findings_of(make_hero(corruption=[{"activation": 1}] * cards, corruption_threshold=threshold))
    assert_fires("RL-10", found, fires, "/hero/corruption")


@pytest.mark.parametrize(
    ("case", "card", "changes", "fires"),
    [
        ("second card, number 2, face up", {"activation": 2, "face": "up"}, {}, False),
        ("second card, number 2, face down", {"activation": 2, "face": "down"}, {}, True),
        ("second card, number 3, face up", {"activation": 3, "face": "up"}, {}, True),
        ("turned by an effect", {"activation": 3, "face": "up", "flipped_by_effect": True}, {}, False),
        ("cards were discarded", {"activation": 3, "face": "up"}, {"corruption_discarded": True}, False),
    ],
)
def test_rl_11(case: str, card: dict[str, Any], changes: dict[str, Any], fires: bool) -> None:
    found = findings_of(make_hero(corruption=[{"activation": 2, "face": "down"}, card], **changes))
    assert_fires("RL-11", found, fires, "/hero/corruption/1/face")


@pytest.mark.parametrize(
    ("case", "completed", "phase", "fires"),
    [("three", 3, "experience", False), ("two", 2, "experience", True), ("wrong phase", 3, "engagement", True)],
)
def test_rl_12(case: str, completed: int, phase: str, fires: bool) -> None:
    hero = make_hero(missions={"active": 1, "completed": completed})
    found = findings_of(hero, {"action": "trade_missions_for_relic", "phase": phase})
    assert_fires("RL-12", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "changes", "at", "fires"),
    [
        ("by the book", {}, "", False),
        ("level 1", {"level": 1}, "/hero/level", True),
        ("a Strength point too many", {"attributes": {"strength": 5}}, "/hero/attributes/strength", True),
        ("Life below the card", {"life": 4}, "/hero/life", True),
        ("four Influence", {"influence": 4}, "/hero/influence", True),
        ("a card short", {"power_cards": [{"number": 1}]}, "/hero/power_cards", True),
        ("no mission", {"missions": {"active": 0}}, "/hero/missions/active", True),
        ("a completed mission", {"missions": {"active": 1, "completed": 1}}, "/hero/missions/completed", True),
        ("an asset", {"assets": [RELIC]}, "/hero/assets", True),
        ("a trophy", {"trophies": [{"points": 1}]}, "/hero/trophies", True),
        ("a Corruption card", {"corruption": [{"activation": 1}]}, "/hero/corruption", True),
    ],
)
def test_rl_13(case: str, changes: dict[str, Any], at: str, fires: bool) -> None:
    assert_fires("RL-13", findings_of(make_starting_hero(**changes)), fires, at)


@pytest.mark.parametrize(
    ("case", "assets", "space", "fires"),
    [
        ("with a relic through the gate", [RELIC], "Guardian of the Rift", False),
        ("without a relic", [], "Guardian of the Rift", True),
        ("from elsewhere", [RELIC], "Space Hulk", True),
    ],
)
def test_rl_14(case: str, assets: list[Any], space: str, fires: bool) -> None:
    found = findings_of(make_hero(assets=assets), {"action": "enter_inner_tier", "from_space": space})
    assert_fires("RL-14", found, fires, "/actions/0")


@pytest.mark.parametrize(("case", "assets", "fires"), [("with a relic", [RELIC], False), ("without", [], True)])
def test_rl_14_is_a_warning_on_a_saved_hero(case: str, assets: list[Any], fires: bool) -> None:
    found = findings_of(make_hero(assets=assets, tier="inner"))
    assert_fires("RL-14", found, fires, "/hero/tier")
    assert all(finding.severity is Severity.WARNING for finding in found)


@pytest.mark.parametrize(
    ("case", "second", "fires"),
    [
        ("weapon and armour", wargear("Plate", "armour"), False),
        ("two weapons", wargear("Sword", "weapon"), True),
        ("a relic is no wargear", {"name": "Blade", "kind": "relic", "class": "weapon"}, False),
    ],
)
def test_rl_15(case: str, second: dict[str, Any], fires: bool) -> None:
    hero = make_hero(assets=[wargear("Axe", "weapon"), second], battle_kit=["Axe", second["name"]])
    assert_fires("RL-15", findings_of(hero), fires, "/hero/battle_kit")


@pytest.mark.parametrize(
    ("case", "asset_class", "fires"),
    [("equipment", "equipment", False), ("weapon", "weapon", True), ("armour", "armour", True)],
)
def test_rl_16(case: str, asset_class: str, fires: bool) -> None:
    hero = make_hero(assets=[wargear("Thing", asset_class)], skill_kit=["Thing"])
    assert_fires("RL-16", findings_of(hero), fires, "/hero/skill_kit/0")


@pytest.mark.parametrize(
    ("case", "charges", "fires"), [("one left", 1, False), ("none left", 0, True), ("more than printed", 9, False)]
)
def test_rl_17(case: str, charges: int, fires: bool) -> None:
    hero = make_hero(assets=[wargear(charge_value=3, charges=charges)])
    assert_fires("RL-17", findings_of(hero), fires, "/hero/assets/0/charges")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("just enough", {"cost": 2, "space": "Battlefleet Antias"}, False),
        ("one short", {"cost": 3, "space": "Battlefleet Antias"}, True),
        ("wrong space", {"cost": 2, "space": "Space Hulk"}, True),
        ("gained by an effect", {"cost": 3, "space": "Space Hulk", "free_gain": True}, False),
    ],
)
def test_rl_18(case: str, action: dict[str, Any], fires: bool) -> None:
    assert_fires("RL-18", findings_of(make_hero(), {"action": "buy_wargear"} | action), fires, "/actions/0")


@pytest.mark.parametrize(("case", "points", "fires"), [("five points", 5, False), ("six points", 6, True)])
def test_rl_19(case: str, points: int, fires: bool) -> None:
    assert_fires("RL-19", findings_of(make_hero(trophies=[{"points": points}])), fires, "/hero/trophies")


@pytest.mark.parametrize(
    ("case", "source", "fires"), [("enemy", "threat", False), ("scenario sheet", "scenario", True)]
)
def test_rl_20(case: str, source: str, fires: bool) -> None:
    assert_fires("RL-20", findings_of(make_hero(trophies=[{"points": 4, "source": source}])), fires, "/hero/trophies/0")


@pytest.mark.parametrize(("case", "number", "fires"), [("six", 6, False), ("seven", 7, True), ("zero", 0, True)])
def test_rl_21(case: str, number: int, fires: bool) -> None:
    assert_fires("RL-21", findings_of(make_hero(power_cards=[{"number": number}])), fires, "/hero/power_cards/0/number")


@pytest.mark.parametrize(
    ("case", "member", "color", "fires"),
    [
        ("grey battle bonus", "battle_bonus", "grey", False),
        ("grey skill bonus", "skill_bonus", "grey", True),
        ("green battle bonus", "battle_bonus", "green", True),
    ],
)
def test_rl_22(case: str, member: str, color: str, fires: bool) -> None:
    hero = make_hero(assets=[wargear(**{member: {"color": color, "value": 1}})])
    assert_fires("RL-22", findings_of(hero), fires, f"/hero/assets/0/{member}/color")


@pytest.mark.parametrize(("case", "spent", "fires"), [("first charge", 0, False), ("second charge", 1, True)])
def test_rl_23(case: str, spent: int, fires: bool) -> None:
    action = {"action": "spend_charge", "card": "Axe", "spent_this_turn": spent}
    assert_fires("RL-23", findings_of(make_hero(), action), fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("the number", {"use": ["number"]}, False),
        ("number and effect", {"use": ["number", "effect"]}, True),
        ("two numbers for one roll", {"use": ["number"], "numbers_for_one_roll": 2}, True),
    ],
)
def test_rl_24(case: str, action: dict[str, Any], fires: bool) -> None:
    assert_fires("RL-24", findings_of(make_hero(), {"action": "use_power_card"} | action), fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("with the ability", {"ability": True}, False),
        ("without it", {"ability": False}, True),
        ("forbidden", {"ability": True, "cannot_evade": True}, True),
    ],
)
def test_rl_25(case: str, action: dict[str, Any], fires: bool) -> None:
    assert_fires("RL-25", findings_of(make_hero(), {"action": "evade"} | action), fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "players", "fires"), [("two", 2, False), ("alone", 1, True), ("four", 4, False), ("five", 5, True)]
)
def test_rl_26(case: str, players: int, fires: bool) -> None:
    assert_fires("RL-26", findings_of(make_hero(), players=players), fires, "/players")


@pytest.mark.parametrize(
    ("case", "character", "fires"), [("a new one", "Zealot", False), ("the corrupted one", "Captain", True)]
)
def test_rl_27(case: str, character: str, fires: bool) -> None:
    hero = make_hero(corrupted_characters=["Captain"])
    found = findings_of(hero, {"action": "choose_character", "character": character})
    assert_fires("RL-27", found, fires, "/actions/0")


@pytest.mark.parametrize(
    ("case", "action", "fires"),
    [
        ("in Experience", {"phase": "experience"}, False),
        ("in Movement", {"phase": "movement"}, True),
        ("demanded by an effect", {"phase": "movement", "required_by_effect": True}, False),
    ],
)
def test_rl_28(case: str, action: dict[str, Any], fires: bool) -> None:
    assert_fires("RL-28", findings_of(make_hero(), {"action": "discard_asset"} | action), fires, "/actions/0")


@pytest.mark.parametrize(("case", "tier", "fires"), [("outer tier", "outer", False), ("Inner tier", "inner", True)])
def test_rl_29(case: str, tier: str, fires: bool) -> None:
    found = findings_of(make_hero(tier=tier, assets=[RELIC]), {"action": "use_movement_effect"})
    assert_fires("RL-29", found, fires, "/actions/0")
