"""The sample program under docs/ does what it says against a live server with the shipped game data."""

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.accounts.services import issue_token
from armybuilder.armylists.models import ArmyList

pytestmark = pytest.mark.long

PROGRAM = Path(__file__).parents[2] / "docs" / "sample_client.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program, as a reader of the documentation would start it."""
    return subprocess.run(
        [sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.django_db(transaction=True)
def test_it_builds_a_list_checks_it_and_prints_its_link(live_server: Any, owner: User, client: Client) -> None:
    call_command("seed", stdout=StringIO())
    done = run(live_server.url, issue_token(owner, name="sample", scopes=WRITING).secret)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, *findings, link = done.stdout.splitlines()
    made = ArmyList.objects.get(owner=owner)
    assert verdict == f"illegal: {made.points:.0f} of 2000 points"
    assert made.points is not None
    assert made.points > 0
    assert len(findings) >= 2
    assert all(re.match(r"  (HH|BS)-\d\d .+", finding) for finding in findings)
    assert link.startswith(f"{live_server.url}/s/")
    token = link.rstrip("/").rpartition("/")[2]
    assert client.get(f"/api/v1/shared/{token}/").json()["name"] == "Speartip"


@pytest.mark.django_db(transaction=True)
def test_it_says_why_it_is_refused(live_server: Any, owner: User) -> None:
    read_only = issue_token(owner, name="sample", scopes=READING).secret
    assert (
        run(live_server.url, "nonsense").stderr
        == "Signing in failed: This token is unknown, revoked or expired. (None)\n"
    )
    done = run(live_server.url, read_only)
    assert (done.returncode, done.stdout) == (1, "")
    assert ArmyList.objects.count() == 0


def test_it_is_short_enough_to_read() -> None:
    code = [line for line in PROGRAM.read_text(encoding="utf-8").partition('"""\n\n')[2].splitlines() if line.strip()]
    assert len(code) <= 32
