"""The documentation: it builds without a warning, is shown under /docs/ as the policy allows, and nothing else is."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from tests.conftest import ROOT

pytestmark = pytest.mark.django_db

DOWNLOADS = "_downloads/0123456789abcdef"
DOWNLOAD = (f"{DOWNLOADS}/.env.example", f"{DOWNLOADS}/.env.example")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make docs` builds."""
    folder = tmp_path_factory.mktemp("documentation")
    command = ["--quiet", "--fail-on-warning", "--keep-going", "-b", "dirhtml", "-d", str(folder / "trees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command, "docs", str(folder / "docs")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "docs"


@pytest.fixture
def few(tmp_path: Path, settings: Any) -> Path:
    """A folder with a page and a file, and a secret beside it."""
    settings.DOCS_DIR = tmp_path / "docs"
    for name in ("index.html", "api/index.html", "_static/docs.css", ".doctrees/secret", f"{DOWNLOADS}/.env.example"):
        (settings.DOCS_DIR / name).parent.mkdir(parents=True, exist_ok=True)
        (settings.DOCS_DIR / name).write_text(name, encoding="utf-8")
    (tmp_path / "secret").write_text("kept from all", encoding="utf-8")
    (tmp_path / "index.html").write_text("kept from all", encoding="utf-8")
    return tmp_path


def body_of(response: Any) -> str:
    return b"".join(response).decode()


@pytest.mark.long
def test_every_page_is_built_and_holds_nothing_that_the_policy_forbids(
    built: Path, client: Client, settings: Any
) -> None:
    settings.DOCS_DIR = built
    sources = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.parent.relative_to(built) for path in built.rglob("index.html")}
    assert {one.parent if one.name == "index" else one for one in sources} == pages - {Path("search")}
    for name in pages:
        page = (built / name / "index.html").read_text(encoding="utf-8")
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style| style=| on\w+=\"", page) == [], name
    start = client.get("/docs/")
    assert "default-src 'self'" in start["Content-Security-Policy"]
    assert "unsafe" not in start["Content-Security-Policy"]
    leads_to: dict[str, str] = {}
    for name in pages:
        page = (built / name / "index.html").read_text(encoding="utf-8")
        here = f"http://testserver/docs/{name}/".replace("/./", "/")
        for address in re.findall(r'(?:href|src)="([^"#]+)', page):
            found = urlsplit(urljoin(here, unescape(address)))
            if found.netloc == "testserver" and found.path.startswith("/docs/"):
                leads_to.setdefault(f"{found.path}?{found.query}".rstrip("?"), here)
    assert len(leads_to) > 60
    assert {at: by for at, by in leads_to.items() if client.get(at).status_code != 200} == {}


def test_pages_and_files_are_shown(few: Path, client: Client) -> None:
    for path, shown in (
        ("", "index.html"),
        ("api/", "api/index.html"),
        ("_static/docs.css", "_static/docs.css"),
        DOWNLOAD,
    ):
        response = client.get(f"/docs/{path}")
        assert (response.status_code, body_of(response)) == (200, shown)
        assert response["Cache-Control"] == "no-cache"
    first = client.get("/docs/_static/docs.css?v=1234")
    assert first["Cache-Control"] == "public, max-age=31536000, immutable"
    again = client.get("/docs/api/", headers={"If-Modified-Since": first["Last-Modified"]})
    assert again.status_code == 304
    moved = client.get("/docs/api")
    assert (moved.status_code, moved["Location"]) == (302, "/docs/api/")
    assert client.post("/docs/").status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "../secret",
        "..%2fsecret",
        "%2e%2e/secret",
        "%2e%2e",
        "api/../../secret",
        "/etc/passwd",
        "%2fetc/passwd",
        "..%5csecret",
        ".doctrees/secret",
        "_downloads/..",
        "_downloads/../.doctrees/secret",
        f"{DOWNLOADS}/..",
        f"{DOWNLOADS}/../../../secret",
        "none/",
        "none",
        "%00",
        "x" * 300,
        "x" * 300 + "/",
    ],
)
def test_nothing_else_is(few: Path, client: Client, path: str) -> None:
    response = client.get(f"/docs/{path}")
    assert response.status_code == 404
    assert "kept from all" not in (shown := body_of(response))
    assert shown != ".doctrees/secret"


@pytest.mark.parametrize(("language", "words"), [("en", "has not been built"), ("ru", "не собрана")])
def test_until_it_is_built_the_page_says_how(client: Client, settings: Any, language: str, words: str) -> None:
    settings.DOCS_DIR = Path("/nonexistent")
    for address in ("/docs/", "/docs/api/"):
        response = client.get(address, headers={"Accept-Language": language})
        assert response.status_code == 404
        assert words in response.content.decode()
        assert "make docs" in response.content.decode()


def test_every_page_leads_to_it_once_it_is_built(few: Path, client: Client, settings: Any) -> None:
    """Before, the link of every page led to an error."""
    assert 'href="/docs/"' in client.get("/about/").content.decode()
    settings.DOCS_DIR = Path("/nonexistent")
    assert 'href="/docs/"' not in client.get("/about/").content.decode()
