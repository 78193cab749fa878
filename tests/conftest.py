"""What every test may use: the cast, the shared folder, and real PostgreSQL and Redis servers on loopback.

Also how a run is shared out among several processes, and how hard properties are searched for examples against them.
"""

import gc
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from tests import libraries
from tests.breadth import VARIABLE, WHOLE, is_whole
from tests.databases import copy_migrated, migrate_postgres
from tests.receivers import Receiver, running_receiver
from tests.servers import KEY, Missing, empty_database, running_postgres, running_redis

if TYPE_CHECKING:
    from django.test.client import Client

    from armybuilder.accounts.models import User
    from armybuilder.accounts.viewers import Viewer

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults"
PASSWORD = "correct horse battery staple"
"""The password of everybody in the cast."""

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs that drive a page, the best first: the same engine without windows and bars takes a third less."""

REAL_TIME = {"chromium", "postgres_server", "redis_url", "live_server"}
"""Fixtures that bring other processes or threads with a clock of their own: a busy machine can make such a test red. It
is tried a second time, and the summary tells so as "rerun"; a test without them has one try."""

hypothesis_settings.register_profile("dev", derandomize=True, deadline=None, database=None, max_examples=25)
hypothesis_settings.register_profile("ci", derandomize=True, deadline=None, database=None, max_examples=100)
hypothesis_settings.register_profile("long", derandomize=False, deadline=None, max_examples=5000)
hypothesis_settings.load_profile("ci" if is_whole() else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled is shared by all processes of a run, and removed with it.

    Rubbish is looked for less often: a run holds ten thousand tests that stay, and each look goes through all of them.
    """
    gc.set_threshold(100_000, 20, 100)
    if libraries.begin():
        config.add_cleanup(libraries.end)


def pytest_report_header() -> str:
    """Whether what passes has been seen everywhere."""
    return "walks: all places" if is_whole() else f"walks: a share of the places; {VARIABLE}={WHOLE} takes all"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What has clocks of its own may be tried again; and where a run is shared out, what takes longest comes first.

    So all processes end with quick files, and none is left alone with a long one. pytest-django, which has an order of
    its own, has sorted before.
    """
    for item in items:
        if _is_in_real_time(item):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if hasattr(config, "workerinput"):  # a process among several
        items.sort(key=_place_in_a_shared_run)


def _is_in_real_time(item: pytest.Item) -> bool:
    return not REAL_TIME.isdisjoint(getattr(item, "fixturenames", ())) or FAULTS in item.path.parents


def _place_in_a_shared_run(item: pytest.Item) -> int:
    """Real servers and browsers, which wait for each other; then what is long by what it is about; then all others."""
    if _is_in_real_time(item):
        return 0
    return 1 if item.get_closest_marker("long") else 2


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The thread that performs what a test queued ends with the test, before its database is cleared.

    Left alone it would sweep the rows of whatever test comes next.
    """
    if embedded := sys.modules.get("armybuilder.simulations.embedded"):
        embedded.stop()


@pytest.fixture(scope="session", autouse=True)
def _installation_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests write nothing into var/, sign with a key of their own and hash passwords quickly.

    Files are looked for when asked for: each client has a handler of its own, and would list them all anew.
    """
    settings.VAR_DIR = tmp_path_factory.mktemp("var")
    settings.COMPILED_CACHE_DIR = libraries.compiled_folder()
    settings.SECRET_KEY = KEY
    settings.EMBEDDED_PROCESSES = 0  # another process would not have the settings and patches of a test
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def migrated_databases(request: pytest.FixtureRequest) -> Path | None:
    """Where SQLite databases are kept: from run to run, or for this one with `-p no:cacheprovider`."""
    if connections["default"].vendor != "sqlite":
        return None
    cache = getattr(request.config, "cache", None)
    return cache.mkdir("migrated") if cache is not None else libraries.compiled_folder()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite tests use a file, as an installation does: threads and other processes see the same database."""
    connection = connections["default"]
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "tests.sqlite3")


@pytest.fixture(scope="session")
def django_db_keepdb(
    request: pytest.FixtureRequest, migrated_databases: Path | None, django_db_modify_db_settings: None
) -> bool:
    """Whether there is a database already, which only has to be brought up to date: a copy of the kept one."""
    if migrated_databases is None:
        return bool(request.config.getoption("reuse_db"))
    copy_migrated(migrated_databases, Path(connections["default"].settings_dict["TEST"]["NAME"]))
    return True


LASTING = {"django_content_type", "auth_permission"}
"""Tables whose rows follow from the models: to make them anew after each test takes a tenth of a second."""


def _empty_tables(case: TransactionTestCase) -> None:
    """What Django does at the end of a test that commits, but for rows that it would make anew at once."""
    for alias in case._databases_names(include_mirrors=False):
        connection = connections[alias]
        names = connection.introspection.django_table_names(only_existing=True, include_views=False)
        emptied = [name for name in names if name not in LASTING]
        connection.ops.execute_sql_flush(
            connection.ops.sql_flush(no_style(), emptied, reset_sequences=False, allow_cascade=False)
        )


@pytest.fixture(scope="session", autouse=True)
def _what_follows_from_models_stays() -> None:
    """Tests that commit leave content types and permissions as they are."""
    TransactionTestCase._fixture_teardown = _empty_tables


@pytest.fixture(autouse=True)
def _nothing_inherited() -> Iterator[None]:
    """No test inherits throttle counts, cached answers or a page's language from another."""
    with translation.override(settings.LANGUAGE_CODE):
        yield
    for cache in caches.all():  # those too that only another thread has used, as a server for a browser does
        cache.clear()
    if (names := sys.modules.get("armybuilder.reference.names")) is not None:
        names.called_in_minute.cache_clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder beside the checkout: contracts, community data, conformance specs."""
    folder = ROOT.parent / "shared"
    if not (folder / "contracts").is_dir():
        pytest.skip(f"no shared folder at {folder}")
    return folder


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """DATABASE_URL of a PostgreSQL server on a free loopback port, stopped at the end of the run."""
    try:
        with running_postgres() as url:
            yield url
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """DATABASE_URL of an empty PostgreSQL database; what other tests left on the server is not in it."""
    return empty_database(postgres_server)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str, tmp_path_factory: pytest.TempPathFactory, migrated_databases: Path) -> str:
    """DATABASE_URL of a PostgreSQL database with all migrations made, to be copied and never connected to."""
    url = empty_database(postgres_server)
    migrate_postgres(url, tmp_path_factory.mktemp("migrated"), migrated_databases)
    return url


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
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        pytest.skip("no Chromium installed: apt-get install chromium-headless-shell fonts-dejavu-core")
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


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """An address that webhooks may be sent to."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with running_receiver() as told:
        yield told
