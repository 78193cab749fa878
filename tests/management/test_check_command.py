"""`manage.py check` with Horus Heresy documents: every rule through the command, and the answers to bad input."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from armybuilder.management.commands import check as check_command
from tests.conftest import ROOT
from tests.engine.systems.horus_heresy.builders import Json, make_army, make_unit


def answers_of(*arguments: str) -> tuple[list[Json], str, int]:
    """Answers on standard output, text on standard error, exit status."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("check", *arguments, stdout=out, stderr=err)
    return [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue(), int(left.value.code or 0)


def written(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return str(path)


@pytest.mark.shared
def test_answers_follow_the_published_schema(shared: Path, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((shared / "contracts" / "findings.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    cases = (ROOT / "fixtures" / "horus-heresy" / "rule_cases.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [*cases, "oops", json.dumps(make_army(id="mine"))]
    path = tmp_path / "armies.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    answers, _, _ = answers_of("--jsonl", str(path))
    assert len(answers) == len(lines)
    for answer in answers:
        validator.validate(answer)


def test_a_legal_army_ends_with_0_and_its_id_comes_back(tmp_path: Path) -> None:
    answers, err, status = answers_of(written(tmp_path / "army.json", make_army(id="Отряд 1")))
    assert answers == [
        {
            "id": "Отряд 1",
            "system": "horus-heresy",
            "legal": True,
            "points": {"total": 410, "limit": 2500},
            "findings": [],
        }
    ]
    assert (err, status) == ("", 0)


@pytest.mark.parametrize(
    ("case", "document", "at"),
    [
        ("unknown field", make_army(colour=1), "/colour"),
        ("text for points", make_army(make_unit(points="130")), "/detachments/0/units/3/points"),
        ("no system", {}, "/system"),
        ("no object", [], None),
    ],
)
def test_bad_input_ends_with_2(case: str, document: Any, at: str | None, tmp_path: Path) -> None:
    (answer,), err, status = answers_of(written(tmp_path / "army.json", document))
    assert (list(answer), answer["error"]["at"], status) == (["error"], at, 2), case
    assert err.count("\n") == 1
    assert answer["error"]["message"] in err


@pytest.mark.parametrize("lines", [[], ["--jsonl"]])
def test_a_missing_file_is_bad_input(lines: list[str], tmp_path: Path) -> None:
    (answer,), err, status = answers_of(*lines, str(tmp_path / "nothing.json"))
    assert "nothing.json" in answer["error"]["message"] and "nothing.json" in err
    assert status == 2


def test_a_folder_is_bad_input(tmp_path: Path) -> None:
    (answer,), _, status = answers_of(str(tmp_path))
    assert (list(answer), status) == (["error"], 2)


LEGAL, ILLEGAL, BAD = json.dumps(make_army()), json.dumps(make_army(allegiance=None)), "{"


@pytest.mark.parametrize(
    ("case", "lines", "status"),
    [
        ("legal ones", [LEGAL, LEGAL], 0),
        ("one is not legal", [LEGAL, ILLEGAL, LEGAL], 1),
        ("one is bad", [ILLEGAL, BAD, LEGAL], 2),
        ("empty lines are no documents", ["", LEGAL, "  ", ""], 0),
        ("none", [], 0),
    ],
)
def test_the_worst_line_decides(case: str, lines: list[str], status: int, tmp_path: Path) -> None:
    path = tmp_path / "armies.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    answers, _, ended = answers_of("--jsonl", str(path))
    kinds = ["error" if line == BAD else line == LEGAL for line in lines if line.strip()]
    assert ["error" if "error" in answer else answer["legal"] for answer in answers] == kinds
    assert ended == status, case


def test_an_internal_error_ends_with_70_and_the_rest_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = check_command.check

    def broken(army: Any) -> Any:
        if army.name == "trap":
            raise ZeroDivisionError
        return sound(army)

    monkeypatch.setattr(check_command, "check", broken)
    path = tmp_path / "armies.jsonl"
    path.write_text("\n".join([json.dumps(make_army(name="trap")), BAD, LEGAL]), encoding="utf-8")
    answers, err, status = answers_of("--jsonl", str(path))
    assert ["error" in answer for answer in answers] == [True, True, False]
    assert "ZeroDivisionError" in err and status == 70
    (answer,), _, status = answers_of(written(tmp_path / "army.json", make_army(name="trap")))
    assert ("error" in answer, status) == (True, 70)


def test_without_a_document_it_is_djangos_own_command() -> None:
    out = io.StringIO()
    call_command("check", "--tag", "models", stdout=out, stderr=io.StringIO())
    call_command("check", "auth", "--tag", "models", stdout=out, stderr=io.StringIO())
    assert out.getvalue().count("System check identified") == 2


def run(arguments: list[str], text: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a program, without a database and without settings of its own."""
    return subprocess.run(
        [sys.executable, "manage.py", "check", *arguments],
        input=text.encode(),
        cwd=ROOT,
        env={"PATH": "", "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"} | environment,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("case", "arguments", "text", "status", "answers"),
    [
        ("legal", ["-"], LEGAL, 0, 1),
        ("not legal", ["-"], ILLEGAL, 1, 1),
        ("bad", ["-"], BAD, 2, 1),
        ("lines", ["--jsonl", "-"], f"{LEGAL}\n\n{BAD}\n{ILLEGAL}\n", 2, 3),
    ],
)
@pytest.mark.long
def test_as_a_program_without_a_database(
    case: str, arguments: list[str], text: str, status: int, answers: int, tmp_path: Path
) -> None:
    done = run(arguments, text, VAR_DIR=str(tmp_path / "var"), LC_ALL="C")
    assert done.returncode == status, (case, done.stderr.decode())
    assert [isinstance(json.loads(line), dict) for line in done.stdout.splitlines()] == [True] * answers
    assert (done.stderr == b"") == (BAD not in text.split("\n"))
    assert not (tmp_path / "var").exists()


@pytest.mark.long
def test_a_program_that_cannot_start_does_not_call_the_army_illegal() -> None:
    done = run(["-"], LEGAL, DATABASE_URL="nonsense://")
    assert (done.returncode, done.stdout) == (70, b"")
    assert b"DATABASE_URL can be" in done.stderr


@pytest.mark.shared
def test_the_example_cases_of_the_contract(shared: Path) -> None:
    contracts = shared / "contracts"
    done = subprocess.run(
        [
            sys.executable, str(contracts / "run_cases.py"), "--command", f"{sys.executable} manage.py",
            "--system", "horus-heresy", "--only", "check", "--verbose",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith(" 0 failed")
