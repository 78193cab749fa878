"""The Python client tries again what may be tried again, waits as it is told, and reads refusals."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from army_builder_client import ArmyBuilder, Problem, RetryingTransport
from army_builder_client.retrying import seconds_of

Step = httpx.Response | httpx.TransportError


class Line:
    """A site that answers by a list, through the real transport; keeps what was sent and the waits."""

    def __init__(self, *steps: Step, tries: int = 5) -> None:
        self.sent: list[httpx.Request] = []
        self.waits: list[float] = []
        self._steps: Iterator[Step] = iter(steps)
        transport = RetryingTransport(httpx.MockTransport(self._answer), tries=tries, sleep=self.waits.append)
        self.api = ArmyBuilder("https://armies.example/", "ab_secret", transport=transport)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        step = next(self._steps)
        if isinstance(step, httpx.TransportError):
            raise step
        return step


def busy(status: int = 429, retry_after: str | None = "7") -> httpx.Response:
    return httpx.Response(status, headers={} if retry_after is None else {"Retry-After": retry_after})


def good(body: object) -> httpx.Response:
    return httpx.Response(200, json=body)


@pytest.mark.parametrize("status", [429, 503])
def test_it_waits_as_long_as_it_is_told(status: int) -> None:
    line = Line(busy(status), busy(status, "2"), good({"name": "Speartip"}))
    assert line.api.get("systems/") == {"name": "Speartip"}
    assert line.waits == [7.0, 2.0]
    assert [request.url.path for request in line.sent] == ["/api/v1/systems/"] * 3


def test_the_wait_grows_where_nothing_is_told() -> None:
    line = Line(*(busy(503, None) for _ in range(3)), good([]))
    line.api.get("systems/")
    assert all(0.8 * due <= wait <= 1.2 * due for wait, due in zip(line.waits, (0.5, 1, 2), strict=True))


def test_it_gives_up_after_the_tries_agreed() -> None:
    line = Line(busy(), busy(), busy(), tries=3)
    with pytest.raises(Problem) as caught:
        line.api.get("systems/")
    assert (caught.value.status, len(line.sent), len(line.waits)) == (429, 3, 2)


def test_it_does_not_wait_for_an_hour() -> None:
    line = Line(busy(429, "3600"))
    with pytest.raises(Problem):
        line.api.get("systems/")
    assert line.waits == []


def test_a_lost_create_is_sent_again_with_the_same_key_and_body() -> None:
    line = Line(httpx.ReadTimeout("lost"), good({"id": "1"}))
    line.api.create_list("epic", "Fleet", points_limit=3000)
    first, second = line.sent
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert first.read() == second.read() == b'{"system":"epic","name":"Fleet","points_limit":3000}'


def test_each_create_has_a_key_of_its_own_or_the_callers() -> None:
    line = Line(good({}), good({}), good({}))
    line.api.share("a")
    line.api.share("a")
    line.api.share("a", key="mine")
    keys = [request.headers["Idempotency-Key"] for request in line.sent]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


def test_a_lost_edit_is_not_sent_again() -> None:
    line = Line(httpx.ReadTimeout("lost"), good({}))
    with pytest.raises(httpx.ReadTimeout):
        line.api.request("POST", "lists/1/undo/")
    assert len(line.sent) == 1


def test_pages_are_asked_for_as_they_are_needed_and_of_this_site_alone() -> None:
    following = "https://elsewhere.example/api/v1/lists/?page=2&search=%D0%B0"
    line = Line(good({"results": [{"id": 1}], "next": following}), good({"results": [{"id": 2}], "next": None}))
    rows = line.api.every("lists/", search="а")
    assert next(rows) == {"id": 1}
    assert len(line.sent) == 1
    assert list(rows) == [{"id": 2}]
    assert str(line.sent[1].url) == "https://armies.example/api/v1/lists/?page=2&search=%D0%B0"


def part(rows: list[object], following: str | None) -> httpx.Response:
    return httpx.Response(200, json=rows, headers={"Link": following} if following else {})


def test_parts_of_an_array_are_asked_for_as_they_are_needed_and_of_this_site_alone() -> None:
    first, second, third = (f"<https://elsewhere.example/api/v1/releases/?page={n}&page_size=2>" for n in (1, 2, 3))
    line = Line(
        part([1, 2], f'{second}; rel="next"'),
        part([3, 4], f'{first}; rel="prev", {third}; rel="next"'),
        part([5], f'{second}; rel="prev"'),
    )
    rows = line.api.all_parts("releases/", page_size=2, system="epic")
    assert [next(rows), next(rows)] == [1, 2]
    assert len(line.sent) == 1
    assert list(rows) == [3, 4, 5]
    assert [str(request.url).removeprefix("https://armies.example/api/v1/releases/") for request in line.sent] == [
        "?page_size=2&system=epic",
        "?page=2&page_size=2",
        "?page=3&page_size=2",
    ]


def test_an_array_that_comes_at_once_is_one_part() -> None:
    line = Line(part([], None))
    assert list(line.api.all_parts("releases/")) == []
    assert [request.url.query for request in line.sent] == [b"page_size=200"]


def test_an_answer_of_a_proxy_is_a_problem_too() -> None:
    line = Line(httpx.Response(502, text="<h1>Bad Gateway</h1>"))
    with pytest.raises(Problem, match="502 Bad Gateway") as caught:
        line.api.get("systems/")
    assert (caught.value.code, caught.value.at, caught.value.document) == ("", None, {})


def test_a_name_stays_one_part_of_an_address() -> None:
    line = Line(good({"sheet": {}}))
    line.api.shared("../lists?x")
    assert line.sent[0].url.raw_path == b"/api/v1/shared/..%2Flists%3Fx/?expand=sheet"
    with pytest.raises(ValueError, match="names nothing"):
        line.api.shared("..")


def test_retry_after_is_read_as_seconds_or_date() -> None:
    assert seconds_of("12") == 12
    assert seconds_of("soon") is None
    assert seconds_of("") is None
    assert seconds_of(format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)) == 0
    due = seconds_of(format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True))
    assert due is not None
    assert 3500 < due <= 3600


def test_it_is_sent_once_at_least() -> None:
    with pytest.raises(ValueError, match="tries"):
        RetryingTransport(tries=0)
