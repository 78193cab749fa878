"""Whole battles over the API: asked, refused, described."""

from typing import Any

import msgspec
import pytest

from api.battle_results import BattleResult
from armybuilder.simulations import battles
from armybuilder.simulations.models import SimulationRun
from tests.api.conftest import Caller
from tests.simulations.conftest import worker

__all__ = ["worker"]

SIMULATIONS = "/api/v1/simulations/"

pytestmark = pytest.mark.django_db(transaction=True)


def armed(as_owner: Caller, muster: dict[str, Any]) -> dict[str, Any]:
    """The owner's list with two units, as a question against itself."""
    force = muster["document"]["roster"]["forces"][0]["id"]
    units = [
        {"edit": "add_unit", "force_id": force, "entry_id": entry_id}
        for entry_id in ("hh-la-tactical-squad", "hh-la-predator-squadron")
    ]
    assert as_owner("POST", f"{muster['address']}edits/", units, If_Match='"1"').status_code == 200
    mine = {"list": muster["id"]}
    return {"kind": "battle", "attacker": mine, "defender": mine, "trials": 1_000}


def test_a_battle_is_answered_as_described(
    as_owner: Caller, as_stranger: Caller, worker: None, request: pytest.FixtureRequest
) -> None:
    question = armed(as_owner, request.getfixturevalue("muster"))
    answer = as_owner("POST", SIMULATIONS, question, Prefer="wait=20")
    assert answer.status_code == 200, answer.content
    result = msgspec.json.decode(answer.content, type=BattleResult)
    assert set(answer.json()) <= set(BattleResult.__struct_encode_fields__)
    assert (result.trials, len(result.attacker.units), len(result.turns)) == (1_000, 2, 7)
    assert abs(result.metrics["p_win"] - result.metrics["p_lose"]) < 5 * 2 * result.standard_errors["p_win"]
    assert {kill.side for kill in result.kills} == {"attacker", "defender"}
    assert as_stranger("POST", SIMULATIONS, question).status_code == 404


def test_too_many_battles_are_refused(as_owner: Caller, request: pytest.FixtureRequest) -> None:
    question = armed(as_owner, request.getfixturevalue("muster"))
    answer = as_owner("POST", SIMULATIONS, question | {"trials": battles.MOST_TRIALS + 1})
    assert answer.status_code == 422, answer.content
    refusal = answer.json()
    assert (refusal["code"], refusal["error"]["at"]) == ("limit-exceeded", "/trials")
    assert str(battles.MOST_TRIALS) in refusal["detail"]
    assert not SimulationRun.objects.exists()
