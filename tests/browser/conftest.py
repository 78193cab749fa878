"""A whole site on a free port with its own database, and a real browser to walk through it."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.breadth import is_whole
from tests.databases import lay_out_seeded

ROOT = Path(__file__).resolve().parent.parent.parent
SHOTS = ROOT / "var" / "screenshots"
"""Where journeys leave what they saw, when asked with SCREENSHOTS=1; not committed."""

START_SECONDS = 400
PATIENCE_MS = 60_000
"""How long a step or an expectation waits; the usual five seconds are too few beside other work on the machine."""
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


expect.set_options(timeout=PATIENCE_MS)


def mainly_on(size: dict[str, int]) -> pytest.MarkDecorator:
    """`size`: a phone and a desktop; in a share of the places the one that is named."""
    sizes = [PHONE, DESKTOP] if is_whole() else [size]
    return pytest.mark.parametrize("size", sizes, ids=lambda it: "phone" if it is PHONE else "desktop")


def mainly_in(language: str) -> pytest.MarkDecorator:
    """`language`: both of them; in a share of the places the one that is named."""
    return pytest.mark.parametrize("language", ["en", "ru"] if is_whole() else [language])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    here = str(Path(__file__).parent)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, chromium: str, migrated_databases: Path) -> Iterator[str]:
    """Address of a freshly seeded site that runs in a process of its own."""
    folder = tmp_path_factory.mktemp("site")
    lay_out_seeded(folder, migrated_databases)
    with running_site(folder, "serve") as address:
        yield address


@contextmanager
def running_site(folder: Path, *commands: str) -> Iterator[str]:
    """A site that keeps everything in a folder, while it runs; the last of the commands of manage.py serves it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL")
    } | {
        "VAR_DIR": str(folder),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "SECRET_KEY": "only for the browser tests, never used by a real server",
        "DEBUG": "0",
        "WEB_WORKERS": "1",
        # All browsers of all tests have one address.
        "GUEST_LISTS_PER_HOUR": "100000",
        "GUEST_THINGS_PER_HOUR": "100000",
        "SIGN_UPS_PER_HOUR": "100000",
    }
    log = folder / "server.log"
    *before, serve = [[sys.executable, "manage.py", *shlex.split(command)] for command in commands]
    with log.open("wb") as out:
        for command in before:
            subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, check=True)
        server = subprocess.Popen(
            serve,
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_it_answers(address, server, log)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(10)


def _wait_until_it_answers(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"the server ended with {server.returncode}:\n{log.read_text()[-3000:]}")
        try:
            urllib.request.urlopen(f"{address}/healthz/", timeout=2).read()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"the server did not answer within {START_SECONDS} s:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """The system's Chromium, for one file: while Playwright runs, no other test of the process may ask the database."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()


LOST = re.compile(r"net::ERR_|htmx:sendError")
"""How a browser complains that a line was cut."""

GIVEN_UP = re.compile(r"htmx:(sendAbort|afterRequest)")
"""How it tells that a page was left, or asked anew, before the answer came; a lost line has more words."""


ASKED_AGAIN = re.compile(r"/repair/\?chip=")
"""What a page asks for again by itself when a slow machine has too much to do."""


class Visitors:
    """Opens browsers of separate people, and fails a test when a page complained in any of them."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser = browser
        self.site = site
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.is_cut = False

    def arrive(
        self,
        *,
        language: str = "en",
        size: dict[str, int] = DESKTOP,
        scripts: bool = True,
        touch: bool = False,
        kept_by: str = "",
        zone: str | None = None,
    ) -> Page:
        """A new person's first page, not yet opened.

        Args:
            kept_by: address by which the site is reached and its pages are kept on the device; without one its worker
                is kept out, as it would take requests from under the hands of a test.
            zone: of his clock; that of the machine unless told.
        """
        site = kept_by or self.site
        self.is_cut = self.is_cut or bool(kept_by)
        context = self.browser.new_context(
            base_url=site,
            service_workers="allow" if kept_by else "block",
            viewport={"width": size["width"], "height": size["height"]},
            java_script_enabled=scripts,
            has_touch=touch,
            is_mobile=touch,
            locale="ru-RU" if language == "ru" else "en-GB",
            timezone_id=zone,
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([{"name": "django_language", "value": language, "url": site}])
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._note(message.type, message.text, message.location["url"]))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def leave(self) -> None:
        """Close all browsers. What a page still asks for is then lost with it, and no complaint counts any more."""
        complaints = list(self.complaints)
        for context in self.contexts:
            context.close()
        assert complaints == []

    def _note(self, kind: str, text: str, address: str) -> None:
        is_meant = "status of 4" in text or GIVEN_UP.match(text)  # 409 and 422 refuse an edit
        is_meant = is_meant or bool("503" in text and ASKED_AGAIN.search(f"{text} {address}"))
        if kind == "error" and not (is_meant or (self.is_cut and LOST.search(text))):
            self.complaints.append(text)


@pytest.fixture
def visitors(browser: Browser, site: str) -> Iterator[Visitors]:
    """People with a browser each; scripts and the content policy must be silent in all of them."""
    visitors = Visitors(browser, site)
    yield visitors
    visitors.leave()


def shot(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep what a page looks like; to draw it takes half a second, and only whoever asked for it looks at it."""
    if os.environ.get("SCREENSHOTS"):
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)
