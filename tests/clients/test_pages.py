"""The tutorial and the how-to pages: their commands, run one after the other at a live site, say what the page says."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.clients.test_examples import DOCS, needing, run, secret, site  # noqa: F401 - fixtures

BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GIVEN = re.compile(r"^(?:API|TOKEN)=.*\n", re.MULTILINE)
"""What a reader fills in."""

NEXT = "--- next ---"
PAGES = ["tutorial.md", "how-to/run-an-event.md", "how-to/verify-a-verdict.md"]

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def commands_of(page: str) -> list[tuple[str, str | None]]:
    """Each block of commands, and the output that the page shows below it."""
    found: list[tuple[str, str | None]] = []
    for kind, text in BLOCK.findall(page):
        if kind == "sh":
            found.append((GIVEN.sub("", text), None))
        else:
            found[-1] = (found[-1][0], text)
    return found


def pattern_of(shown: str) -> str:
    """What a page shows, with `…` for whatever is another each time."""
    return re.escape(shown.strip()).replace("…", ".*")


@needing("bash", "curl", "jq")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_happens(name: str, site: str, secret: str, tmp_path: Path) -> None:  # noqa: F811
    blocks = commands_of((DOCS / name).read_text(encoding="utf-8"))
    assert len(blocks) > 3
    folder = tmp_path / "reader"
    folder.mkdir()
    shutil.copy(DOCS / "verify_verdict.py", folder)
    script = "set -euo pipefail\n" + f"\necho '{NEXT}'\n".join(text for text, _ in blocks)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # the python of a reader who has the package
    done = run("bash", "-c", f"cd {folder}\n{script}", API=f"{site}/api/v1", TOKEN=secret, PATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    for (text, shown), said in zip(blocks, done.stdout.split(f"{NEXT}\n"), strict=True):
        if shown is not None:
            assert re.fullmatch(pattern_of(shown), said.strip()), (text, said)


def test_every_how_to_is_run() -> None:
    assert {f"how-to/{path.name}" for path in (DOCS / "how-to").glob("*.md")} <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_run_the_same(name: str) -> None:
    """Commands and what is shown below them, to the letter: so they are run once."""
    english, russian = ((DOCS / page).read_text(encoding="utf-8") for page in (name, f"ru/{name}"))
    assert commands_of(english) == commands_of(russian)
    assert english.count("\n## ") == russian.count("\n## ")
