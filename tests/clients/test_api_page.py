"""docs/api.md: each of its examples runs at a live site, with the things that its variables stand for."""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from army_builder_client import ArmyBuilder

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import Scope
from armybuilder.accounts.services import issue_token
from armybuilder.simulations import dispatch
from armybuilder.webhooks.signing import headers, new_secret
from tests.api.example_calls import ARMY
from tests.api.test_simulations import SHOOTING
from tests.clients.test_examples import DOCS, needing, run, site  # noqa: F401 - a fixture
from tests.clients.test_pages import GIVEN
from tests.receivers import Receiver

PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
SHELL, PYTHON = (re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for kind in ("sh", "python"))
REFUSED = '"colour": "red"'
"""What the example of an error sends."""

BEFORE = """set -euo pipefail
curl() { command curl --fail-with-body --max-time 120 "$@"; }
"""

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def things(
    site: str,  # noqa: F811
    owner: User,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[str], dict[str, str]]:
    """Makes what the variables of an example stand for: a list or hero with a link, an event, a token, a webhook."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: True)  # nobody waits for results here
    token = issue_token(owner, name="reader", scopes=Scope.values).secret

    def make(example: str) -> dict[str, str]:
        with ArmyBuilder(site, token) as api:
            if "relic" in example:
                army: Any = api.create_list("relic", "First", character="Ultramarines Captain")
                force = ""
            else:
                catalogue = api.get("systems/horus-heresy/factions/sons-of-horus/")["catalogue_id"]
                army = api.create_list("horus-heresy", "First", catalogue_id=catalogue, points_limit=1500)
                force = army["document"]["roster"]["forces"][0]["id"]
                if '"matrix"' in example:  # somebody has to fight
                    army = api.edit(army, {"edit": "add_unit", "force_id": force, "entry_id": "hh-la-tactical-squad"})
            event = api.create("events/", {"system": "horus-heresy", "name": "Cup"})
            hook = api.create("webhooks/", {"url": receiver.url, "happenings": ["list.changed"]})
            verdict = api.request("POST", f"lists/{army['id']}/verdict/").json()
            return {
                "API": f"{site}/api/v1",
                "TOKEN": token,
                "LIST": army["id"],
                "DETACHMENT": force,
                "SHARE": api.share(army["id"])["token"],
                "EVENT": event["event"]["token"],
                "ID": api.create("account/tokens/", {"name": "old", "scopes": ["check"]})["token"]["id"],
                "HOOK": hook["webhook"]["id"],
                "CODE": verdict["code"],
            }

    return make


@needing("bash", "curl", "jq")
def test_every_example_is_answered(things: Callable[[str], dict[str, str]], receiver: Receiver, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    (folder / "armies").mkdir(parents=True)
    for name, document in (("army", ARMY), ("armies/one", ARMY), ("armies/two", ARMY), ("matchup", SHOOTING)):
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "docs").symlink_to(DOCS)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    assert len(SHELL) > 15
    for block in SHELL:
        variables = things(block)
        commands = GIVEN.sub("", block).replace("K7QXM-2PD4A", variables["CODE"])
        commands = commands.replace("https://bot.example.org/army-builder", receiver.url)
        done = run("bash", "-c", f"cd {folder}\n{BEFORE}{commands}", PATH=path, **variables)
        assert (done.returncode == 0) != (REFUSED in block), block + done.stdout[-2000:] + done.stderr
        assert "problem+json" not in done.stdout, block


def test_the_example_of_a_webhook_knows_what_is_genuine() -> None:
    (program,) = PYTHON
    names: dict[str, Any] = {"base64": base64, "hashlib": hashlib, "hmac": hmac}
    exec(compile(program, "docs/api.md", "exec"), names)
    secret, body = new_secret(), b'{"type": "ping"}'
    sent = headers([new_secret(), secret], message_id="msg_1", timestamp=1_800_000_000, body=body)
    assert names["is_genuine"](secret, sent, body)
    assert not names["is_genuine"](secret, sent, body + b" ")
    assert not names["is_genuine"](new_secret(), sent, body)
