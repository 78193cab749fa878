"""Reactions: Overwatch and Return Fire as shooting attacks; Overwatch and Hold the Line before an assault."""

from fractions import Fraction as F  # noqa: N817 - many small fractions

import msgspec
import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, HeresyMatchup
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    metric,
)


def met(document: Json, **stated: object) -> dict[str, float]:
    """The document with what only lists can state."""
    matchup = parse_matchup(document)
    assert isinstance(matchup, HeresyMatchup)
    conditions = AttackConditions(**msgspec.structs.asdict(matchup.conditions_in_force), **stated)  # type: ignore[arg-type]
    return dict(simulate(msgspec.structs.replace(matchup, conditions=conditions)).metrics)


def fire(
    weapon: Json, *, charged: bool = False, moved: bool = False, cover: str | None = None, **group: object
) -> Json:
    attacker = make_side(make_group(1, weapons=[weapon], **group), moved=moved)  # type: ignore[arg-type]
    return make_duel("shooting", attacker, make_side(make_group(5), charged=charged, cover=cover), models_covered=4)


FLAMER = make_weapon("Template", range="Template")


@pytest.mark.parametrize(
    ("document", "hits", "in_reaction"),
    [
        (fire(FLAMER), 4, 2),  # Wall of Death: D3 hits
        (fire(make_weapon(type="Heavy 1"), moved=True), F(1, 6), F(2, 3)),  # counts as stationary
        (fire(make_weapon(S=6), type="vehicle"), F(2, 3), F(2, 3)),
        (fire(make_weapon(S=7), type="vehicle"), F(2, 3), 0),  # defensive weapons only
        (fire(make_weapon(S=7, name="Pintle-mounted multi-melta"), type="vehicle"), F(2, 3), F(2, 3)),
        (fire(make_weapon(S=7)), F(2, 3), F(2, 3)),
    ],
)  # fmt: skip
def test_shooting_as_a_reaction(document: Json, hits: F, in_reaction: F) -> None:
    assert metric(document, "hits") == pytest.approx(float(hits))
    assert met(document, reaction="return_fire").get("hits", 0.0) == pytest.approx(float(in_reaction))
    side = document["defender"] | {"charged": True}
    assert metric(document | {"defender": side}, "hits") == pytest.approx(float(in_reaction)), "Overwatch"


def test_cover_helps_against_return_fire_but_not_against_overwatch() -> None:
    gun = make_weapon(AP=2)
    assert met(fire(gun, cover="4+"), reaction="return_fire")["unsaved_wounds"] == pytest.approx(1 / 6)
    assert metric(fire(gun, cover="4+", charged=True), "unsaved_wounds") == pytest.approx(1 / 3)


def test_a_tank_returns_fire_at_a_tank() -> None:
    guns = [make_weapon(S=9), make_weapon(S=6)]
    document = make_duel("shooting", make_side(make_tank(12, weapons=guns)), make_side(make_tank(10)))
    assert met(document)["hits"] == pytest.approx(4 / 3)
    assert met(document, reaction="return_fire")["hits"] == pytest.approx(2 / 3)
