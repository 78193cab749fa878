"""What holds for every address: tags, rates, compression, origins, keys of repeats, pages and order."""

import gzip
import json
from typing import Any

import pytest
from django.test import override_settings

from api import bulk_checks
from armybuilder.accounts.models import RepeatedRequest, User
from armybuilder.accounts.scopes import Scope
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from tests.api.conftest import Caller, caller_of
from tests.api.test_checks import document
from tests.armylists.conftest import SONS

LISTS = "/api/v1/lists/"


def new_list(**changes: Any) -> dict[str, Any]:
    return {"system": "horus-heresy", "name": "Once", "catalogue_id": SONS, **changes}


@pytest.mark.parametrize("address", ["systems/", "systems/horus-heresy/units/", "problems/"])
def test_published_data_is_tagged_and_may_be_kept(as_nobody: Caller, game: PublishedSystem, address: str) -> None:
    first = as_nobody("GET", f"/api/v1/{address}")
    assert first["Cache-Control"] == "public, max-age=60"
    again = as_nobody("GET", f"/api/v1/{address}", If_None_Match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_another_tag_is_answered_in_full(as_nobody: Caller, game: PublishedSystem) -> None:
    assert as_nobody("GET", "/api/v1/systems/", If_None_Match='"0123"').status_code == 200


def test_long_answers_are_compressed_for_who_understands_it(as_nobody: Caller) -> None:
    plain = as_nobody("GET", "/api/v1/problems/")
    packed = as_nobody("GET", "/api/v1/problems/", Accept_Encoding="gzip")
    assert (packed["Content-Encoding"], packed["ETag"]) == ("gzip", f"W/{plain['ETag']}")
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 2
    assert "Accept-Encoding" in plain["Vary"]


def test_rates_are_told(as_owner: Caller) -> None:
    first, second = (as_owner("GET", LISTS) for _ in range(2))
    assert first["RateLimit-Limit"] == "1200"
    assert int(second["RateLimit-Remaining"]) in (int(first["RateLimit-Remaining"]) - 1, 1199)
    assert 1 <= int(first["RateLimit-Reset"]) <= 60


def test_wrong_tokens_have_a_rate_of_their_own(settings: Any, as_owner: Caller, db: None) -> None:
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] | {"wrong_token": "3/d"}
    with override_settings(REST_FRAMEWORK=settings.REST_FRAMEWORK | {"DEFAULT_THROTTLE_RATES": rates}):
        answers = [Caller("ab_nonsense")("GET", LISTS) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
        assert int(answers[3]["Retry-After"]) >= 1
        assert as_owner("GET", LISTS).status_code == 200


@override_settings(CORS_ALLOWED_ORIGINS=["https://tools.example.org"])
def test_scripts_of_named_sites_may_ask(as_nobody: Caller, game: PublishedSystem) -> None:
    asked = as_nobody(
        "OPTIONS",
        LISTS,
        Origin="https://tools.example.org",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="authorization,idempotency-key",
    )
    assert asked["Access-Control-Allow-Origin"] == "https://tools.example.org"
    assert "idempotency-key" in asked["Access-Control-Allow-Headers"]
    stranger = as_nobody("GET", "/api/v1/systems/", Origin="https://elsewhere.example.org")
    assert "Access-Control-Allow-Origin" not in stranger


def test_a_repeat_makes_nothing_twice(as_owner: Caller, game: PublishedSystem) -> None:
    first, again = (as_owner("POST", LISTS, new_list(), Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again["Location"], again["ETag"]) == (first.json(), first["Location"], first["ETag"])
    assert (again["Idempotent-Replayed"], ArmyList.objects.count()) == ("true", 1)


def test_a_key_with_another_body_is_refused(as_owner: Caller, as_friend: Caller, game: PublishedSystem) -> None:
    as_owner("POST", LISTS, new_list(), Idempotency_Key="k1")
    other = as_owner("POST", LISTS, new_list(name="Other"), Idempotency_Key="k1")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    assert ArmyList.objects.count() == 1
    assert as_friend("POST", LISTS, new_list(name="Other"), Idempotency_Key="k1").status_code == 201


def test_a_request_that_came_to_nothing_gives_its_key_back(as_owner: Caller, game: PublishedSystem) -> None:
    assert as_owner("POST", LISTS, new_list(catalogue_id="none"), Idempotency_Key="k1").status_code == 400
    assert as_owner("POST", LISTS, new_list(), Idempotency_Key="k1").status_code == 201


def test_a_request_under_way_is_not_made_again(as_owner: Caller, game: PublishedSystem) -> None:
    as_owner("POST", LISTS, new_list(), Idempotency_Key="k1")
    RepeatedRequest.objects.update(status=None)
    answer = as_owner("POST", LISTS, new_list(), Idempotency_Key="k1")
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-key-in-use")


def test_a_short_key_of_nobody_will_do_where_the_answer_holds_no_secret(as_nobody: Caller, db: None) -> None:
    asked = {"system": "relic", "kind": "dice_roll", "dice": 3}
    first, again = (as_nobody("POST", "/api/v1/simulations/", asked, Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, again["Idempotent-Replayed"]) == (202, "true")
    assert first.json()["id"] == again.json()["id"]
    other = as_nobody("POST", "/api/v1/simulations/", asked | {"dice": 4}, Idempotency_Key="k1")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


def test_lists_in_order(as_owner: Caller, game: PublishedSystem) -> None:
    for name in ("Beta", "Alpha", "Gamma"):
        as_owner("POST", LISTS, new_list(name=name))
    names = [row["name"] for row in as_owner("GET", f"{LISTS}?ordering=-name").json()["results"]]
    assert names == ["Gamma", "Beta", "Alpha"]
    assert as_owner("GET", f"{LISTS}?ordering=colour").status_code == 400


def test_units_in_order(as_nobody: Caller, game: PublishedSystem) -> None:
    rows = as_nobody("GET", "/api/v1/systems/horus-heresy/units/?ordering=points").json()["results"]
    assert [row["points"] for row in rows] == [82.5, 150]


def test_many_documents_are_checked_in_one_request(as_nobody: Caller) -> None:
    broken = {"system": "horus-heresy", "detachments": [], "colour": "red"}
    answer = as_nobody("POST", "/api/v1/checks/", [document(id="a"), broken, document(id="c", points_limit=-1)])
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson")
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert [line["index"] for line in lines] == [0, 1, 2]
    single = as_nobody("POST", "/api/v1/check/", document(id="c", points_limit=-1)).json()
    assert lines[2] == {"index": 2, "report": single, "problem": None}
    assert (lines[1]["problem"]["status"], lines[1]["problem"]["error"]["at"]) == (400, "/colour")


def test_answers_of_one_moment_go_together_and_the_first_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.01, 0.02, 0.03, 0.07, 0.08, 0.09])
    monkeypatch.setattr(bulk_checks, "perf_counter", lambda: next(clock))
    pieces = bulk_checks.sent_together(iter(b"%d\n" % number for number in range(6)))
    assert list(pieces) == [b"0\n", b"1\n2\n3\n", b"4\n5\n"]
    assert list(bulk_checks.sent_together(iter(()))) == []


@pytest.mark.parametrize(("kind", "status"), [("application/json; charset=utf-8", 200), ("text/plain", 415)])
def test_a_body_says_what_it_is(as_nobody: Caller, kind: str, status: int) -> None:
    body = json.dumps(document())
    answer = as_nobody.client.generic("POST", "/api/v1/check/", body, content_type=kind)
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("text", "at"),
    [('{"system": "relic", "system": "horus-heresy"}', None), ('{"id": "a\\u0000b"}', "/id"), ("7", None)],
)
def test_a_document_that_cannot_be_read_is_in_nobodys_way(as_nobody: Caller, text: str, at: str | None) -> None:
    body = f"[{json.dumps(document(id='a'))}, {text}]".encode()
    answer = _sent_as_it_is(as_nobody, body)
    first, second = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert first["report"]["id"] == "a"
    assert (second["report"], second["problem"]["status"]) == (None, 400)
    assert second["problem"]["error"].get("at") == at


