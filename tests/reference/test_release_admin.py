"""Releases in the admin: upload and report first, publishing is a second step, strangers do neither."""

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib import admin
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.datafiles.models import DataImport, DataRelease, DataSource, PublishedSystem
from armybuilder.reference import import_queue, publishing, queries
from armybuilder.reference.models import Faction
from tests.datafiles.data_server import data_server
from tests.gamedata_files import SQUAD, catalogue, release

SECOND_FACTOR = 3
"""Queries of every page of the administration: which second factors whoever looks has."""

UPLOAD = "/admin/datafiles/datarelease/upload/"


def perform_all() -> None:
    """What the worker does."""
    for import_id in import_queue.waiting():
        import_queue.perform(import_id)


def uploads(*files) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(file.name, file.content) for file in files or release()]


@pytest.mark.parametrize("page", ["datarelease", "dataimport"])
def test_the_gallery_is_found_where_releases_and_imports_are(as_administrator: Client, page: str) -> None:
    shown = as_administrator.get(f"/admin/datafiles/{page}/").content.decode()
    assert reverse("admin:datafiles_dataimport_gallery") in shown


def test_an_upload_is_reported_first_and_published_by_a_second_step(
    as_administrator: Client, administrator: User, game: PublishedSystem
) -> None:
    form = {"system": game.pk, "data_files": uploads(), "origin": "my disk"}
    answer = as_administrator.post(UPLOAD, form)
    assert answer.status_code == 302
    assert "Stop the import" in as_administrator.get(answer["Location"]).content.decode()
    perform_all()
    stored = DataRelease.objects.get()
    told = as_administrator.get(answer["Location"]).content.decode()
    assert str(stored.pk) in told and "then publish the release" in told
    address = f"/admin/datafiles/datarelease/{stored.pk}/change/"
    assert (stored.origin, stored.created_by) == ("my disk", administrator)
    game.refresh_from_db()
    assert game.current_release is None and not queries.units("invented").exists()

    page = as_administrator.get(address).content.decode()
    assert "Publish this release" in page and "2022 - Red Host" in page and "red.cat" in page
    published = as_administrator.post(f"/admin/datafiles/datarelease/{stored.pk}/publish/", follow=True)
    assert "is now the current release" in published.content.decode()
    game.refresh_from_db()
    assert game.current_release == stored and queries.units("invented").count() == 3
    assert "Publish this release" not in as_administrator.get(address).content.decode()


def test_a_file_comes_back_byte_for_byte(as_administrator: Client, game: PublishedSystem) -> None:
    stored = publishing.publish(game, release(), origin="a test").release
    page = as_administrator.get(f"/admin/datafiles/datarelease/{stored.pk}/change/").content.decode()
    links = re.findall(rf'href="(/admin/datafiles/datarelease/{stored.pk}/files/[^"]+)"', page)
    contents = {as_administrator.get(link).content for link in links}
    assert contents == {file.content for file in release()}
    answer = as_administrator.get(links[0])
    assert answer["Content-Disposition"].startswith('attachment; filename="')
    assert answer["Content-Type"] == "application/octet-stream"


@pytest.mark.parametrize(
    ("case", "files", "words"),
    [
        ("a cut file", (*release()[:2], type(release()[0])("blue.cat", release()[2].content[:700])), "blue.cat"),
        ("no data file", (type(release()[0])("army.pdf", b"%PDF"),), "army.pdf: is no data file"),
        (
            "another game",
            (type(release()[0])("game.gst", release()[0].content.replace(b'id="game"', b'id="x"')),),
            "(x)",
        ),
    ],
)
def test_a_bad_upload_is_explained_and_changes_nothing(
    as_administrator: Client, game: PublishedSystem, case: str, files: tuple, words: str
) -> None:
    current = publishing.publish(game, release(), origin="a test").release
    answer = as_administrator.post(UPLOAD, {"system": game.pk, "data_files": uploads(*files)})
    perform_all()
    assert words in as_administrator.get(answer["Location"]).content.decode(), case
    game.refresh_from_db()
    assert game.current_release == current and DataRelease.objects.count() == 1


