"""A list read as its owner, and a stranger with its link, want to see it: evaluated, in part, and as a picture."""

from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import PARTS, Scope
from tests.api.conftest import Caller, caller_of
from tests.api.test_armylists_writing import SQUAD


@pytest.fixture
def squad(as_owner: Caller, muster: dict[str, Any]) -> dict[str, Any]:
    """The list with one unit in it."""
    force = muster["document"]["roster"]["forces"][0]["id"]
    edit = {"edit": "add_unit", "force_id": force, "entry_id": SQUAD}
    answer = as_owner("POST", f"{muster['address']}edits/", edit, If_Match='"1"')
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()["list"]
    return body


def share(as_owner: Caller, a_list: dict[str, Any]) -> str:
    token: str = as_owner("POST", f"{a_list['address']}share-links/", {}).json()["token"]
    return f"/api/v1/shared/{token}/"


def test_the_sheet_comes_when_it_is_asked_for(as_owner: Caller, as_nobody: Caller, squad: dict[str, Any]) -> None:
    assert "sheet" not in as_owner("GET", squad["address"]).json()
    sheet = as_owner("GET", f"{squad['address']}?expand=sheet").json()["sheet"]
    (unit,) = [unit for part in sheet["detachments"] for role in part["roles"] for unit in role["units"]]
    assert unit["points"] == sheet["points"] == squad["points"]
    assert (sheet["verdict"], sheet["language"]) == ("illegal", "en")
    assert {finding["rule"] for finding in sheet["findings"]} >= {"HH-11"}
    assert as_nobody("GET", f"{share(as_owner, squad)}?expand=sheet").json()["sheet"] == sheet


def test_the_sheet_is_in_the_language_of_the_request(as_owner: Caller, squad: dict[str, Any]) -> None:
    etag = f'"{squad["revision"]}"'
    russian = as_owner("GET", f"{squad['address']}?expand=sheet", Accept_Language="ru", If_None_Match=etag)
    assert (russian.status_code, russian.json()["sheet"]["language"]) == (200, "ru")


def test_only_some_members(as_owner: Caller, as_nobody: Caller, squad: dict[str, Any]) -> None:
    part = as_owner("GET", f"{squad['address']}?fields=name,points").json()
    assert part == {"name": "Muster", "points": squad["points"]}
    assert set(as_nobody("GET", f"{share(as_owner, squad)}?fields=verdict,sheet").json()) == {"verdict", "sheet"}


@pytest.mark.parametrize(
    ("query", "at"),
    [
        ("?fields=name,colour", "/fields"),
        ("?expand=everything", "/expand"),
    ],
)
def test_unknown_parts_are_refused(as_owner: Caller, muster: dict[str, Any], query: str, at: str) -> None:
    response = as_owner("GET", f"{muster['address']}{query}")
    assert (response.status_code, response.json()["error"]["at"]) == (400, at)


@pytest.mark.parametrize(
    ("part", "at"), [("file/?zipped=garbage", "/zipped"), ("exports/plain/?language=fr", "/language")]
)
def test_unknown_values_of_files_are_refused(as_owner: Caller, muster: dict[str, Any], part: str, at: str) -> None:
    response = as_owner("GET", f"{muster['address']}{part}")
    assert (response.status_code, response.json()["error"]["at"]) == (400, at)


def test_the_code_of_a_link_is_a_picture(as_owner: Caller, as_nobody: Caller, muster: dict[str, Any]) -> None:
    response = as_nobody("GET", f"{share(as_owner, muster)}code/")
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    assert response.content.startswith(b"<svg")
    assert as_nobody("GET", f"/api/v1/shared/{'x' * 22}/code/").status_code == 404


def test_offers_say_role_category_names_and_price(as_owner: Caller, muster: dict[str, Any]) -> None:
    force = muster["document"]["roster"]["forces"][0]["id"]
    rows = as_owner("GET", f"{muster['address']}offers/?under={force}").json()
    squad = next(row for row in rows if row["entry_id"] == SQUAD)
    assert set(squad["name"]) == {"en", "ru"}
    assert squad["category"]["en"] == "Troops"
    assert {"role", "points"} <= set(squad)


def test_what_a_list_may_state(as_nobody: Caller, game: object) -> None:
    body = as_nobody("GET", "/api/v1/systems/horus-heresy/facts/").json()
    facts = {fact["name"]: fact for fact in body["army"]}
    assert [value["value"] for value in facts["allegiance"]["values"]] == ["loyalist", "traitor"]
    assert facts["allegiance"]["values"][1]["label"] == {"en": "Traitor", "ru": "предатели"}
    assert (facts["warlord"]["refers_to"], facts["cap_override"]["usual"]) == ("unit", False)
    assert "joined_to" in {fact["name"] for fact in body["units"]}
    assert body["warlord_traits"]
    assert all(trait["label"]["ru"] for trait in body["warlord_traits"])


def test_a_side_that_there_is_not_is_refused(as_owner: Caller, muster: dict[str, Any]) -> None:
    edit = {"edit": "set_facts", "facts": {"allegiance": "purple"}}
    response = as_owner("POST", f"{muster['address']}edits/", edit, If_Match='"1"')
    assert (response.status_code, response.json()["error"]["at"]) == (400, "/facts/allegiance")
    assert as_owner("GET", muster["address"]).json()["revision"] == 1


def test_problems_speak_the_language_of_the_request(as_owner: Caller, muster: dict[str, Any]) -> None:
    response = as_owner("POST", f"{muster['address']}copies/", {"name": 7}, Accept_Language="ru")
    body = response.json()
    assert (body["title"], body["detail"]) == (
        "Документ не прочитать",
        "Здесь нужно: текст или null. Прислано: целое число.",
    )


def test_every_kind_of_problem_has_words_of_its_own(as_nobody: Caller) -> None:
    rows = as_nobody("GET", "/api/v1/problems/").json()
    assert len({row["description"]["en"] for row in rows}) == len(rows)
    assert all(row["title"]["ru"] and row["description"]["ru"] for row in rows)


def test_the_entrance_names_every_part(as_nobody: Caller) -> None:
    named = {address.split("/")[3] for address in as_nobody("GET", "/api/v1/").json().values()}
    assert named == set(PARTS) - {""}


def test_a_refusal_speaks_the_language_of_the_reader(as_owner: Caller) -> None:
    new = {"system": "horus-heresy", "name": "M", "points_limit": "x"}
    refused = as_owner("POST", "/api/v1/lists/", new, Accept_Language="ru").json()
    assert refused["detail"] == "Здесь нужно: целое число или null. Прислано: текст."
    assert refused["error"]["at"] == "/points_limit"


def test_a_private_address_is_refused_in_russian(owner: User) -> None:
    call = caller_of(owner, Scope)
    hook = {"url": "https://10.0.0.1/", "happenings": ["list.changed"]}
    refused = call("POST", "/api/v1/webhooks/", hook, Accept_Language="ru").json()
    assert refused["detail"] == (
        "https://10.0.0.1/: узел в частной сети (10.0.0.1); впишите его в WEBHOOK_ALLOWED_HOSTS."
    )
