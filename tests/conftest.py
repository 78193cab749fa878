"""What every test may use: the cast, the shared folder, and real PostgreSQL and Redis servers on loopback.

Also how a run is shared out among several processes, and how hard properties are searched for examples against them.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connections
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from tests import libraries
from tests.servers import Missing, running_postgres, running_redis

if TYPE_CHECKING:
    from django.test.client import Client

    from armybuilder.accounts.models import User
    from armybuilder.accounts.viewers import Viewer

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "correct horse battery staple"
"""The password of everybody in the cast."""

ONE_PROCESS = {
    "chromium": {"chromium", "browser", "site"},
    "servers": {"postgres_url", "redis_url"},
}
"""Fixtures that cost a browser or a server each: the tests that ask for one of a set run in the same process."""

hypothesis_settings.register_profile("dev", derandomize=True, deadline=None, database=None, max_examples=50)
hypothesis_settings.register_profile("ci", derandomize=True, deadline=None, database=None, max_examples=100)
hypothesis_settings.register_profile("long", derandomize=False, deadline=None, max_examples=5000)
hypothesis_settings.load_profile("dev")


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled is shared by all processes of a run, and removed with it."""
    if libraries.begin():
        config.add_cleanup(libraries.end)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a browser or a server are kept together when the run is shared out."""
    for item in items:
        for group, fixtures in ONE_PROCESS.items():
            if not fixtures.isdisjoint(getattr(item, "fixturenames", ())):
                item.add_marker(pytest.mark.xdist_group(group))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The thread that performs what a test queued ends with the test, before its database is cleared.

    Left alone it would sweep the rows of whatever test comes next.
    """
    if embedded := sys.modules.get("armybuilder.simulations.embedded"):
        embedded.stop()


@pytest.fixture(scope="session", autouse=True)
def _installation_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests write nothing into var/, sign with a key of their own and hash passwords quickly."""
    settings.VAR_DIR = tmp_path_factory.mktemp("var")
    settings.COMPILED_CACHE_DIR = libraries.compiled_folder()
    settings.SECRET_KEY = "only for tests, as long as a key should be, and never used by a server"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite tests use a file, as an installation does: threads and other processes see the same database."""
    connection = connections["default"]
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "tests.sqlite3")


@pytest.fixture(autouse=True)
def _nothing_inherited() -> Iterator[None]:
    """No test inherits throttle counts, cached answers or a page's language from another."""
    with translation.override(settings.LANGUAGE_CODE):
        yield
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder beside the checkout: contracts, community data, conformance specs."""
    folder = ROOT.parent / "shared"
    if not (folder / "contracts").is_dir():
        pytest.skip(f"no shared folder at {folder}")
    return folder


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """DATABASE_URL of an empty PostgreSQL database on a free loopback port, stopped at the end of the run."""
    try:
        with running_postgres() as url:
            yield url
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """REDIS_URL of an empty Redis server on a free loopback port, stopped at the end of the run."""
    try:
        with running_redis() as url:
            yield url
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the system's Chromium for journeys in a real browser."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium installed: apt-get install chromium fonts-dejavu-core")
    return path


def _user(name: str, **facts: bool) -> "User":
    from armybuilder.accounts.models import User  # noqa: PLC0415 - models load after the settings of the tests

    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **facts)


@pytest.fixture
def owner(db: None) -> "User":
    """Whose lists, tokens and runs a test is about."""
    return _user("owner")


@pytest.fixture
def friend(db: None) -> "User":
    """Somebody with an account to whom the owner gave a share link."""
    return _user("friend")


@pytest.fixture
def stranger(db: None) -> "User":
    """Somebody with an account who was given nothing."""
    return _user("stranger")


@pytest.fixture
def administrator(db: None) -> "User":
    """Who looks after the site."""
    return _user("administrator", is_staff=True, is_superuser=True)


@pytest.fixture
def guest() -> "Viewer":
    """Somebody without an account, known by the key in their browser."""
    from armybuilder.accounts.viewers import Viewer, new_guest_key  # noqa: PLC0415 - as above

    return Viewer(guest_key=new_guest_key())


@pytest.fixture
def as_administrator(client: "Client", administrator: "User") -> "Client":
    """A browser in which the administrator is signed in."""
    client.force_login(administrator)
    return client
