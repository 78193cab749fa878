"""The alliance grid in the admin: filled by hand or from CSV, closed to everybody else."""

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import queries
from armybuilder.reference.models import Alliance

GRID = "/admin/reference/alliance/matrix/invented/"


def test_the_list_leads_to_the_grid(as_administrator: Client, game: PublishedSystem) -> None:
    page = as_administrator.get("/admin/reference/alliance/")
    assert GRID in page.content.decode()


def test_the_grid_shows_every_cell_and_costs_few_queries(
    as_administrator: Client, game: PublishedSystem, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(11):
        page = as_administrator.get(GRID)
    text = page.content.decode()
    assert text.count("<select name=") == 9
    assert '<strong id="unknown-cells">9</strong> / 9' in text
    assert "<script>" not in text and "onclick" not in text and "style=" not in text


def test_a_filled_cell_is_stored_with_source_and_editor(
    as_administrator: Client, administrator: User, game: PublishedSystem
) -> None:
    fingerprint = queries.alliance_matrix(game.pk).fingerprint
    form = {"red--blue": "by_command", "blue--red": "", "source": " p. 12 ", "fingerprint": fingerprint}
    assert as_administrator.post(GRID, form).status_code == 302
    cell = Alliance.objects.get()
    assert (cell.from_faction.key, cell.to_faction.key) == ("red", "blue")
    assert (cell.level and cell.level.key, cell.source, cell.edited_by) == ("by_command", "p. 12", administrator)
    assert cell.history.get().edited_by == "administrator"
    listed = as_administrator.get("/admin/reference/alliance/").content.decode()
    assert "Red Host" in listed and "p. 12" in listed


@pytest.mark.parametrize("opposite", [False, True])
def test_the_opposite_direction_is_filled_on_request_only(
    as_administrator: Client, game: PublishedSystem, opposite: bool
) -> None:
    form = {"red--blue": "by_command", "blue--red": "", "fingerprint": queries.alliance_matrix(game.pk).fingerprint}
    as_administrator.post(GRID, form | ({"both_ways": "on"} if opposite else {}))
    assert Alliance.objects.count() == (2 if opposite else 1)


def test_an_old_page_is_refused_and_keeps_what_was_typed(as_administrator: Client, game: PublishedSystem) -> None:
    form = {"red--blue": "by_command", "source": "my book", "fingerprint": "of another day"}
    page = as_administrator.post(GRID, form)
    assert page.status_code == 422
    text = page.content.decode()
    assert "Somebody else has changed the matrix" in text
    assert 'value="my book"' in text and '<option value="by_command" class="level-2" selected>' in text
    assert not Alliance.objects.exists()


def test_a_level_that_does_not_exist_is_refused(as_administrator: Client, game: PublishedSystem) -> None:
    form = {"red--blue": "best_friends", "fingerprint": queries.alliance_matrix(game.pk).fingerprint}
    assert as_administrator.post(GRID, form).status_code == 422
    assert not Alliance.objects.exists()


def table(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("alliances.csv", content, "text/csv")


def test_a_table_goes_out_and_comes_back_filled(as_administrator: Client, game: PublishedSystem) -> None:
    exported = as_administrator.get(GRID + "export.csv")
    assert exported["Content-Type"] == "text/csv; charset=utf-8"
    assert exported["Content-Disposition"] == 'attachment; filename="alliances-invented.csv"'
    filled = exported.content.replace(b"Old Guard,?,", b"Old Guard,by_command,")
    answer = as_administrator.post(GRID + "import/", {"table": table(filled), "source": "page 96"})
    assert answer.status_code == 302
    assert str(Alliance.objects.get()) == "Old Guard → Red Host: By Command"
    assert Alliance.objects.get().source == "page 96"


@pytest.mark.parametrize(
    ("case", "content", "words"),
    [
        ("a wrong level", b",Red Host,Blue Host\nRed Host,by_command,nonsense\n", "column 3 (Blue Host)"),
        ("no UTF-8", b",Red Host\nRed Host,\xff\xfe\n", "not in UTF-8"),
        ("empty", b"", "empty"),
    ],
)
def test_a_bad_table_changes_nothing(
    as_administrator: Client, game: PublishedSystem, case: str, content: bytes, words: str
) -> None:
    page = as_administrator.post(GRID + "import/", {"table": table(content), "source": "x"})
    assert page.status_code == 422
    assert words in page.content.decode(), case
    assert not Alliance.objects.exists()


def test_the_page_speaks_russian(as_administrator: Client, game: PublishedSystem) -> None:
    page = as_administrator.get(GRID, headers={"accept-language": "ru"})
    assert "Красное войско" in page.content.decode() and "Побратимы" in page.content.decode()


@pytest.mark.parametrize("address", [GRID, GRID + "import/", GRID + "export.csv"])
@pytest.mark.parametrize("who", ["nobody", "stranger", "staff without the right"])
def test_others_neither_see_nor_change_it(
    client: Client, game: PublishedSystem, stranger: User, who: str, address: str
) -> None:
    if who != "nobody":
        stranger.is_staff = who.startswith("staff")
        stranger.save()
        client.force_login(stranger)
    form = {"red--blue": "by_command", "fingerprint": queries.alliance_matrix(game.pk).fingerprint}
    for answer in (client.get(address), client.post(address, form)):
        assert answer.status_code == (403 if stranger.is_staff else 302)
    assert not Alliance.objects.exists()


def test_who_may_look_may_not_change(client: Client, game: PublishedSystem, stranger: User) -> None:
    stranger.is_staff = True
    stranger.save()
    stranger.user_permissions.add(Permission.objects.get(codename="view_alliance"))
    client.force_login(stranger)
    page = client.get(GRID)
    assert page.status_code == 200 and "disabled" in page.content.decode()
    form = {"red--blue": "by_command", "fingerprint": queries.alliance_matrix(game.pk).fingerprint}
    assert client.post(GRID, form).status_code == 403
    assert client.post(GRID + "import/", {"table": table(b",Red Host\n"), "source": "x"}).status_code == 403
    assert not Alliance.objects.exists()


def test_a_form_without_its_token_is_refused(administrator: User, game: PublishedSystem) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(administrator)
    form = {"red--blue": "by_command", "fingerprint": queries.alliance_matrix(game.pk).fingerprint}
    assert client.post(GRID, form).status_code == 403
    assert not Alliance.objects.exists()
