"""Signed verdicts over the API and on paper: asked for, read by their code, proved by the published key."""

from typing import Any

from django.test import Client

from armybuilder.armylists.models import SignedVerdict
from armybuilder.armylists.signed_verdicts import is_genuine, printed
from tests.api.conftest import Caller


def test_a_verdict_is_signed_read_and_proved(
    as_owner: Caller, as_nobody: Caller, as_stranger: Caller, muster: dict[str, Any]
) -> None:
    answer = as_owner("POST", f"{muster['address']}verdict/")
    assert answer.status_code == 201, answer.content
    signed = answer.json()
    assert signed == as_nobody("GET", answer["Location"]).json()
    (key,) = as_nobody("GET", "/api/v1/verdict-keys/").json()
    assert key == signed["key"]
    assert signed["url"] == f"http://testserver/v/{signed['code']}/"
    assert is_genuine(signed["payload"], signed["signature"], key["public_key"])
    assert (signed["verdict"]["verdict"], signed["present"]) == ("illegal", "unchanged")
    assert as_stranger("POST", f"{muster['address']}verdict/").status_code == 404
    edit = {"edit": "set_points_limit", "points_limit": 5000}
    assert as_owner("POST", f"{muster['address']}edits/", edit, If_Match='"1"').status_code == 200
    assert as_nobody("GET", signed["address"]).json()["present"] == "changed"


def test_its_code_as_a_picture(as_owner: Caller, as_nobody: Caller, muster: dict[str, Any]) -> None:
    address = as_owner("POST", f"{muster['address']}verdict/").json()["address"]
    picture = as_nobody("GET", f"{address}code/")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")
    assert as_nobody("GET", "/api/v1/verdicts/ABCDE-FGHJK/").status_code == 404


def test_texts_and_prints_carry_it(as_owner: Caller, muster: dict[str, Any], client: Client) -> None:
    text = as_owner("GET", f"{muster['address']}exports/plain/").content.decode()
    code = printed(SignedVerdict.objects.get().code)
    assert f"{code} http://testserver/v/{code}/" in text.splitlines()[-1]
    token = as_owner("POST", f"{muster['address']}share-links/", {}).json()["token"]
    page = client.get(f"/s/{token}/print/").content.decode()
    assert f'href="/v/{code}/"' in page
    assert page.count("<svg") >= 1
    assert SignedVerdict.objects.count() == 1
