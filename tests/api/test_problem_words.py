"""Details that are written in English where something is refused: each is known in Russian too."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override
from rest_framework.exceptions import Throttled

from api.problem_words import in_russian
from api.problems import problem_of
from armybuilder.engine.battlescribe_files.ros_xml import read_roster
from armybuilder.engine.documents import read_json
from armybuilder.engine.errors import BadDocument, GameError
from tests.api.conftest import Caller

ROOT = Path(__file__).parents[2]
REFUSALS = ("NotFound", "BadDocument", "LimitExceeded", "ValidationError", "NotAuthenticated", "PermissionDenied")

ELSEWHERE = ("engine", "management", "migrations", "web")
"""Folders whose sentences are no details of API views: told in both languages by themselves, or on a terminal."""

OF_THE_SITES_OWN_DATA = ("samples.py", "shipped.py")
"""They refuse what is shipped, when a site is set up."""


def details() -> Iterator[tuple[str, str]]:
    """Where a refusal is raised with a sentence, and the sentence with sevens in its gaps."""
    for path in sorted([*(ROOT / "api").glob("*.py"), *(ROOT / "armybuilder").rglob("*.py")]):
        if path.name in OF_THE_SITES_OWN_DATA or not set(ELSEWHERE).isdisjoint(path.relative_to(ROOT).parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in REFUSALS and all(keyword.arg != "russian" for keyword in node.keywords):
                yield from ((f"{path.relative_to(ROOT)}:{node.lineno}", text) for text in sentences(node.args[0]))


def sentences(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Dict():
            for value in node.values:
                yield from sentences(value)
        case ast.List():
            for item in node.elts:
                yield from sentences(item)
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield "".join(gap(part) for part in node.values)


def gap(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    return "'7'" if getattr(part, "conversion", -1) == ord("r") else "7"


def test_every_detail_is_known_in_russian() -> None:
    found = list(details())
    assert len(found) > 80
    assert [(where, text) for where, text in found if in_russian(text) == text] == []


OF_ROSTERS = ("UnknownId", "UnknownNode", "RefusedEdit")


def test_what_is_refused_of_a_roster_is_written_in_both_languages() -> None:
    raised = [
        (f"{path.name}:{node.lineno}", {keyword.arg for keyword in node.keywords})
        for folder in ("roster", "gamedata")
        for path in sorted((ROOT / "armybuilder" / "engine" / folder).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in OF_ROSTERS
    ]
    assert len(raised) > 10
    assert [where for where, named in raised if "russian" not in named] == []


def test_an_entry_that_is_not_offered_is_refused_in_the_language_of_the_reader(
    as_owner: Caller, muster: dict[str, Any]
) -> None:
    address = muster["address"]
    force = muster["document"]["roster"]["forces"][0]["id"]
    edit = {"edit": "add_unit", "force_id": force, "entry_id": "zz"}
    refused = as_owner("POST", f"{address}edits/", edit, If_Match="*", Accept_Language="ru")
    assert refused.json()["detail"].endswith(": здесь не предлагают «zz».")
    nowhere = as_owner("GET", f"{address}offers/?under=zz", Accept_Language="ru")
    assert (nowhere.status_code, nowhere.json()["detail"]) == (404, "В ростере нет ни подразделения, ни выбора «zz».")


def test_who_is_not_signed_in_is_told_how_to(as_nobody: Caller) -> None:
    for part in ("lists", "events", "releases", "releases/sources", "simulations", "webhooks", "account"):
        answer = as_nobody("GET", f"/api/v1/{part}/")
        assert (answer.status_code, answer.json()["detail"]) == (
            401,
            "Send an API token as Authorization: Bearer <token>.",
        )


@pytest.mark.parametrize("error", [BadDocument("Unknown system None; known systems: epic.", "/system")])
def test_what_the_engine_says(error: BadDocument) -> None:
    with override("ru"):
        assert "систем" in problem_of(error).detail.lower()


def test_half_a_character_is_refused_in_words(as_nobody: Caller) -> None:
    answer = as_nobody.client.post(
        "/api/v1/check/", b'{"name": "\\ud800"}', content_type="application/json", headers={"Accept-Language": "ru"}
    )
    assert (answer.status_code, answer.json()["detail"]) == (400, "В тексте есть половина знака (одиночный суррогат).")


def _said_by(parse: Callable[[bytes], object], data: bytes) -> str:
    try:
        parse(data)
    except GameError as refusal:
        return str(refusal)
    raise AssertionError(data)


LATIN = re.compile(r"[A-Za-z]{3,}")
OUR_WORDS = {"army", "ros", "tag", "name", "roster", "unit", "nbsp", "amp"}


BROKEN_JSON = (
    *("", "{", "[1,]", '{"a" 1}', '{"a":1 "b":2}', "{a:1}", '"abc', '"a\tb"', '"\\q"', "{} {}", "[NaN]", "hello"),
    f"[{'9' * 5000}]",
)


@pytest.mark.parametrize("text", BROKEN_JSON)
def test_what_is_wrong_with_json_is_said_in_russian(text: str) -> None:
    said = in_russian(_said_by(read_json, text.encode()))
    assert said.startswith("Текст – не JSON: ")
    assert set(LATIN.findall(said)) <= {"JSON", "NaN"}


@pytest.mark.parametrize(
    "text",
    [
        "<roster>",
        "<roster><unit></roster>",
        "<roster/><roster/>",
        "<roster>&nbsp;</roster>",
        '<roster name="a" name="b"/>',
        "<roster name=a/>",
        "<roster name/>",
        "<roster",
        "<roster>a & b</roster>",
        "<roster>\x01</roster>",
        "<roster>\udcff</roster>",
    ],
)
def test_what_is_wrong_with_xml_is_said_in_russian(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    said = in_russian(_said_by(lambda data: read_roster(data, file_name="army.ros"), data))
    assert re.search("строка \\d+: XML записан с ошибкой: ", said), said
    assert set(LATIN.findall(said)) <= {"XML"} | OUR_WORDS


def test_words_of_a_parser_that_nobody_knows_are_left_out() -> None:
    assert in_russian("a.ros, line 3: not well-formed XML: something new.") == "a.ros, строка 3: XML записан с ошибкой."


@pytest.mark.parametrize(("language", "told"), [("en", "Ask again in 38 s."), ("ru", "Повторите через 38 с.")])
def test_who_asked_too_often_is_told_when_to_ask_again(language: str, told: str) -> None:
    """REST framework has the first half of its sentence in Russian, and the second in English."""
    with override(language):
        assert problem_of(Throttled(wait=37.2)).detail == told
