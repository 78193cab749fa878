"""The price that an owner sets himself, in the builder and wherever the list is read."""

import pytest
from django.test import Client

from tests.armylists.conftest import Muster
from tests.armylists.test_verdicts import unit_named
from tests.web.conftest import edit_form

pytestmark = pytest.mark.django_db


def test_a_unit_gets_a_price_of_its_own_and_readers_are_told(as_owner: Client, built: Muster) -> None:
    squad = unit_named(built, "Tactical Squad")
    pane = as_owner.get(f"/lists/{built.list_id}/?unit={squad}").content.decode()
    assert 'name="fact.own_points:number"' in pane
    form = edit_form(built.row, "set_unit_facts", node_id=squad, **{"fact.own_points:number": "80"})
    answer = as_owner.post(f"/lists/{built.list_id}/edit/", form, follow=True).content.decode()
    told = "Tactical Squad: its owner has set its price to 80; by the data it costs 100."
    assert told.partition(": ")[2].capitalize() in answer, "under the name of its unit"
    for page in ("print", "exports"):
        assert told in as_owner.get(f"/lists/{built.list_id}/{page}/").content.decode(), page
    rule = as_owner.get("/systems/horus-heresy/rules/BS-10/").content.decode()
    assert "A price of the owner&#x27;s own" in rule
    wrong = edit_form(built.row, "set_unit_facts", node_id=squad, **{"fact.own_points:number": "-1"})
    assert as_owner.post(f"/lists/{built.list_id}/edit/", wrong).status_code == 422
