"""A standby that strangers read from: it lags, dies and comes back, and whoever changes something sees it at once."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic

import pytest

from armybuilder.accounts.viewers import GUEST_COOKIE
from armybuilder.replica import WROTE_COOKIE
from tests.faults.installation import Filled, Site, patiently
from tests.servers import Missing, Postgres, Standby

pytestmark = [pytest.mark.long, pytest.mark.services]

OLDEST_SECONDS = 4
"""REPLICA_SECONDS: short enough to wait for, long enough to look at the site meanwhile."""


@dataclass(slots=True)
class Pair:
    """A site that reads from a standby."""

    site: Site
    standby: Standby

    def shared(self, token: str, cookie: str = "") -> tuple[int, str]:
        """Status and page of a shared list, for somebody who shows nothing but this cookie."""
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        connection.request("GET", f"/s/{token}/", headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def shows(self, token: str, name: str, cookie: str = "") -> bool:
        """Whether the page has this name as its heading."""
        status, page = self.shared(token, cookie)
        assert status == 200, page
        return f"{name}</h1>" in page

    def doctor(self) -> str:
        """What `manage.py doctor` says."""
        said, _ = self.site.start("manage.py", "doctor", pipes=True).communicate(timeout=100)
        return said.decode()

    def link(self, list_id: str) -> str:
        """The token of a new link."""
        answer = self.site.ask("POST", f"/api/v1/lists/{list_id}/share-links/", {})
        assert answer.status == 201, answer
        return str(answer.body["token"])


@pytest.fixture(scope="module")
def running(filled: Filled, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two PostgreSQL servers, one after the other, and the site before them."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-replica-")))
        folder.chmod(0o755)  # PostgreSQL runs as another user
        (folder / "primary").mkdir()
        (folder / "standby").mkdir()
        try:
            primary = Postgres(folder / "primary")
        except Missing as missing:
            pytest.skip(str(missing))
        running.callback(primary.stop)
        standby = Standby(folder / "standby", primary)
        running.callback(standby.stop)
        site = Site(
            tmp_path_factory.mktemp("installations") / "replica",
            filled=filled,
            DATABASE_URL=primary.url,
            REPLICA_DATABASE_URL=standby.url,
            REPLICA_SECONDS=str(OLDEST_SECONDS),
            SECRET_KEY=(filled.folder / "secret_key").read_text(),
        )
        Site(filled.folder).run("manage.py", "backup", "--output", str(folder / "backup.tar.gz"))
        site.run("manage.py", "restore", "--yes", str(folder / "backup.tar.gz"))
        running.enter_context(site.served())
        yield Pair(site, standby)


@pytest.fixture
def pair(running: Pair) -> Pair:
    """The same, with a standby that is known to be read from."""
    token, first, second = running.link(running.site.lists[0]), "read by all", "not yet"
    running.site.rename(running.site.lists[0], first)

    def is_read() -> bool:
        """Whether a name stays the old one for strangers while the standby is held up."""
        running.site.rename(running.site.lists[0], first)
        if not patiently(lambda: running.shows(token, first), seconds=20):
            return False
        running.standby.hold_up()
        running.site.rename(running.site.lists[0], second)
        is_old = running.shows(token, first)
        running.standby.go_on()
        return is_old

    assert patiently(is_read), "nobody reads from the standby"
    assert patiently(lambda: running.shows(token, second))
    return running


def test_who_changes_something_sees_it_at_once_and_strangers_within_the_bound(pair: Pair) -> None:
    (mine, *_), token = pair.site.lists, pair.link(pair.site.lists[0])
    pair.site.rename(mine, "before")
    assert patiently(lambda: pair.shows(token, "before"))
    pair.standby.hold_up()
    try:
        start = monotonic()
        assert pair.site.rename(mine, "after") == 200
        assert pair.site.name_of(mine) == "after"
        assert pair.shows(token, "before"), "a stranger reads from the standby"
        for name in ("sessionid", GUEST_COOKIE, WROTE_COOKIE):
            assert pair.shows(token, "after", f"{name}=1"), name
        assert patiently(lambda: pair.shows(token, "after"), seconds=OLDEST_SECONDS + 10)
        assert monotonic() - start >= OLDEST_SECONDS / 2, "it was not the standby that answered before"
        assert "WRONG replica: does not keep up" in pair.doctor()
    finally:
        pair.standby.go_on()
    assert "ok    replica: 0." in pair.doctor()


def test_a_link_is_good_the_moment_it_is_made(pair: Pair) -> None:
    pair.standby.hold_up()
    try:
        assert pair.shared(pair.link(pair.site.lists[1]))[0] == 200
    finally:
        pair.standby.go_on()


def test_nobody_notices_that_the_standby_dies_and_comes_back(pair: Pair) -> None:
    token = pair.link(pair.site.lists[0])
    assert pair.shared(token)[0] == 200
    pair.standby.kill()
    try:
        assert {pair.shared(token)[0] for _ in range(20)} == {200}
        pair.site.rename(pair.site.lists[0], "without a standby")
        assert pair.shows(token, "without a standby")
    finally:
        pair.standby.start()
