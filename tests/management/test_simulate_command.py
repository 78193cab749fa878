"""`manage.py simulate`: answers on standard output, exit status 0, 2 or 70, no database."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from armybuilder.management.commands import simulate as command

DOCUMENT: dict[str, Any] = {
    "system": "horus-heresy",
    "kind": "leadership_test",
    "id": "q",
    "unit": {"models": [{"name": "Legionary", "count": 10, "profile": {"Ld": 7}}]},
}


def simulate(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, answers and complaints of one call."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("simulate", *arguments, stdout=out, stderr=err)
    return int(str(end.value.code)), [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text(json.dumps(DOCUMENT))
    status, answers, complaints = simulate(str(path))
    assert (status, complaints) == (0, "")
    assert answers[0]["metrics"]["p_pass"] == pytest.approx(21 / 36)
    assert answers[0]["id"] == "q"


def test_lines_and_the_worst_of_them(tmp_path: Path) -> None:
    path = tmp_path / "tests.jsonl"
    giant = DOCUMENT | {"unit": {"models": [{"name": "x", "count": 10**9}]}}
    path.write_text("\n".join([json.dumps(DOCUMENT), "", "{", json.dumps(giant), json.dumps(DOCUMENT)]))
    status, answers, complaints = simulate("--jsonl", str(path))
    assert status == 2
    assert ["error" in answer for answer in answers] == [False, True, True, False]
    assert answers[2]["error"]["at"] == "/unit/models/0/count"
    assert complaints.count("error:") == 2


def test_a_missing_file_and_no_file_are_bad_input(tmp_path: Path) -> None:
    status, answers, _ = simulate(str(tmp_path / "nothing.json"))
    assert status == 2
    assert "Cannot read" in answers[0]["error"]["message"]
    assert simulate()[0] == 2


def test_an_internal_error_is_seventy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(command, "simulate", broken)
    path = tmp_path / "test.json"
    path.write_text(json.dumps(DOCUMENT))
    status, answers, complaints = simulate(str(path))
    assert status == 70
    assert answers[0]["error"]["message"]
    assert "ZeroDivisionError" in complaints