@pytest.mark.parametrize("body", [b"", b"[{}", b"[{},]", b'[{"a": tru}]', b"\xff", b"[" * 1000])
def test_an_array_that_is_no_json_is_refused_as_a_whole(as_nobody: Caller, body: bytes) -> None:
    assert _sent_as_it_is(as_nobody, body).status_code == 400


def test_an_array_after_a_byte_order_mark(as_nobody: Caller) -> None:
    body = b"\xef\xbb\xbf" + json.dumps([document(id="a")]).encode()
    assert _sent_as_it_is(as_nobody, body).status_code == 200


@pytest.mark.parametrize(("body", "status"), [([], 400), ({}, 400), ([{}] * 101, 422)])
def test_what_is_no_bundle_of_documents(as_nobody: Caller, body: Any, status: int) -> None:
    assert as_nobody("POST", "/api/v1/checks/", body).status_code == status


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("lists/?pagesize=10", "pagesize"),
        ("lists/?system=chess", "system"),
        ("lists/?ordering=colour", "ordering"),
        ("lists/?verdict=fine", "verdict"),
        ("lists/?page=first", "page"),
        ("lists/?page=0", "page"),
        ("lists/?page_size=201", "page_size"),
        ("lists/?cursor=abc", "cursor"),
        ("targets/?system=chess", "system"),
        ("simulations/?state=done", "state"),
        ("events/?sort=name", "sort"),
        ("account/tokens/?name=bot", "name"),
        ("webhooks/?page_size=x", "page_size"),
        ("systems/?game=epic", "game"),
        ("systems/horus-heresy/units/?rol=hq", "rol"),
        ("systems/horus-heresy/units/?role=boss", "role"),
        ("systems/horus-heresy/units/?faction=nobody", "faction"),
        ("systems/horus-heresy/units/?max_points=many", "max_points"),
        ("account/?colour=red", "colour"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_parameter_that_is_unknown_or_wrong_is_named(
    owner: User, game: PublishedSystem, address: str, name: str, language: str
) -> None:
    answer = caller_of(owner, Scope)("GET", f"/api/v1/{address}", Accept_Language=language)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["error"]["at"]) == (400, "bad-value", f"/{name}"), problem
    is_russian = any("а" <= letter <= "я" for letter in problem["detail"].lower())
    assert is_russian is (language == "ru"), problem["detail"]


def test_a_page_behind_the_last_is_not_there(as_owner: Caller, game: PublishedSystem) -> None:
    answer = as_owner("GET", f"{LISTS}?page=2")
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no page 2; the last one is 1.")


def test_parameters_that_begin_with_x_are_left_alone(as_owner: Caller, game: PublishedSystem) -> None:
    assert as_owner("GET", f"{LISTS}?x-trace=7").status_code == 200


def _sent_as_it_is(caller: Caller, body: bytes) -> Any:
    return caller.client.generic("POST", "/api/v1/checks/", body, content_type="application/json")