@pytest.mark.parametrize("address", [UPLOAD, "/admin/datafiles/datasource/add/"])
def test_data_sets_of_one_game_are_told_apart_where_one_is_chosen(
    as_administrator: Client, game: PublishedSystem, address: str
) -> None:
    PublishedSystem.objects.create(pk="invented-too", name=game.name, game=game)
    page = as_administrator.get(address).content.decode()
    for key in (game.pk, "invented-too"):
        assert f'<option value="{key}">{game.name} – {key}</option>' in page


def test_the_list_is_cheap_and_shows_what_is_current(
    as_administrator: Client, game: PublishedSystem, django_assert_max_num_queries
) -> None:
    publishing.publish(game, release(), origin="first")
    publishing.publish(game, release(catalogue("red", "Red Host", SQUAD), revision=2), origin="second")
    with django_assert_max_num_queries(9 + SECOND_FACTOR):
        page = as_administrator.get("/admin/datafiles/datarelease/").content.decode()
    assert "first" in page and "second" in page
    current = as_administrator.get("/admin/datafiles/datarelease/?current=yes").content.decode()
    assert "second" in current and "first" not in current.split("result_list")[1]


@pytest.mark.parametrize("who", ["nobody", "stranger", "staff without the right"])
def test_others_neither_upload_nor_publish_nor_download(
    client: Client, game: PublishedSystem, stranger: User, who: str
) -> None:
    current = publishing.publish(game, release(), origin="a test").release
    waiting = publishing.submit(game, release(revision=2), origin="a test")
    if who != "nobody":
        stranger.is_staff = who.startswith("staff")
        stranger.save()
        client.force_login(stranger)
    expected = 403 if stranger.is_staff else 302
    file = waiting.files.first()
    assert file is not None
    for answer in (
        client.get(UPLOAD),
        client.post(UPLOAD, {"system": game.pk, "data_files": uploads(*release(revision=3))}),
        client.post(f"/admin/datafiles/datarelease/{waiting.pk}/publish/"),
        client.get(f"/admin/datafiles/datarelease/{waiting.pk}/files/{file.pk}/"),
    ):
        assert answer.status_code == expected
    game.refresh_from_db()
    assert game.current_release == current and DataRelease.objects.count() == 2


def test_rows_that_publishing_rebuilds_are_read_only_and_name_their_release(
    as_administrator: Client, game: PublishedSystem
) -> None:
    stored = publishing.publish(game, release(), origin="a test").release
    for kind, row in (
        ("unitentry", queries.units("invented").first()),
        ("fortification", queries.fortifications("invented").first()),
    ):
        assert row is not None
        address = f"/admin/reference/{kind}/{row.pk}/change/"
        page = as_administrator.get(address).content.decode()
        assert f"/admin/datafiles/datarelease/{stored.pk}/change/" in page
        assert as_administrator.post(address, {"name": "Mine"}).status_code == 403
        row.refresh_from_db()
        assert row.name != "Mine"
        assert as_administrator.post(f"/admin/reference/{kind}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
        assert as_administrator.get(f"/admin/reference/{kind}/add/").status_code == 403


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/admin/datafiles/publishedsystem/", 8),
        ("/admin/datafiles/datasource/", 6),
        ("/admin/reference/battlefieldrole/", 7),
        ("/admin/reference/faction/", 9),
        ("/admin/reference/faction/?playable=yes", 9),
        ("/admin/reference/unitentry/?q=fearless", 10),
        ("/admin/reference/forceorganisation/", 8),
        ("/admin/reference/alliancelevel/", 7),
        ("/admin/reference/fortification/", 8),
    ],
)
def test_every_list_of_the_admin_costs_few_queries(
    as_administrator: Client, game: PublishedSystem, address: str, most: int, django_assert_max_num_queries
) -> None:
    publishing.publish(game, release(), origin="a test")
    with django_assert_max_num_queries(most + SECOND_FACTOR):
        assert as_administrator.get(address).status_code == 200


