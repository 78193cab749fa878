"""The bot of the documentation: every command against a live server, and what it says when it is refused."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING
from armybuilder.accounts.services import issue_token
from armybuilder.armylists.models import ArmyList
from tests.clients.test_examples import DOCS, run, secret, site  # noqa: F401 - fixtures
from tests.simulations.conftest import worker  # noqa: F401 - a fixture

BOT = DOCS / "bot.py"

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def test_it_needs_the_standard_library_alone() -> None:
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(BOT.read_text(encoding="utf-8")))
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


def test_every_command(site: str, secret: str, owner: User, worker: None, tmp_path: Path) -> None:  # noqa: F811
    def bot(*command: str) -> list[str]:
        done = run(sys.executable, str(BOT), site, secret, *command)
        assert (done.returncode, done.stderr) == (0, ""), command
        return done.stdout.splitlines()

    assert bot("lists") == ["No lists yet."]
    (made,) = bot("build", "horus-heresy", "sons-of-horus", "1000", "Speartip")
    list_id = made.split()[0]
    assert bot("lists") == [f"{list_id}  illegal     Speartip"]
    *done, verdict = bot("repair", list_id)
    assert done
    assert any(one.startswith("Warlord") for one in done)
    assert ArmyList.objects.get(pk=list_id).verdict == verdict == "legal"
    title, primary, *units = bot("show", list_id)
    assert title.startswith("Speartip (The Horus Heresy")
    assert title.endswith(": legal")
    assert primary.startswith("Primary Detachment, Sons of Horus")
    assert len(units) >= 3
    (link,) = bot("share", list_id)
    assert link.startswith(f"{site}/s/")
    text, picture = tmp_path / "list.txt", tmp_path / "list.png"
    assert bot("export", list_id, "plain", str(text)) == [f"{text}: text/plain; charset=utf-8"]
    assert "Speartip" in text.read_text(encoding="utf-8")
    assert bot("picture", list_id, str(picture)) == [f"{picture}: image/png"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    losses = bot("simulate", list_id, link)
    assert len(losses) == 3
    assert all(" kills: " in line for line in losses)


@pytest.mark.parametrize(
    ("game", "faction"),
    [("wh40k-6th", "space-marines"), ("fantasy-8th", "empire"), ("epic", "codex-astartes-space-marines")],
)
def test_a_list_of_every_game(site: str, secret: str, owner: User, game: str, faction: str) -> None:  # noqa: F811
    """It took the first HQ and two Troops, which Fantasy and Epic do not have: it ended with a stack of calls."""
    made = run(sys.executable, str(BOT), site, secret, "build", game, faction, "2000", "Speartip")
    assert (made.returncode, made.stderr) == (0, "")
    shown = run(sys.executable, str(BOT), site, secret, "show", made.stdout.split()[0])
    assert (shown.returncode, shown.stderr) == (0, "")
    assert len(shown.stdout.splitlines()) > 2


@pytest.mark.parametrize(
    ("case", "command", "said"),
    [
        ("no such command", ["dance"], "Commands are lists, build"),
        ("too few arguments", ["show"], "A bot for the API"),
        ("a list that is not there", ["show", "00000000-0000-0000-0000-000000000000"], "Nothing here"),
        ("a scope that is missing", ["build", "horus-heresy", "sons-of-horus", "1000", "No"], "lists:write"),
    ],
)
def test_it_says_why_it_is_refused(site: str, owner: User, case: str, command: list[str], said: str) -> None:  # noqa: F811
    reading: Any = issue_token(owner, name="bot", scopes=READING).secret
    done = run(sys.executable, str(BOT), site, reading, *command)
    assert (done.returncode, done.stdout) == (1, ""), case
    assert said in done.stderr, case
    assert not ArmyList.objects.filter(owner=owner).exists()
