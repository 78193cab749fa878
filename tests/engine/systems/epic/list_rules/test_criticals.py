"""Critical effects: what descriptions say of the engine's own damage, and what rules in brackets mean."""

# ruff: noqa: E501 - a row of a table is a line
import pytest

from armybuilder.engine.systems.epic import criticals
from armybuilder.engine.systems.epic.criticals import ALL


@pytest.mark.parametrize(("text", "said"), [
    ("The unit is destroyed.", "destroyed"),
    ("Destroyed, units nearby are hit.", "destroyed"),
    ("Takes 1 additional point of damage.", "+1 damage"),
    ("The unit takes a point of damage and some of its passengers are destroyed.", "+1 damage"),
    ("The creature loses an additional D3+1DC.", "+D3+1 damage"),
    ("Roll a D6:\n1-3: The unit is destroyed.\n4-6: the unit loses another 1DC.", "1-3: destroyed; 4-6: +1 damage"),
    ("Roll a D6 in the end phase of each turn: \n1: the unit is destroyed \n2-3: the unit suffers one more point of damage \n4–6: it has been repaired",
     "end phases: 1: destroyed; 2-3: +1 damage; 4-6: repaired"),
    ("The unit is immobilised.", None),
    ("Its shield is destroyed; further critical hits cause a point of damage.", None),
    ("Moves in a random direction. If it stops early it suffers an extra point of damage.", None),
])  # fmt: skip
def test_descriptions(text: str, said: str | None) -> None:
    assert criticals.described_effect(text) == said
    assert said is None or criticals.named(said) is not None


@pytest.mark.parametrize(("effect", "chances"), [
    ("destroyed", {ALL: 1.0}),
    ("+1 damage", {1: 1.0}),
    ("+D3 damage", {1: 1 / 3, 2: 1 / 3, 3: 1 / 3}),
    ("1-2: nothing; 3-6: +1 damage", {0: 1 / 3, 1: 2 / 3}),
    ("1-2: nothing; 4-6: +1 damage", None),
    ("speed lost", None),
    ("1-3: destroyed; 4-6: repaired", None),
])  # fmt: skip
def test_effects(effect: str, chances: dict[int, float] | None) -> None:
    found = criticals.named(effect)
    assert (None if found is None else dict(found)) == (None if chances is None else pytest.approx(chances))


def test_a_reactor_burns_until_it_is_repaired() -> None:
    found = criticals.named("end phases: 1: destroyed; 2-3: +1 damage; 4-6: repaired")
    assert found is not None
    chances = dict(found)
    assert sum(chances.values()) == pytest.approx(1)
    assert (chances[0], chances[1]) == pytest.approx((1 / 2, 1 / 6))
    assert chances[ALL] == pytest.approx(1 / 4, abs=1e-6)
