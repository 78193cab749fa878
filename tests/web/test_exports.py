"""The page of texts and files: for a list's owner and for whoever has its link, with and without JavaScript."""

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.armylists import edits as e
from armybuilder.armylists.exports import FORMATS, paper
from armybuilder.armylists.exports.press import Press
from armybuilder.armylists.models import ShareLink
from armybuilder.armylists.share_links import new_token
from tests.armylists.conftest import Muster


@pytest.fixture
def mine(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def test_a_text_is_shown_to_be_copied_and_files_are_linked(mine: Client, built: Muster) -> None:
    address = f"/lists/{built.list_id}/exports/"
    assert address in mine.get(f"/lists/{built.list_id}/").content.decode()
    page = mine.get(address, {"show": "text-wtc", "language": "ru"}).content.decode()
    assert 'href="json/"' in page and 'href="rosz/"' in page
    assert 'data-copy="piece-1"' in page and "+ ФРАКЦИЯ: " in page
    assert 'href="text-wtc/?language=ru"' in page
    assert "<h1>Text and files</h1>" in page
    mine.cookies["django_language"] = "ru"
    assert "<h1>Текст и файлы</h1>" in mine.get(address).content.decode()


def test_every_format_is_at_its_address(mine: Client, built: Muster) -> None:
    for one in FORMATS.values():
        answer = mine.get(f"/lists/{built.list_id}/exports/{one.id}/?language=en")
        assert answer.status_code == 200 and answer["Content-Type"] == one.media_type, one.id
        is_shown = one.ending in ("pdf", "png")
        how = "inline" if is_shown else "attachment"
        assert answer["Content-Disposition"] == f'{how}; filename="First draft.{one.ending}"'
    assert mine.get(f"/lists/{built.list_id}/exports/exe/").status_code == 404


def test_a_paper_that_has_to_wait_too_long_says_when_to_ask_again(
    mine: Client, built: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Press(waiting=0)
    monkeypatch.setattr(paper, "PRESS", busy)
    link = ShareLink.objects.create(token=new_token(), army_list=built.row)
    papers = (f"/lists/{built.list_id}/exports/pdf/", f"/s/{link.token}/exports/png/", f"/s/{link.token}/preview.png")
    with busy.turn():
        for address in papers:
            answer = mine.get(address)
            assert (answer.status_code, answer["Retry-After"]) == (503, "5"), address
            assert "Other papers and pictures are being made" in answer.content.decode()
        mine.cookies["django_language"] = "ru"
        assert "Сейчас готовятся другие листы" in mine.get(papers[0]).content.decode()
        told = mine.get(f"/api/v1/lists/{built.list_id}/exports/pdf/")
        assert (told.status_code, told["Retry-After"], told.json()["code"]) == (503, "5", "press-busy")
        assert mine.get(f"/lists/{built.list_id}/exports/plain/").status_code == 200
    assert mine.get(papers[0]).status_code == 200


def test_a_link_opens_the_formats_and_a_stranger_finds_nothing(client: Client, stranger: User, built: Muster) -> None:
    link = ShareLink.objects.create(token=new_token(), army_list=built.row)
    assert client.get(f"/s/{link.token}/exports/").status_code == 200
    assert client.get(f"/s/{link.token}/exports/markdown/").status_code == 200
    assert client.get(f"/s/{new_token()}/exports/markdown/").status_code == 404
    client.force_login(stranger)
    for path in ("", "json/", "plain/"):
        assert client.get(f"/lists/{built.list_id}/exports/{path}").status_code == 404


def test_markup_in_a_name_is_shown_as_it_is_written(mine: Client, built: Muster) -> None:
    built.edit(e.SetName(name="</textarea><script>alert(1)</script>"))
    for format_id in ("plain", "bbcode", "markdown"):
        page = mine.get(f"/lists/{built.list_id}/exports/", {"show": format_id}).content.decode()
        assert "<script>alert" not in page


def test_the_virtual_table_is_explained_apart_from_files_that_open_here(mine: Client, built: Muster) -> None:
    address = f"/lists/{built.list_id}/exports/"
    page = mine.get(address, {"language": "en"}).content.decode()
    files, table = page.split('id="files-head"')[1].split("</section>")[0], page.split('id="table-head"')[1]
    assert "tts/" not in files and 'href="tts/?language=en"' in table and "Saved Objects" in table
    mine.cookies["django_language"] = "ru"
    page = mine.get(address).content.decode()
    assert "Виртуальный стол" in page and 'href="tts/?language=ru"' in page and "Put the file" not in page
