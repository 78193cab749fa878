"""My lists: finding, ordering, duplicating, the bin."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.armylists.models import ArmyList
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db


def test_search_and_order(muster: Callable[..., Muster], game: object, as_owner: Client) -> None:
    for name in ("Bravo", "Alpha", "Charlie"):
        muster(name=name)
    page = as_owner.get(reverse("web:lists"), {"sort": "name"}).content.decode()
    assert page.index("Alpha") < page.index("Bravo") < page.index("Charlie")
    page = as_owner.get(reverse("web:lists"), {"q": "brav"}).content.decode()
    assert "Bravo" in page
    assert "Alpha" not in page
    assert "No list has" in as_owner.get(reverse("web:lists"), {"q": "<none>"}).content.decode()


def test_htmx_gets_the_fragment_alone(muster: Callable[..., Muster], game: object, as_owner: Client) -> None:
    muster(name="Alpha")
    html = as_owner.get(reverse("web:lists"), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in html
    assert html.count('id="lists"') == 1


def test_an_unknown_order_is_the_usual_one(muster: Callable[..., Muster], game: object, as_owner: Client) -> None:
    muster()
    assert as_owner.get(reverse("web:lists"), {"sort": "password"}).status_code == 200


def test_a_deleted_list_can_be_brought_back(built: Muster, as_owner: Client) -> None:
    answer = as_owner.post(reverse("web:list-delete", args=[built.list_id]))
    assert ArmyList.objects.get().deleted is not None
    after = as_owner.get(answer.url).content.decode()
    assert reverse("web:list-restore", args=[built.list_id]) in after
    assert "First draft" in as_owner.get(reverse("web:lists"), {"bin": "1"}).content.decode()
    as_owner.post(reverse("web:list-restore", args=[built.list_id]))
    assert ArmyList.objects.get().deleted is None


def test_a_duplicate_is_opened(built: Muster, as_owner: Client) -> None:
    answer = as_owner.post(reverse("web:list-duplicate", args=[built.list_id]))
    copy = ArmyList.objects.exclude(pk=built.list_id).get()
    assert answer.url == reverse("web:list", args=[copy.pk])
