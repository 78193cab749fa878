"""Proposals for a finding over the API: read, applied as edits, nobody else's business."""

import pytest

from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller
from tests.api.test_armylists_writing import LISTS, PRAETOR, add_unit, new_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(as_owner: Caller, game: PublishedSystem) -> str:
    """A list with a Praetor and no warlord."""
    made = as_owner("POST", LISTS, new_list(allegiance="traitor")).json()
    found: str = made["address"]
    as_owner("POST", f"{found}edits/", add_unit(made, PRAETOR), If_Match='"1"')
    return found


def test_a_proposal_is_read_and_applied(as_owner: Caller, address: str) -> None:
    found = as_owner("POST", f"{address}check/").json()["findings"]
    finding = next(one for one in found if one["rule"] == "HH-32")
    query = f"?rule=HH-32&at={finding['at']}" if finding["at"] else "?rule=HH-32"
    answer = as_owner("GET", f"{address}repairs/{query}").json()
    assert (answer["finding"]["rule"], answer["unambiguous"]) == ("HH-32", False)
    repair = answer["repairs"][0]
    assert repair["does"]["en"].startswith("Warlord: Praetor")
    assert "HH-32" in {one["rule"] for one in repair["settled"]}
    done = as_owner("POST", f"{address}edits/", repair["edits"], If_Match='"2"')
    assert done.status_code == 200
    assert "HH-32" not in {one["rule"] for one in as_owner("POST", f"{address}check/").json()["findings"]}


def test_a_rule_has_to_be_named_and_found(as_owner: Caller, address: str) -> None:
    assert as_owner("GET", f"{address}repairs/").status_code == 400
    assert as_owner("GET", f"{address}repairs/?rule=HH-99").status_code == 404


def test_a_stranger_learns_nothing(as_stranger: Caller, address: str) -> None:
    assert as_stranger("GET", f"{address}repairs/?rule=HH-32").status_code == 404
