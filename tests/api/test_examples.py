"""Examples of the description: every operation has them, they are as described, and the server still answers so."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from api import schema_examples
from armybuilder.accounts.models import User
from tests.api import example_calls as calls
from tests.api.example_answers import BINARY, Answers, Recorder
from tests.api.test_datafiles import archive
from tests.api.test_description import GOLDEN
from tests.databases import load_seeded
from tests.datafiles.data_server import data_server
from tests.receivers import Receiver
from tests.simulations.conftest import worker  # noqa: F401 - a fixture

REWRITE_EXAMPLES = "REWRITE_EXAMPLES"
"""Set in the environment, examples.json becomes what the server answers now (`make examples`)."""

UNSHOWN = {"204", "304", "503"}
"""Answers without a body, and a server that is busy."""


@cache
def described() -> dict[str, Any]:
    """The golden description."""
    found: dict[str, Any] = yaml.load(GOLDEN.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return found


def operations() -> dict[str, tuple[tuple[str, str], dict[str, Any]]]:
    """By their ids: address and method, and what is described."""
    return {
        operation["operationId"]: ((path, method), operation)
        for path, methods in described()["paths"].items()
        for method, operation in methods.items()
    }


def against(schema: dict[str, Any], value: Any) -> list[str]:
    """What is wrong with a value by a schema of the description."""
    whole = {"components": described()["components"], **schema}
    errors = Draft202012Validator(whole).iter_errors(value)
    return [f"{error.json_path}: {error.message[:200]}" for error in errors]


def bodies(operation: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Where, media type, and schema with examples, of all that is sent and answered."""
    found = [("request", name, one) for name, one in operation.get("requestBody", {}).get("content", {}).items()]
    for status, response in operation["responses"].items():
        found += [(status, name, one) for name, one in response.get("content", {}).items()]
    return found


@pytest.mark.long
def test_every_operation_has_examples_that_are_as_described() -> None:
    faults = []
    for name, (_, operation) in operations().items():
        for where, media_type, content in bodies(operation):
            if media_type in BINARY or where in UNSHOWN:
                continue
            shown = [_resolved(one)["value"] for one in content.get("examples", {}).values()]
            shown += [content["example"]] if "example" in content else []
            found = [] if shown else ["no example; make examples golden"]
            for value in shown:
                found += against(content["schema"], value)
                if where.isdecimal() and int(where) >= 400 and str(value["status"]) != where:
                    found.append(f"an example of {value['status']}")
            faults += [f"{name} {where} {media_type}: {one}" for one in found]
    assert faults == []


def _resolved(example: dict[str, Any]) -> dict[str, Any]:
    """An example, wherever it stands."""
    if "$ref" not in example:
        return example
    found: dict[str, Any] = described()["components"]["examples"][example["$ref"].rpartition("/")[2]]
    return found


@pytest.fixture
def recorder(
    tmp_path: Path,
    migrated_databases: Path,
    receiver: Receiver,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    worker: None,  # noqa: F811
) -> Recorder:
    """What a session at a site with the sample data was answered."""
    load_seeded(tmp_path, migrated_databases)
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    recorder = Recorder()
    owner = recorder.program_of(User.objects.create_user("mara"))
    administrator = recorder.program_of(User.objects.create_superuser("keeper"))
    nobody = recorder.program_of(None)
    calls.published_data(nobody)
    calls.account(owner, nobody)
    army = calls.lists(owner, nobody)
    calls.newer_data(owner)
    calls.simulations(owner, army, monkeypatch)
    calls.events(owner, nobody, army, monkeypatch)
    calls.webhooks(owner, receiver.url)
    calls.repeated(owner)
    with data_server() as server:
        server.answers = {"/data.bsr": archive()}
        calls.game_data(administrator, server.address("/data.bsr"))
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    nobody("POST", f"{calls.V1}check/", calls.ARMY, status=413)
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "1/min"}}
    nobody("GET", f"{calls.V1}systems/", status=429)
    return recorder


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_server_answers_every_operation_as_the_examples_say(recorder: Recorder) -> None:
    known = operations()
    answered = {name: recorder.operations[at] for name, (at, _) in known.items() if at in recorder.operations}
    assert set(answered) == set(known)
    for name, (_, operation) in known.items():
        for where, media_type, content in bodies(operation):
            got: Any = answered[name]["request"] if where == "request" else answered[name]["responses"].get(where, {})
            if isinstance(got, dict) and media_type in got:
                assert against(content["schema"], got[media_type]) == [], f"{name} {where} {media_type}"
    if os.environ.get(REWRITE_EXAMPLES):
        written = {"operations": dict(sorted(answered.items())), "problems": recorder.problems}
        schema_examples.PATH.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    kept = msgspec.json.decode(schema_examples.PATH.read_bytes(), type=dict[str, Answers])["operations"]
    assert {name: _kinds(one) for name, one in answered.items()} == {name: _kinds(one) for name, one in kept.items()}


def _kinds(answers: Answers) -> set[tuple[str, str]]:
    """What was sent and answered, by status and media type."""
    sent = {("request", media_type) for media_type in answers["request"]}
    return sent | {
        (status, one) for status, by_type in answers["responses"].items()
        for one in (by_type if isinstance(by_type, dict) else [by_type])
    }  # fmt: skip
