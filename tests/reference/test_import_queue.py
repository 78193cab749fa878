"""Imports on the queue: asked for at once, claimed once, stopped, and sources that are read again by the clock."""

import zipfile
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from armybuilder.datafiles.errors import BadDataFile
from armybuilder.datafiles.models import DataImport, DataRelease, DataSource, ImportFile, PublishedSystem
from armybuilder.engine.errors import Cancelled
from armybuilder.reference import gallery, import_queue, import_worker
from armybuilder.reference.tasks import perform_import
from tests.datafiles.data_server import DataServer, data_server
from tests.gamedata_files import release

pytestmark = pytest.mark.django_db


def archive(revision: int = 1) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for file in release(revision=revision):
            written.writestr(file.name, file.content)
    return out.getvalue()


def asked_for(**members: Any) -> DataImport:
    return import_queue.ask(files=[("all.zip", archive())], origin="mine", by=None, publish=True, **members)


@pytest.fixture
def source(game: PublishedSystem, settings: Any) -> Any:
    """A source on a local server that is to be read every day and published."""
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    with data_server() as server:
        server.gives_marks = True
        server.answers = {"/all.zip": archive()}
        row = DataSource.objects.create(
            system=game,
            name="Local",
            kind="address",
            address=server.address("/all.zip"),
            every_hours=24,
            publishes=True,
        )
        yield row, server


def performed(asked: DataImport) -> DataImport:
    import_queue.perform(asked.pk)
    asked.refresh_from_db()
    return asked


def test_an_import_is_performed_once_and_lets_go_of_its_files() -> None:
    asked = asked_for()
    assert import_queue.waiting() == [asked.pk]
    perform_import(str(asked.pk))
    done = performed(asked)
    assert (done.state, len(done.releases), done.finished_at is not None) == ("done", 1, True)
    assert DataRelease.objects.count() == 1 and not ImportFile.objects.exists() and not import_queue.waiting()


