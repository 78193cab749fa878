"""The examples in curl, JavaScript and Python, the client's README and the Discord bot run against a live server."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from army_builder_client import ArmyBuilder, Problem, RetryingTransport

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.accounts.services import issue_token
from armybuilder.armylists.models import ArmyList
from tests.conftest import ROOT
from tests.databases import load_seeded

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

DOCS = ROOT / "docs"
PACKAGE = ROOT / "clients/python"


def needing(*tools: str) -> pytest.MarkDecorator:
    """Skips where a program is missing that the example is written for."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


COMMANDS = [
    pytest.param(["sh", str(DOCS / "sample_client.sh")], marks=needing("sh", "curl", "jq"), id="curl"),
    pytest.param(["node", str(DOCS / "sample_client.mjs")], marks=needing("node"), id="JavaScript"),
]


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program, as a reader of the documentation would start it with the package installed."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE / "src"), "PYTHONUTF8": "1", **variables},
    )


@pytest.fixture
def site(live_server: Any, tmp_path: Path, migrated_databases: Path) -> str:
    """The address of a live site with the shipped game data."""
    load_seeded(tmp_path, migrated_databases)
    return str(live_server.url)


@pytest.fixture
def secret(owner: User) -> str:
    return issue_token(owner, name="sample", scopes=WRITING).secret


@pytest.fixture(scope="module")
def bot() -> ModuleType:
    """The module of the Discord example."""
    spec = importlib.util.spec_from_file_location("discord_bot", DOCS / "discord_bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("command", COMMANDS)
def test_an_example_builds_a_list_checks_it_and_prints_its_link(
    command: list[str], site: str, secret: str, owner: User
) -> None:
    done = run(*command, site, secret)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, link = done.stdout.splitlines()
    made = ArmyList.objects.get(owner=owner)
    assert made.points is not None
    assert made.points > 0
    assert verdict == f"illegal: {made.points:.0f} of 2000 points"
    with ArmyBuilder(site) as api:
        assert api.shared(link.rstrip("/").rpartition("/")[2])["name"] == "Speartip"


@pytest.mark.parametrize("command", COMMANDS)
def test_an_example_says_why_it_is_refused(command: list[str], site: str, owner: User) -> None:
    done = run(*command, site, issue_token(owner, name="sample", scopes=READING).secret)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.match(r"[A-Z].+: .+\.\n", done.stderr)
    assert not ArmyList.objects.filter(owner=owner).exists()


def test_the_program_of_the_readme_runs(site: str, secret: str) -> None:
    program = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    done = run(sys.executable, "-c", program, SITE=site, TOKEN=secret)
    assert (done.returncode, done.stderr) == (0, "")
    sheet, link, refusal = done.stdout.splitlines()
    assert re.fullmatch(r"Speartip: illegal, [1-9][\d.]* of 2000 points", sheet)
    assert link.startswith(f"{site}/s/")
    assert refusal == "404 not-found"


def test_the_client_goes_through_pages_and_repeats_nothing(site: str, secret: str) -> None:
    with ArmyBuilder(site, secret) as api:
        whole = [unit["id"] for unit in api.units("horus-heresy", page_size=200)]
        assert len(whole) > 5
        assert [unit["id"] for unit in api.units("horus-heresy", page_size=3)] == whole
        catalogue = api.get("systems/horus-heresy/factions/sons-of-horus/")["catalogue_id"]
        made = [api.create_list("horus-heresy", "Once", key="once", catalogue_id=catalogue) for _ in range(2)]
        assert made[0] == made[1]
        assert [row["id"] for row in api.lists(system="horus-heresy")] == [made[0]["id"]]
        with pytest.raises(Problem) as caught:
            api.create_list("horus-heresy", "Twice", key="once", catalogue_id=catalogue)
        assert caught.value.status == 422
        with pytest.raises(Problem) as caught:
            api.create_list("horus-heresy", "Red", colour="red")
        assert (caught.value.code, caught.value.at) == ("bad-document", "/colour")
        army = api.edit(made[0], {"edit": "set_name", "name": "Renamed"})
        assert (army["name"], api.check(army["id"])["verdict"]) == ("Renamed", "illegal")
        with pytest.raises(Problem) as caught:
            api.edit(made[0], {"edit": "set_name", "name": "Late"})
        assert caught.value.status == 409


def test_the_client_speaks_russian(site: str) -> None:
    with ArmyBuilder(site, language="ru") as api, pytest.raises(Problem) as caught:
        api.shared("unknown")
    assert re.search("[а-я]", caught.value.title)


def test_the_bot_posts_sheet_and_verdict(bot: ModuleType, site: str, secret: str) -> None:
    with ArmyBuilder(site, secret) as api:
        faction = api.get("systems/horus-heresy/factions/sons-of-horus/")
        army = api.create_list(
            "horus-heresy", "@everyone *here*", catalogue_id=faction["catalogue_id"], points_limit=2000
        )
        force = army["document"]["roster"]["forces"][0]["id"]
        praetor = next(api.units("horus-heresy", faction="sons-of-horus", role="hq"))
        army = api.edit(army, {"edit": "add_unit", "force_id": force, "entry_id": praetor["entry_id"]})
        link = api.share(army["id"])["url"]
    with ArmyBuilder(site) as anonymous:
        said = bot.reply(anonymous, f"!list {link}")
        assert said == bot.reply(anonymous, f"!list <{link}>")
        gone = bot.reply(anonymous, "!list nothing-here")
    title, verdict, *rest = said.splitlines()
    assert title == "**@\u200beveryone \\*here\\*** (The Horus Heresy: Age of Darkness)"
    assert verdict == f"❌ illegal – {army['points']:g} of 2000 points"
    assert any(praetor["name"]["en"] in line for line in rest)
    assert any(line.startswith("• ") for line in rest)
    assert len(said) <= 2000
    assert gone.startswith("That list cannot be shown: ")
    done = run(sys.executable, str(DOCS / "discord_bot.py"), site, f"!list {link}")
    assert (done.returncode, done.stdout) == (0, said + "\n")


def test_the_bot_answers_commands_only_and_explains_itself(bot: ModuleType, site: str) -> None:
    with ArmyBuilder(site) as api:
        assert bot.reply(api, "what a !list") is None
        assert bot.reply(api, "!lists x") is None
        assert bot.reply(api, "!list") == bot.HELP
        assert bot.reply(api, "!list ../../lists/") == bot.HELP
    with ArmyBuilder("http://127.0.0.1:9", transport=RetryingTransport(tries=1)) as nowhere:
        assert bot.reply(nowhere, "!list abc") == "The site cannot be reached just now."


def test_a_long_message_is_cut_at_a_line(bot: ModuleType) -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(100)]
    text = bot.cut(lines)
    assert len(text) <= bot.LONGEST
    kept = text.splitlines()
    assert kept[:-1] == lines[: len(kept) - 1]
    assert kept[-1] == f"… and {100 - len(kept) + 1} more lines"
    assert bot.cut(lines[:3]) == "\n".join(lines[:3])