def test_every_row_of_the_admin_opens(as_administrator: Client, game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    opened = 0
    reverse("admin:index")  # the pages are found with the first address
    for model, options in admin.site._registry.items():
        if options.opts.app_label in ("datafiles", "reference", "accounts"):
            row = model._default_manager.first()
            if row is not None:
                address = reverse(f"admin:{options.opts.app_label}_{options.opts.model_name}_change", args=[row.pk])
                assert as_administrator.get(address).status_code == 200, address
                opened += 1
    assert opened >= 8


def test_a_faction_is_an_army_list_of_its_own_game_only(as_administrator: Client, game: PublishedSystem) -> None:
    other = PublishedSystem.objects.create(id="other", name="Other")
    foreign = Faction.objects.create(system=other, key="foreign", name="Foreign")
    red = Faction.objects.get(key="red")
    form = {
        "name": "Red Host",
        "name_ru": "",
        "fixed_allegiance": "",
        "matrix_position": "1",
        "belongs_to": str(foreign.pk),
    }
    page = as_administrator.post(f"/admin/reference/faction/{red.pk}/change/", form)
    assert page.status_code == 200 and "Choose a faction of the same game" in page.content.decode()
    red.refresh_from_db()
    assert red.belongs_to is None
    blue = Faction.objects.get(key="blue")
    assert (
        as_administrator.post(
            f"/admin/reference/faction/{red.pk}/change/", form | {"belongs_to": str(blue.pk)}
        ).status_code
        == 302
    )
    red.refresh_from_db()
    assert red.belongs_to == blue


def test_units_are_found_by_russian_words_in_any_case(as_administrator: Client, game: PublishedSystem) -> None:
    publishing.publish(game, release(), origin="a test")
    page = as_administrator.get("/admin/reference/unitentry/?q=БЕССТРАШИЕ").content.decode()
    assert "Line Squad" in page and "Captain" in page
    page = as_administrator.get("/admin/reference/unitentry/?q=Капитан").content.decode()
    assert "Captain" in page and "Line Squad" not in page


def test_a_folder_is_read_into_a_release_that_waits(
    as_administrator: Client, game: PublishedSystem, tmp_path: Path
) -> None:
    for file in release():
        (tmp_path / file.name).write_bytes(file.content)
    source = DataSource.objects.create(system=game, name="My folder", address=str(tmp_path))
    chosen = {"action": "read_again", "_selected_action": str(source.pk)}
    page = as_administrator.post("/admin/datafiles/datasource/", chosen, follow=True).content.decode()
    assert "My folder is being read" in page
    perform_all()
    waiting = DataRelease.objects.get()
    assert waiting.source == source
    game.refresh_from_db()
    assert game.current_release is None
    (tmp_path / "red.cat").write_bytes(b"<cut")
    as_administrator.post("/admin/datafiles/datasource/", chosen)
    perform_all()
    page = as_administrator.get("/admin/datafiles/datasource/").content.decode()
    assert "red.cat" in page and DataRelease.objects.count() == 1


def test_an_address_is_read_and_a_new_game_known_by_its_data(as_administrator: Client, db: None, settings) -> None:
    settings.DATA_SOURCE_ALLOWED_HOSTS = ["127.0.0.1"]
    with data_server() as server:
        server.answers = {"/all.bsr": archive()}
        as_administrator.post(UPLOAD, {"address": server.address("/all.bsr")})
        perform_all()
        stored = DataRelease.objects.get()
        assert (stored.system_id, stored.origin) == ("invented-game", server.address("/all.bsr"))
        source = DataSource.objects.create(
            system=stored.system, name="Index", kind="address", address=server.address("/all.bsr")
        )
        chosen = {"action": "read_again", "_selected_action": str(source.pk)}
        as_administrator.post("/admin/datafiles/datasource/", chosen)
        perform_all()
        assert DataImport.objects.get(source=source).releases == [str(stored.pk)]


@pytest.mark.parametrize(
    ("case", "form", "words"),
    [
        ("neither", {}, "one of the two"),
    ],
)
def test_addresses_that_may_not_be_asked_are_refused(
    as_administrator: Client, db: None, case: str, form: dict[str, str], words: str
) -> None:
    answer = as_administrator.post(UPLOAD, form)
    assert (answer.status_code, words in answer.content.decode()) == (422, True), case
    assert not PublishedSystem.objects.exists()


def test_imports_are_for_administrators(client: Client, stranger: User) -> None:
    stranger.is_staff = True
    stranger.save()
    client.force_login(stranger)
    asked = import_queue.ask(files=[("a.cat", b"x")], origin="mine", by=None, publish=False)
    for address in ("gallery/", f"{asked.pk}/cancel/"):
        assert client.post(f"/admin/datafiles/dataimport/{address}").status_code == 403
    asked.refresh_from_db()
    assert asked.state == "queued"


def archive() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for file in release():
            written.writestr(file.name, file.content)
    return out.getvalue()
