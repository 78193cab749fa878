"""The adapter protocol: every command and action, errors that are answers, and nothing but answers on the output."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.line_protocol import Session, serve
from tests.engine.battlescribe_files.files import SYSTEM, catalogue
from tests.engine.roster.builders import entry

Message = dict[str, Any]


def setup_message() -> Message:
    system = {
        "id": "gs",
        "name": "Game",
        "costTypes": [{"id": "pts", "name": "pts", "hidden": False, "limit": False}],
        "forceEntries": [{"id": "patrol", "name": "Patrol", "forceEntries": [{"id": "scouts", "name": "Scouts"}]}],
    }
    squad = entry("squad", pts=50, selectionEntries=[entry("man", pts=0.1, least=2)])
    army = {"id": "army", "name": "Army", "gameSystemId": "gs", "selectionEntries": [squad, entry("must", least=1)]}
    return {"type": "setup", "version": "1.0", "specId": "demo", "gameSystem": system, "catalogues": [army]}


class Client:
    def __init__(self) -> None:
        self.session = Session()
        assert self.send(setup_message()) == {"type": "setupResult", "errors": []}

    def send(self, message: Message) -> Message:
        answer = json.loads(json.dumps(self.session.answer(message), default=float))
        assert isinstance(answer, dict)
        return answer

    def act(self, action: str, **inputs: Any) -> Message:
        answer = self.send({"type": "action", "action": action, **inputs})
        assert answer["ok"] is True, answer
        outputs = answer["outputs"]
        assert isinstance(outputs, dict)
        return outputs

    def state(self) -> Message:
        return self.send({"type": "getState"})


def names(force: Message) -> list[tuple[str, int]]:
    return [(row["name"], row["number"]) for row in force["selections"]]


def test_every_action_in_one_life() -> None:
    client = Client()
    force = client.act("addForce", forceEntryId="patrol", catalogueId="army")
    assert list(force["selections"]) == ["must"]
    chosen = client.act("selectEntry", forceId=force["forceId"], entryId="squad")
    man = chosen["selections"]["man"]
    client.act("selectChildEntry", forceId=force["forceId"], selectionId=chosen["selectionId"], entryId="man")
    client.act("setSelectionCount", forceId=force["forceId"], selectionId=man, count=3)
    copy = client.act("duplicateSelection", forceId=force["forceId"], selectionId=chosen["selectionId"])
    client.act("deselectSelection", forceId=force["forceId"], selectionId=copy["selectionId"])
    client.act("setCostLimit", costTypeId="pts", value=50)
    client.act("setCustomization", forceId=force["forceId"], customName="Mine", customNotes="n")
    client.act("setCustomization", forceId=force["forceId"], selectionId=man, customName="Bob")
    child = client.act("addChildForce", forceId=force["forceId"], forceEntryId="scouts", catalogueId="army")
    second = client.act("duplicateForce", forceId=force["forceId"])
    client.act("removeForce", forceId=second["forceId"])
    before = client.state()
    assert before["costs"] == [{"name": "pts", "typeId": "pts", "value": 50.3, "hidden": False}]
    assert before["costLimits"][0]["value"] == 50
    (shown,) = before["forces"]
    assert (shown["customName"], names(shown)) == ("Mine", [("Must", 1), ("Squad", 1)])
    assert [row["id"] for row in shown["childForces"]] == [child["forceId"]]
    assert [error["constraintId"] for error in before["validationErrors"]] == ["must-min", "pts"]
    assert client.send({"type": "getErrors"})["errors"] == before["validationErrors"]
    client.act("reload")
    assert client.state() == before
    xml = client.send({"type": "exportRosterXml"})["xml"]
    client.act("loadRoster", xml=xml)
    assert client.state()["forces"] == before["forces"]
    assert client.send({"type": "teardown"}) == {"type": "teardownResult"}
    assert client.send({"type": "getState"})["type"] == "error"


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("unknown command", {"type": "screenshot"}),
        ("no type", {}),
        ("a type that is none", {"type": 5}),
        ("setup without a system", {"type": "setup"}),
        ("files that are none", {"type": "setupFromFiles", "files": "x"}),
    ],
)
def test_a_broken_command_gets_an_error_answer(case: str, message: Message) -> None:
    answer = Client().send({**message, "corrId": 7})
    assert list(answer) == ["type", "corrId", "message"], case
    assert (answer["type"], answer["corrId"]) == ("error", 7)


@pytest.mark.parametrize(
    ("case", "inputs"),
    [
        ("unknown action", {"action": "dance"}),
        ("no action", {}),
        ("missing input", {"action": "addForce"}),
        ("unknown entry", {"action": "selectEntry", "forceId": "nobody", "entryId": "x"}),
        ("a count that is none", {"action": "setSelectionCount", "selectionId": "x", "count": "many"}),
        ("a roster that is none", {"action": "loadRoster", "xml": "<html/>"}),
    ],
)
def test_a_failing_action_says_so_and_changes_nothing(case: str, inputs: Message) -> None:
    client = Client()
    before = client.state()
    answer = client.send({"type": "action", **inputs})
    assert (answer["ok"], bool(answer["error"])) == (False, True), case
    assert client.state() == before


def test_files_are_set_up_and_unreadable_ones_named() -> None:
    session = Session()
    files = [{"fileName": "Game.gst", "content": SYSTEM}, {"fileName": "Army.cat", "content": catalogue()}]
    assert session.answer({"type": "setupFromFiles", "files": files}) == {"type": "setupResult", "errors": []}
    broken = session.answer({"type": "setupFromFiles", "files": [files[0], {"fileName": "X.cat", "content": "<x"}]})
    assert len(broken["errors"]) == 1  # type: ignore[arg-type]
    missing = session.answer({"type": "setupFromFiles", "files": files[1:]})
    assert missing["errors"] == ["Army.cat: the set has no readable game system file (.gst)."]


def test_lines_in_lines_out() -> None:
    out = io.StringIO()
    lines = ['{"type": "describe", "corrId": 1}', "", "no json", "[1]", '{"type": "describe"}']
    serve(io.StringIO("\n".join(lines) + "\n"), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["type"] for answer in answers] == ["describeResult", "error", "error", "describeResult"]
    assert answers[0]["capabilities"] == {"rosterXml": True}


def test_the_command_says_only_answers() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "line_protocol"],
        input=json.dumps({"type": "describe", "corrId": 1}) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=Path(__file__).resolve().parent.parent.parent,
    )
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["type"] == "describeResult"


@pytest.mark.shared
def test_a_sample_of_the_conformance_suite(shared: Path) -> None:
    """One in four of the visible specs; the whole suite is a command of its own (docs)."""
    suite = shared / "battlescribe"
    specs = sorted(path.stem for path in (suite / "specs").rglob("*.yaml"))[::4]
    wanted = [part for spec in specs for part in ("--only", spec)]
    adapter = f"{sys.executable} -m armybuilder.engine.line_protocol"
    done = subprocess.run(
        [sys.executable, str(suite / "run_specs.py"), "--adapter", adapter, *wanted],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path(__file__).resolve().parent.parent.parent,
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(specs)} passed, 0 failed" in done.stdout
