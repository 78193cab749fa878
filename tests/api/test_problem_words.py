"""Details that are written in English where something is refused: each is known in Russian too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override

from api.problem_words import in_russian
from api.problems import problem_of
from armybuilder.engine.errors import BadDocument
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


@pytest.mark.parametrize("error", [BadDocument("Unknown system None; known systems: epic.", "/system")])
def test_what_the_engine_says(error: BadDocument) -> None:
    with override("ru"):
        assert "систем" in problem_of(error).detail.lower()


def test_half_a_character_is_refused_in_words(as_nobody: Caller) -> None:
    answer = as_nobody.client.post(
        "/api/v1/check/", b'{"name": "\\ud800"}', content_type="application/json", headers={"Accept-Language": "ru"}
    )
    assert (answer.status_code, answer.json()["detail"]) == (400, "В тексте есть половина знака (одиночный суррогат).")