def test_a_lost_worker_does_no_harm() -> None:
    asked = asked_for()
    DataImport.objects.filter(pk=asked.pk).update(state="running", leased_until=timezone.now() + timedelta(minutes=1))
    import_queue.perform(asked.pk)
    assert not DataRelease.objects.exists()  # another worker has it
    DataImport.objects.filter(pk=asked.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert performed(asked).state == "done"


def test_a_running_import_stops_at_its_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_for()
    usual = import_queue._progress

    def of_a_stopped_one(row: DataImport, should_stop: Any) -> Any:
        write = usual(row, should_stop)

        def told(done: int, total: int, name: str) -> None:
            assert import_queue.cancel(row)
            write(done, total, name)

        return told

    monkeypatch.setattr(import_queue, "_progress", of_a_stopped_one)
    assert performed(asked).state == "cancelled"
    assert not DataRelease.objects.exists()


def test_what_was_not_done_is_not_told_as_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def given_up(*files: Any, progress: Any, **facts: Any) -> Any:
        progress(1, 32, "Red Host")
        raise Cancelled("The import was cancelled.")

    monkeypatch.setattr(import_queue, "import_games", given_up)
    asked = performed(asked_for())
    assert (asked.state, asked.done, asked.total) == ("cancelled", 1, 32)


def test_a_worker_that_ends_gives_its_import_back() -> None:
    asked = asked_for()
    import_queue.perform(asked.pk, should_stop=lambda: True)
    asked.refresh_from_db()
    assert (asked.state, asked.leased_until, import_queue.waiting()) == ("queued", None, [asked.pk])
    assert ImportFile.objects.exists() and not DataRelease.objects.exists()
    assert performed(asked).state == "done"


def test_a_cancelled_import_is_not_given_back() -> None:
    asked = asked_for()

    def should_stop() -> bool:
        import_queue.cancel(asked)
        return True

    import_queue.perform(asked.pk, should_stop=should_stop)
    asked.refresh_from_db()
    assert (asked.state, import_queue.waiting()) == ("cancelled", [])


def test_an_address_must_be_one() -> None:
    with pytest.raises(BadDataFile):
        import_queue.ask(addresses=["/etc/passwd"], origin="x", by=None, publish=False)
    assert not DataImport.objects.exists()


def test_a_source_is_read_by_the_clock_and_only_when_it_has_changed(source: tuple[DataSource, DataServer]) -> None:
    row, server = source
    assert import_queue.ask_for_due_sources() == 1 and import_queue.ask_for_due_sources() == 0
    (first,) = import_queue.waiting()
    import_queue.perform(first)
    row.refresh_from_db()
    row.system.refresh_from_db()
    assert row.etag and row.system.current_release is not None and row.system.current_release.source == row

    reads = len(server.asked)
    again = performed(import_queue.ask_for_source(row, by=None))
    assert (again.state, again.releases, len(server.asked) - reads) == ("done", [], 1)  # 304: nothing was fetched

    server.answers["/all.zip"] = archive(revision=2)
    assert len(performed(import_queue.ask_for_source(row, by=None)).releases) == 1
    row.system.refresh_from_db()
    assert row.system.current_release is not None and row.system.current_release.number == 2
    DataSource.objects.update(checked_at=timezone.now() - timedelta(hours=25))
    assert import_queue.ask_for_due_sources() == 1


@pytest.mark.parametrize(("said", "reads"), [("Tue, 24 Nov 2026 10:00:00 GMT", 1), ("", 2)])
def test_a_host_without_marks_is_asked_by_the_time_it_tells(
    source: tuple[DataSource, DataServer], said: str, reads: int
) -> None:
    """One that tells no time either is read again; the same content makes no release."""
    row, server = source
    server.gives_marks, server.changed_at = False, said
    first = performed(import_queue.ask_for_source(row, by=None))
    row.refresh_from_db()
    assert row.etag == said
    before = len(server.asked)
    performed(import_queue.ask_for_source(row, by=None))
    assert len(server.asked) - before == reads
    server.answers["/all.zip"], server.changed_at = archive(revision=2), said and "Wed, 25 Nov 2026 10:00:00 GMT"
    newer = performed(import_queue.ask_for_source(row, by=None))
    assert len(newer.releases) == 1 and newer.releases != first.releases


@pytest.mark.parametrize(
    ("case", "answer", "words"),
    [
        ("a page instead of data", b"<!doctype html><html><body>Moved</body></html>", "all.zip"),
        ("a redirect to a private address", "http://10.0.0.1/all.zip", "is not https"),
        ("an error", 503, "answered 503"),
        ("too large", bytes(40_000), "is larger than"),
    ],
)
def test_a_broken_newest_version_leaves_the_old_one_current_and_says_so(
    source: tuple[DataSource, DataServer], settings: Any, case: str, answer: Any, words: str
) -> None:
    row, server = source
    assert performed(import_queue.ask_for_source(row, by=None)).state == "done"
    server.answers["/all.zip"] = answer
    if case == "too large":
        settings.GAMEDATA_MAX_FILE_BYTES = 30_000
    failed = performed(import_queue.ask_for_source(row, by=None))
    row.refresh_from_db()
    row.system.refresh_from_db()
    assert failed.state == "failed" and words in failed.problems[0] and words in row.problem, case
    assert row.system.current_release is not None and row.system.current_release.number == 1


def test_what_is_new_waits_where_the_administrator_said_so(source: tuple[DataSource, DataServer]) -> None:
    row, _ = source
    DataSource.objects.update(publishes=False)
    row.refresh_from_db()
    assert len(performed(import_queue.ask_for_source(row, by=None)).releases) == 1
    row.system.refresh_from_db()
    assert row.system.current_release is None


def test_celery_is_sent_each_import_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(perform_import, "delay", sent.append)
    asked = asked_for()
    import_worker.sweep()
    import_worker.sweep()
    assert sent == [str(asked.pk)]
    DataImport.objects.update(sent_at=timezone.now() - timedelta(minutes=2))
    import_worker.sweep()
    assert sent == [str(asked.pk)] * 2


def test_a_repository_of_the_gallery_is_fetched_with_one_press(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    page = admin_client.get("/admin/datafiles/dataimport/gallery/").content.decode()
    assert "BSData/wh40k-10e" in page
    with data_server() as server:
        server.answers = {"/owner/data.zip": archive()}
        ours = gallery.Gallery(server.address("/{repository}.zip"), (gallery.Repository("owner/data", "Invented"),))
        monkeypatch.setattr("armybuilder.reference.import_admin.gallery", lambda: ours)
        assert admin_client.post("/admin/datafiles/dataimport/gallery/", {"repository": "x/y"}).status_code == 404
        answer = admin_client.post("/admin/datafiles/dataimport/gallery/", {"repository": "owner/data"})
        (asked,) = import_queue.waiting()
        import_queue.perform(asked)
    told = admin_client.get(answer["Location"]).content.decode()
    assert "This is the current release" in told
    assert PublishedSystem.objects.get().current_release is not None


@pytest.mark.parametrize(
    ("kind", "address", "fits"),
    [
        ("folder", "https://example.org/data.zip", False),
        ("address", "/srv/data", False),
        ("address", "https://example.org/data.zip", True),
        ("folder", "/srv/data", True),
    ],
)
def test_a_source_is_of_the_kind_its_address_says(game: PublishedSystem, kind: str, address: str, fits: bool) -> None:
    row = DataSource(system=game, name="A source", kind=kind, address=address)
    try:
        row.full_clean()
    except ValidationError as refused:
        assert not fits
        assert set(refused.message_dict) == {"kind"}
    else:
        assert fits


@pytest.mark.parametrize(
    ("queue", "command"),
    [("embedded", "python manage.py serve"), ("redis", "celery -A armybuilder.celery worker")],
)
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Nothing takes this import up"), ("ru", "Загрузку никто не берёт")]
)
def test_an_import_that_nobody_takes_up_says_what_to_start(
    admin_client: Client, settings: Any, queue: str, command: str, language: str, words: str
) -> None:
    settings.QUEUE = queue
    asked = asked_for()

    def page() -> str:
        address = f"/admin/datafiles/dataimport/{asked.pk}/change/"
        return admin_client.get(address, headers={"accept-language": language}).content.decode()

    assert words not in page(), "asked for just now"
    DataImport.objects.filter(pk=asked.pk).update(created_at=timezone.now() - timedelta(minutes=1))
    shown = page()
    assert words in shown
    assert command in shown

    other = asked_for()
    lease = timezone.now() + timedelta(minutes=5)
    DataImport.objects.filter(pk=other.pk).update(state=DataImport.State.RUNNING, leased_until=lease)
    assert words not in page(), "a worker is there, and has another in hand"
    DataImport.objects.filter(pk=other.pk).update(leased_until=timezone.now() - timedelta(minutes=1))
    assert words in page(), "that one's worker is gone"
    performed(asked)
    assert words not in page()
