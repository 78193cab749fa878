"""Every card, dial and reading that the figures of Relic know changes a figure, and every other card is reported."""

# ruff: noqa: E501 - a row of a table is a line
from typing import Any

import pytest

from armybuilder.engine.simulate import Result
from armybuilder.engine.systems.relic.card_set import read_card_set
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, Hero
from armybuilder.engine.systems.relic.matchup import Battle, Enemy, Options, Override
from armybuilder.heroes.documents import plain
from tests.conftest import ROOT
from tests.engine.systems.relic.builders import wargear
from tests.engine.systems.relic.combat.test_simulations import ORK, run

CARDS = read_card_set((ROOT / "fixtures" / "relic" / "cards.toml").read_bytes())
GRUNT = ORK | {"value": 4}
AXE = wargear("Axe", "weapon", battle_bonus={"color": "red", "value": 2})
SWORD = wargear("Sword", "weapon", battle_bonus={"color": "red", "value": 1})
KIT = wargear("Kit", skill_bonus={"color": "red", "value": 2})
HAND = [{"number": 2}, {"number": 3}]

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *(("battle", {"enemies": [{"attribute": attribute, "value": 5}]}) for attribute in ATTRIBUTES),
    *(("skill_test", {"attribute": attribute, "target": 9}) for attribute in ATTRIBUTES),
]


def said(result: Result) -> str:
    """All names that an answer reports as no part of its figures."""
    return " ".join((*result.not_simulated, *(text.en for text in result.assumptions)))


@pytest.mark.parametrize("card", CARDS.assets, ids=lambda card: card.name)
def test_an_asset_counts_or_is_reported(card: Any) -> None:
    asset = plain(card.as_asset())
    counted = 0
    for kind, members in QUESTIONS:
        bare, armed = run(kind, {}, **members), run(kind, {"assets": [asset]}, **members)
        changes = armed.metrics != bare.metrics
        assert changes == (card.name in armed.modelled)
        assert changes != (card.name in said(armed)), (kind, members)
        counted += changes
    assert counted, "a sample card that never counts"


@pytest.mark.parametrize(
    ("case", "assets", "text"),
    [
        ("a card whose text no document holds", [wargear("Banner")], "Banner"),
        ("a second weapon", [AXE, SWORD], "Another weapon or armour is worth more: Sword."),
        ("an empty card", [AXE | {"name": "Flare", "charge_value": 1, "charges": 0}], "No charges are left: Flare."),
        ("a bonus in tests", [KIT], "No bonus in this battle: Kit."),
    ],
)
def test_an_asset_that_does_not_count_is_reported(case: str, assets: list[dict[str, Any]], text: str) -> None:
    assert text in said(run("battle", {"assets": assets}, enemies=[GRUNT]))


def test_what_is_printed_on_other_cards_is_reported() -> None:
    hero = {
        "character": {"name": "Captain"},
        "power_cards": HAND,
        "corruption": [{"activation": 1, "face": "up"}],
    }
    expected = ("special abilities", "effects of Power cards", "effects of Corruption cards")
    assert run("battle", hero, enemies=[GRUNT]).not_simulated == expected
    assert run("skill_test", hero, attribute="strength", target=9).not_simulated == expected
    assert run("battle", {}, enemies=[GRUNT]).not_simulated == ()


TEST: dict[str, Any] = {"attribute": "strength", "target": 9}
FIGHT: dict[str, Any] = {"enemies": [GRUNT]}
COUNTING: dict[str, Any] = {"enemies": [GRUNT | {"modifier_per_power_card_in_hand": 1}]}
START = {"start": {"strength": 2, "life": 4}}

