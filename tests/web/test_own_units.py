"""A unit of the owner's own in the builder: added, changed, removed, and marked for every reader."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.armylists.conftest import Muster
from tests.armylists.test_own_units import TOLD, role_of
from tests.web.conftest import HTMX, edit_form

pytestmark = pytest.mark.django_db


def test_it_is_added_by_a_form_and_readers_are_told(as_owner: Client, built: Muster) -> None:
    page = f"/lists/{built.list_id}/"
    assert "?pane=own" in as_owner.get(f"{page}?add={built.force_id}").content.decode()
    assert "A unit of your own" in as_owner.get(f"{page}?pane=own").content.decode()
    fields = {
        "name": "Iron Hounds",
        "place": f"{built.force_id} {role_of(built, 'Troops')}",
        "points": "90",
        "models": "5",
        "profile": "WS 4, Unit Type: Infantry",
        "notes": "",
    }
    form = edit_form(built.row, "set_own_unit", **fields)
    answer = unescape(as_owner.post(f"{page}edit/", form, follow=True).content.decode())
    ((own, stated),) = built.document.facts["own_units"].items()
    assert stated["profile"] == [["WS", "4"], ["Unit Type", "Infantry"]]
    assert "A unit of the owner's own, not of the data. The verdict is about the rest." in answer, "under its name"
    assert 'value="WS 4, Unit Type Infantry"' in answer
    for reader in ("print", "exports"):
        html = unescape(as_owner.get(f"{page}{reader}/").content.decode())
        assert TOLD in html, reader
    assert "own unit</span>" in as_owner.get(f"{page}print/").content.decode()
    assert "Свой отряд" in as_owner.get(f"{page}?pane=own", headers={"Accept-Language": "ru"}).content.decode()
    help_with = re.search(r'href="([^"]*/repair/\?rule=BS-11[^"]*)"', as_owner.get(page).content.decode())
    assert help_with is not None
    for address in (unescape(help_with[1]), f"{page}repair/"):
        assert as_owner.get(address).status_code == 200, address
    changed = edit_form(built.row, "set_own_unit", node_id=own, **fields | {"points": "95"})
    assert as_owner.post(f"{page}edit/", changed, headers=HTMX).status_code == 200
    assert built.document.facts["own_units"][own]["points"] == 95
    for wrong in ({"name": " "}, {"points": "-1"}, {"place": "nowhere"}):
        refused = edit_form(built.row, "set_own_unit", **fields | wrong)
        assert as_owner.post(f"{page}edit/", refused).status_code == 422, wrong
    gone = edit_form(built.row, "remove", node_id=own)
    assert as_owner.post(f"{page}edit/", gone, headers=HTMX).status_code == 200
    assert "own_units" not in built.document.facts
