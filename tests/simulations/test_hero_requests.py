"""Questions about a stored hero: what he meets becomes a matchup document that the engine answers."""

import json
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import document_of, simulate
from armybuilder.engine.systems.relic.hero import Loadout, Reroll
from armybuilder.engine.systems.relic.matchup import Enemy
from armybuilder.heroes.documents import parse_hero
from armybuilder.simulations import queries, services
from armybuilder.simulations.hero_requests import Rolls, battle_question, skill_test_question
from armybuilder.simulations.models import RunKind, RunState
from armybuilder.simulations.tasks import perform_computation

ONCE = Rolls()


def hero(**members: Any) -> Loadout:
    attributes = {"strength": 4, "willpower": 3, "cunning": 2}
    return parse_hero({"system": "relic", "name": "Mine", "hero": {"attributes": attributes, "life": 4} | members})


def answer(question: dict[str, Any]) -> dict[str, float]:
    metrics: dict[str, float] = document_of(simulate(parse_matchup(question)))["metrics"]
    return metrics


def test_enemies_of_one_attribute_are_one_battle() -> None:
    """Two of 2 each against Strength 4: equal sides, so 3 in 7 (the exact figure of the rules' dice)."""
    ork = Enemy(attribute="strength", value=2, name="Ork")
    question = battle_question(hero(), (ork, ork), ONCE)
    assert (question["kind"], question["name"]) == ("battle", "Mine – Ork, Ork")
    metrics = answer(question)
    assert metrics["p_win"] == pytest.approx(3 / 7)
    assert metrics["p_draw"] == pytest.approx(1 / 7)
    assert metrics["trophy_points"] == pytest.approx(4 * 3 / 7)
    assert metrics["p_vanquished"] == 0


def test_enemies_of_different_attributes_come_one_after_the_other() -> None:
    enemies = (
        Enemy(attribute="strength", value=4),
        Enemy(attribute="willpower", value=3),
        Enemy(attribute="strength", value=0),
    )
    question = battle_question(hero(), enemies, ONCE)
    assert question["kind"] == "battle_sequence"
    assert [[enemy["value"] for enemy in battle["enemies"]] for battle in question["battles"]] == [[4, 0], [3]]
    assert answer(question)["p_all_won"] == pytest.approx((3 / 7) ** 2)


def test_his_cards_help_as_far_as_they_may() -> None:
    sword = {"name": "Sword", "kind": "wargear", "class": "weapon", "battle_bonus": {"color": "grey", "value": 3}}
    armed = hero(assets=[sword, sword | {"name": "Second"}])
    enemy = (Enemy(attribute="strength", value=7),)
    assert answer(battle_question(armed, enemy, ONCE))["p_win"] == pytest.approx(3 / 7)  # one weapon, not two


def test_a_skill_test() -> None:
    """A test the attribute meets fails on a natural 1 only, extra dice included: 4 in 5."""
    question = skill_test_question(hero(), "strength", 4, ONCE)
    assert answer(question)["p_pass"] == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("rolls", "more"),
    [
        (Rolls(modifier=1), True),
        (Rolls(dice=2), True),
        (Rolls(reroll=Reroll(policy="if_not_winning")), True),
        (Rolls(power_numbers=(1,)), False),
    ],
)
def test_the_rolls_count(rolls: Rolls, more: bool) -> None:
    enemy = (Enemy(attribute="strength", value=4),)
    chance = answer(battle_question(hero(), enemy, rolls))["p_win"]
    assert (chance > 3 / 7) is more
    assert chance != pytest.approx(3 / 7)


def test_nobody_to_fight_and_a_dial_that_says_nothing() -> None:
    with pytest.raises(EditRefused) as refused:
        battle_question(hero(), (), ONCE)
    assert refused.value.at == "/enemies"
    bare = hero(attributes={"strength": 4})
    for ask in (
        lambda: battle_question(bare, (Enemy(attribute="cunning", value=1),), ONCE),
        lambda: skill_test_question(bare, "cunning", 5, ONCE),
    ):
        with pytest.raises(EditRefused) as refused:
            ask()
        assert (refused.value.at, "Хитрость" in refused.value.text.ru) == ("/hero/attributes/cunning", True)


@pytest.mark.django_db
def test_the_queue_answers(owner: Any) -> None:
    viewer = Viewer(user=owner)
    question = battle_question(hero(), (Enemy(attribute="strength", value=4, name="Ork"),), ONCE)
    run = services.request_simulation(viewer, question)
    perform_computation(str(run.computation_id))
    done = queries.visible_run(run.pk, viewer)
    assert (done.kind, done.state, done.title) == (RunKind.MATCHUP, RunState.DONE, "Mine – Ork")
    assert queries.result_of(done)["metrics"]["p_win"] == pytest.approx(3 / 7)
    assert json.loads(done.asked)["hero"]["life"] == 4