OF_THE_HERO: list[tuple[str, str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    # member, kind, the question, the hero without, the hero with
    ("attributes", "battle", FIGHT, {}, {"attributes": {"strength": 5}}), ("attributes", "skill_test", TEST, {}, {"attributes": {"strength": 5}}),
    ("life", "battle", FIGHT, {"life": 2}, {"life": 1}), ("life", "battle_sequence", {"battles": [FIGHT, FIGHT]}, {"life": 2}, {"life": 1}),
    ("assets", "battle", FIGHT, {}, {"assets": [AXE]}), ("assets", "skill_test", TEST, {}, {"assets": [KIT]}),
    ("dice", "battle", FIGHT, {}, {"dice": 2}), ("dice", "skill_test", TEST, {}, {"dice": 2}), ("dice", "movement_roll", {}, {}, {"dice": 2}),
    ("roll_modifier", "battle", FIGHT, {}, {"roll_modifier": 1}), ("roll_modifier", "skill_test", TEST, {}, {"roll_modifier": 1}),
    ("reroll", "battle", FIGHT, {}, {"reroll": {"policy": "if_not_winning"}}), ("reroll", "skill_test", TEST, {}, {"reroll": {"policy": "if_failing"}}),
    ("reroll", "battle", FIGHT, {}, {"reroll": {"policy": "face_at_most", "face_at_most": 2}}),
    ("power_cards", "battle", COUNTING, {}, {"power_cards": HAND}), ("power_cards_in_hand", "battle", COUNTING, {"power_cards": HAND}, {"power_cards_in_hand": 1}),
    ("power_numbers", "battle", FIGHT, {}, {"power_numbers": [5]}), ("power_numbers", "battle", FIGHT, {"power_numbers": [6]}, {"power_numbers": [6, 2]}),
    ("power_numbers", "skill_test", TEST, {}, {"power_numbers": [5]}), ("power_numbers", "movement_roll", {}, {}, {"power_numbers": [5]}),
    ("tier", "movement_roll", {}, {}, {"tier": "inner"}), ("level", "spend_trophies", {}, {}, {"level": 3}),
    ("trophies", "spend_trophies", {}, {}, {"trophies": [{"points": 7}]}), ("missions", "spend_trophies", {}, {}, {"missions": {"completed": 2}}),
    ("corruption", "draw_corruption", {"draw": [{"activation": 2}]}, {}, {"corruption": [{"activation": 1}]}),
    ("corruption_threshold", "draw_corruption", {"draw": [{"activation": 2}]}, {}, {"corruption_threshold": 1}),
    ("character", "vanquished", {}, {}, {"character": START}),
]  # fmt: skip

STATE_ALONE = {"name", "checkpoint", "experience_skipped", "influence", "corruption_discarded", "battle_kit", "skill_kit", "corrupted_characters"}  # fmt: skip
"""What is checked, or lost in any case, and is in no figure: of the kits the best legal choice counts."""


@pytest.mark.parametrize(("member", "kind", "question", "without", "with_it"), OF_THE_HERO)
def test_a_member_of_the_hero(
    member: str, kind: str, question: dict[str, Any], without: dict[str, Any], with_it: dict[str, Any]
) -> None:
    assert run(kind, {**without, **with_it}, **question).metrics != run(kind, without, **question).metrics, member


def test_the_tables_hold_every_member() -> None:
    assert {row[0] for row in OF_THE_HERO} | STATE_ALONE == set(Hero.__struct_fields__)
    assert {row[0] for row in OF_AN_ENEMY} | {"name"} == set(Enemy.__struct_fields__)
    assert {row[0] for row in READINGS} == {*Options.__struct_fields__, *Override.__struct_fields__}
    assert set(Battle.__struct_fields__) == {"enemies", "assets_used"}


OF_AN_ENEMY: list[tuple[str, dict[str, Any]]] = [
    ("attribute", {"attribute": "cunning"}), ("value", {"value": 5}), ("modifier", {"modifier": 1}),
    ("modifier_per_power_card_in_hand", {"modifier_per_power_card_in_hand": 1}), ("evaded", {"evaded": True}), ("scenario_sheet", {"scenario_sheet": True}),
]  # fmt: skip


@pytest.mark.parametrize(("member", "changed"), OF_AN_ENEMY)
def test_a_member_of_an_enemy(member: str, changed: dict[str, Any]) -> None:
    usual, other = (run("battle", {"power_cards": HAND}, enemies=[GRUNT | extra]) for extra in ({}, changed))
    assert usual.metrics != other.metrics


READINGS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("explosion_one_fails", "skill_test", TEST | {"target": 11}, {"options": {"explosion_one_fails": False}}),
    ("hero_roll", "battle", FIGHT, {"override": {"hero_roll": 4}}), ("enemy_roll", "battle", FIGHT, {"override": {"enemy_roll": 4}}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "question", "added"), READINGS)
def test_a_reading(name: str, kind: str, question: dict[str, Any], added: dict[str, Any]) -> None:
    assert run(kind, {}, **question).metrics != run(kind, {}, **question, **added).metrics


def test_the_cards_named_for_a_battle_are_the_ones_used() -> None:
    battles = [{"enemies": [GRUNT], "assets_used": names} for names in (["Axe"], ["Sword"])]
    first, second = (run("battle_sequence", {"assets": [AXE, SWORD]}, battles=[battle]) for battle in battles)
    assert first.metrics["p_all_won"] > second.metrics["p_all_won"]
    assert (first.modelled, second.modelled) == (("Axe",), ("Sword",))


def test_a_sequence_in_which_the_hero_may_be_vanquished() -> None:
    metrics = run("battle_sequence", {"life": 1}, battles=[FIGHT, FIGHT]).metrics
    assert metrics["p_vanquished"] == metrics["life_lost"] == pytest.approx(metrics["p_lose:1"] + metrics["p_lose:2"])
    sampled = run("battle_sequence", {"life": 1}, battles=[FIGHT, FIGHT], method="montecarlo", trials=20_000, seed=2)
    assert sampled.metrics["p_vanquished"] == pytest.approx(metrics["p_vanquished"], abs=0.02)
    assert run("battle_sequence", {"life": 2}, battles=[FIGHT]).metrics["p_vanquished"] == 0
