"""The page on which a list is typed as text, with and without scripts."""

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.armylists.exports.files import plain_sheet_of
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(built: Muster) -> str:
    return reverse("web:list-typed", args=[built.list_id])


def text_on(page: str) -> str:
    return page.split("</textarea>", maxsplit=1)[0].rsplit(">", 1)[1]


def test_a_form_shows_checks_corrects_and_saves(built: Muster, as_owner: Client, address: str) -> None:
    assert address in as_owner.get(reverse("web:list", args=[built.list_id])).content.decode()
    page = as_owner.get(address).content.decode()
    text = text_on(page)
    assert "9x Legionary" in text and "Started, " in page and "Nothing is different." in page

    wrong = text.replace("9x Legionary", "14x Legionary") + "\nPredator Sqadron\n"
    sent = {"text": wrong, "revision": built.row.revision}
    page = as_owner.post(address, sent | {"check": ""}).content.decode()
    assert "Predator Sqadron" in page and "not sure" in page and "9 → 14" in page.replace("\xa0", " ")
    line = wrong.splitlines().index("Predator Sqadron") + 1
    meant = f"{line} ⇒ Predator Sqadron ⇒ Predator Squadron"
    assert f'value="{meant}"' in page
    page = as_owner.post(address, sent | {"mean": meant}).content.decode()
    assert "Predator Sqadron" not in page and "not sure" not in page

    assert built.row.revision == int(sent["revision"])
    answer = as_owner.post(address, {"text": text_on(page), "revision": built.row.revision, "save": ""})
    assert answer.status_code == 302
    assert [unit.name for unit in plain_sheet_of(built.row).units] == ["Praetor", "Tactical Squad", "Predator Squadron"]


def test_beside_the_text_stands_what_it_would_be(built: Muster, as_owner: Client, address: str) -> None:
    text = text_on(as_owner.get(address).content.decode())
    headers = {"HX-Request": "true", "HX-Target": "typed-told"}
    answer = as_owner.post(address, {"text": text, "revision": "1"}, headers=headers).content.decode()
    assert "verdict" in answer and "<textarea" not in answer
    words = reverse("web:list-typed-words", args=[built.list_id])
    assert 'data-word="Tactical Squad"' in as_owner.get(words, {"words": "tact"}).content.decode()
    assert "Legionary" in as_owner.get(words, {"words": "leg", "unit": "Tactical Squad"}).content.decode()


def test_a_refused_text_stays_on_the_page(built: Muster, as_owner: Client, as_stranger: Client, address: str) -> None:
    late = as_owner.post(address, {"text": "+ HQ +\nPraetor", "revision": "1", "save": ""})
    assert late.status_code == 409 and "Praetor</textarea>" in late.content.decode()
    empty = as_owner.post(address, {"text": "<b>nothing", "revision": built.row.revision, "save": ""})
    assert empty.status_code == 422 and "&lt;b&gt;nothing</textarea>" in empty.content.decode()
    assert as_stranger.get(address).status_code == 404
    assert as_stranger.post(address, {"text": "x", "save": "", "revision": "1"}).status_code == 404
