"""Targets over the API: saving, reading, changing and deleting them, the yardsticks, and what an option buys."""

from typing import Any
from uuid import uuid4

import msgspec
import pytest

from api.simulation_results import UpgradeResult
from armybuilder.simulations.models import SavedTarget
from tests.api.conftest import Caller
from tests.simulations.conftest import worker  # noqa: F401 - a fixture
from tests.simulations.test_upgrades import OGRE

TARGETS = "/api/v1/targets/"
OGRES = {"system": "horus-heresy", "name": "My ogres", "points": 150, "side": OGRE}

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_saving_to_deleting(as_owner: Caller) -> None:
    saved = as_owner("POST", TARGETS, OGRES)
    assert saved.status_code == 201, saved.content
    address = saved.headers["Location"]
    assert saved.json()["address"] == address
    assert {name: saved.json()[name] for name in OGRES} == OGRES
    assert as_owner("GET", address).json() == saved.json()
    assert as_owner("GET", TARGETS).json()["results"] == [saved.json()]
    assert as_owner("GET", f"{TARGETS}?system=relic").json()["results"] == []
    changed = as_owner("PUT", address, {"name": "Ogres", "side": OGRE})
    assert (changed.json()["name"], changed.json()["points"]) == ("Ogres", 0.0)
    assert as_owner("DELETE", address).status_code == 204
    assert as_owner("GET", address).status_code == 404


def test_others_find_nothing_and_nothing_changes(
    as_owner: Caller, as_reader: Caller, as_stranger: Caller, as_nobody: Caller
) -> None:
    address = as_owner("POST", TARGETS, OGRES).headers["Location"]
    before = list(SavedTarget.objects.values())
    for caller, status in ((as_stranger, 404), (as_nobody, 401)):
        for method, body in (("GET", None), ("PUT", {"name": "x", "side": OGRE}), ("DELETE", None)):
            assert caller(method, address, body).status_code == status, method
    assert as_reader("GET", address).status_code == 200
    for method, path, body in (("POST", TARGETS, OGRES), ("PUT", address, {}), ("DELETE", address, None)):
        assert as_reader(method, path, body).status_code == 403, method
    assert as_stranger("GET", TARGETS).json()["count"] == 0
    assert as_nobody("POST", TARGETS, OGRES).status_code == 401
    assert list(SavedTarget.objects.values()) == before


@pytest.mark.parametrize(
    ("case", "facts", "at"),
    [
        ("no name", {"name": ""}, "/name"),
        ("points below nothing", {"points": -1}, "/points"),
        ("a side that is none", {"side": {"models": "many"}}, "/side/models"),
        ("no such game", {"system": "chess"}, "/system"),
        ("something else", {"mood": 1}, "/mood"),
    ],
)
def test_what_cannot_be_read_is_refused(as_owner: Caller, case: str, facts: dict[str, Any], at: str) -> None:
    response = as_owner("POST", TARGETS, OGRES | facts)
    assert (response.status_code, response.json()["error"]["at"]) == (400, at), case
    assert not SavedTarget.objects.exists()


def test_yardsticks_are_for_everybody(as_nobody: Caller) -> None:
    rows = as_nobody("GET", f"{TARGETS}standard/horus-heresy/").json()
    assert {"horus-heresy/power-armour", "horus-heresy/battle-tank"} <= {row["standard"] for row in rows}
    assert all(row["points"] > 0 and row["name"]["en"] and row["name"]["ru"] and row["side"] for row in rows)
    assert as_nobody("GET", f"{TARGETS}standard/chess/").status_code == 404


def test_what_an_option_buys(as_owner: Caller, as_stranger: Caller, worker: None, request: Any) -> None:  # noqa: F811
    muster = request.getfixturevalue("muster")
    force = muster["document"]["roster"]["forces"][0]["id"]
    unit = {"edit": "add_unit", "force_id": force, "entry_id": "hh-la-tactical-squad"}
    edited = as_owner("POST", f"{muster['address']}edits/", [unit], If_Match='"1"').json()["list"]
    squad = edited["document"]["roster"]["forces"][0]["selections"][0]["id"]
    saved = as_owner("POST", TARGETS, OGRES).json()
    offers = as_owner("GET", f"{muster['address']}offers/?under={squad}").json()
    group = next(row for row in offers if row["is"] == "group" and row["name"]["en"] == "Legionaries")
    legionary = next(row for row in group["offers"] if row["name"]["en"] == "Legionary")
    question = {
        "kind": "upgrade",
        "army": {"list": muster["id"]},
        "unit": squad,
        "option": {"parent_id": squad, "entry_id": legionary["entry_id"]},
        "targets": [{"target": saved["id"]}, {"standard": "horus-heresy/militia"}],
        "conditions": {"distance": 12},
    }
    answer = as_owner("POST", "/api/v1/simulations/", question, Prefer="wait=20")
    assert answer.status_code == 200, answer.content
    result = msgspec.json.decode(answer.content, type=UpgradeResult)
    assert set(answer.json()) <= set(UpgradeResult.__struct_encode_fields__)
    assert (result.option, result.price, result.is_taken) == ("Legionary", 10.0, False)
    assert [target.name for target in result.targets] == ["My ogres", "20 riflemen (T3, 5+)"]
    assert result.targets[1].attacks[0].change > 0
    assert as_stranger("POST", "/api/v1/simulations/", question).status_code == 404
    wrong = question | {"targets": [{"target": str(uuid4())}]}
    assert as_owner("POST", "/api/v1/simulations/", wrong).status_code == 404
