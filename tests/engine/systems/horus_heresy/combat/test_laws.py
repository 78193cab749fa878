# ruff: noqa: E501 - a row of a table is a line
"""Laws of combat on random attacks, and dice against the exact answer."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    run,
)
from tests.examples import examples

RULES = st.lists(
    st.sampled_from(["Rending (5+)", "Shred", "Twin-linked", "Murderous Strike (6+)", "Deflagrate", "Poisoned (4+)"]),
    unique=True,
    max_size=2,
)


@st.composite
def attacks(draw: Any) -> dict[str, Any]:
    return {
        "strength": draw(st.integers(2, 9)),
        "skill": draw(st.integers(1, 8)),
        "toughness": draw(st.integers(3, 7)),
        "wounds": draw(st.integers(1, 3)),
        "save": draw(st.integers(2, 6)),
        "ap": draw(st.integers(1, 6)),
        "models": draw(st.integers(1, 6)),
        "rules": draw(RULES),
    }


def shooting(facts: dict[str, Any], **changes: Any) -> Json:
    facts = facts | changes
    weapon = make_weapon(*facts["rules"], S=facts["strength"], AP=facts["ap"], type="Assault 2")
    target = {"T": facts["toughness"], "W": facts["wounds"], "Sv": f"{facts['save']}+"}
    attacker = make_group(facts["models"], profile={"BS": facts["skill"]}, weapons=[weapon])
    return make_duel("shooting", make_side(attacker), make_side(make_group(5, profile=target)))


def losses(document: Json) -> float:
    return run(document).metrics["wounds_lost"]


@settings(max_examples=examples(40), deadline=None)
@given(attacks())
def test_more_strength_never_wounds_less(facts: dict[str, Any]) -> None:
    """But for Shred with a rule that wants high dice: fewer failures are rolled again for a 6."""
    wants_sixes = {"Rending (5+)", "Murderous Strike (6+)"}
    assume("Shred" not in facts["rules"] or wants_sixes.isdisjoint(facts["rules"]))
    assert losses(shooting(facts, strength=facts["strength"] + 1)) >= losses(shooting(facts)) - 1e-12


@settings(max_examples=examples(40), deadline=None)
@given(attacks())
def test_a_better_save_never_loses_more(facts: dict[str, Any]) -> None:
    better = max(2, facts["save"] - 1)
    assert losses(shooting(facts, save=better)) <= losses(shooting(facts)) + 1e-12


@settings(max_examples=examples(40), deadline=None)
@given(attacks())
def test_a_better_shot_never_hits_less(facts: dict[str, Any]) -> None:
    better, plain = run(shooting(facts, skill=facts["skill"] + 1)), run(shooting(facts))
    assert better.metrics["hits"] >= plain.metrics["hits"] - 1e-12


@settings(max_examples=examples(40), deadline=None)
@given(attacks())
def test_more_models_never_slay_less_and_nobody_loses_more_than_he_has(facts: dict[str, Any]) -> None:
    more, plain = run(shooting(facts, models=facts["models"] + 1)), run(shooting(facts))
    assert more.metrics["models_slain"] >= plain.metrics["models_slain"] - 1e-12
    assert plain.metrics["wounds_lost"] <= 5 * facts["wounds"] + 1e-12
    assert plain.metrics["models_slain"] <= 5 + 1e-12
    for shares in plain.distributions.values():
        assert sum(shares.values()) == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(4, 10), st.integers(10, 14), st.integers(1, 4))
def test_thicker_armour_never_loses_more_hull_points(strength: int, armour: int, points: int) -> None:
    def lost(front: int) -> float:
        weapon = make_weapon(S=strength, AP=2, type="Assault 2")
        document = make_duel(
            "shooting", make_side(make_group(3, weapons=[weapon])), make_side(make_tank(front, hp=points))
        )
        return run(document).metrics["hull_points_lost"]

    assert lost(armour + 1) <= lost(armour) + 1e-12


@settings(max_examples=examples(15), deadline=None)
@given(attacks(), st.integers(1, 6))
def test_the_outcomes_of_a_round_are_all_there_are(facts: dict[str, Any], initiative: int) -> None:
    blade = make_blade(AP=facts["ap"])
    attacker = make_group(facts["models"], profile={"I": initiative, "W": facts["wounds"]}, weapons=[blade])
    document = make_duel("combat_round", make_side(attacker, charged=True), make_side(make_group(4, weapons=[blade])))
    found = run(document).metrics
    assert sum(found[f"p_{name}"] for name in ("win", "draw", "lose", "both_destroyed")) == pytest.approx(1.0, abs=1e-9)
    assert found["p_defender_caught"] <= found["p_defender_breaks"] <= found["p_win"] + 1e-12
    assert found["p_attacker_caught"] <= found["p_attacker_breaks"] <= found["p_lose"] + 1e-12


MIXED = make_side(
    make_group(2, profile={"W": 2, "Sv": "2+", "Inv": "5+"}, name="Veteran"),
    make_group(3, rules=["Feel No Pain (5+)"]),
    make_group(1, subtypes=["character"], profile={"W": 3, "Sv": "2+"}),
)
BIKES = make_side(
    make_group(4, weapons=[make_blade("Rending (5+)")], rules=["Hammer of Wrath (1)", "Rampage (D3)"]), charged=True
)
DOCUMENTS: list[tuple[str, Json]] = [
    ("different models", make_duel("shooting", make_side(make_group(8, weapons=[make_weapon("Murderous Strike (5+)", S=6)])), MIXED)),
    ("two weapons", make_duel("shooting", make_side(make_group(5, weapons=[make_weapon("Gets Hot", S=7, AP=2), make_weapon("Blast")])), MIXED, models_covered="D3")),
    ("a squadron", make_duel("shooting", make_side(make_group(6, weapons=[make_weapon("Exoshock (4+)", S=9, AP=2)])), make_side(make_tank(12, hp=2) | {"count": 3}))),
    ("a super-heavy", make_duel("shooting", make_side(make_group(4, weapons=[make_weapon(S=10, AP=1, type="Destroyer 1")])), make_side(make_tank(13, hp=9, subtypes=["super_heavy"])))),
    ("a cargo that bursts", make_duel("shooting", make_side(make_group(4, weapons=[make_weapon(S=8)])), make_side(make_tank(12, hp=4, rules=["Deadly Cargo"])))),
    ("psykers", make_duel("melee", make_side(make_group(3, profile={"Ld": 8, "A": 2}, weapons=[make_blade("Force")]), psychic_check="attempted"), make_side())),
    ("a charge", make_duel("combat_round", BIKES, make_side(make_group(10, weapons=[make_blade()])))),
    ("different fighters", make_duel("combat_round", MIXED | {"charged": True}, make_side(make_group(6, profile={"I": 5}, weapons=[make_blade(AP=3)])))),
    ("a Knight", make_duel("combat_round", make_side({"name": "Knight", "count": 1, "type": "vehicle", "subtypes": ["knight"], "profile": {"WS": 4, "S": 8, "I": 4, "A": 3, "AV": 13, "HP": 6}, "weapons": [make_blade(S=10, AP=2)]}), make_side(make_group(8, weapons=[make_blade(S=8, AP=2)])))),
]  # fmt: skip


@pytest.mark.parametrize(("case", "document"), DOCUMENTS, ids=[case for case, _ in DOCUMENTS])
def test_dice_agree_with_the_exact_answer(case: str, document: Json) -> None:
    exact, rolled = run(document), run(document, method="montecarlo", trials=6000, seed=3)
    assert exact.metrics.keys() == rolled.metrics.keys()
    for name, value in exact.metrics.items():
        error = (rolled.standard_errors or {})[name]
        assert rolled.metrics[name] == pytest.approx(value, abs=5 * error + 6 / 6000), name
