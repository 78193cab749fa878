"""Attacks that no page or resource is about: what browsers and strangers can send anywhere."""

import re
import socket
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from armybuilder import outbound
from armybuilder.accounts.letters import wait_until_sent
from armybuilder.accounts.models import User
from armybuilder.outbound import AddressRefused, Policy, connection, permitted
from tests.armylists.conftest import Muster
from tests.web.test_access import address, routes, row_of

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery staple"


@pytest.mark.long
def test_only_the_sheet_that_is_made_for_it_stands_in_a_frame(built: Muster, as_owner: Client) -> None:
    """Clickjacking: every page that answers, as the owner sees it."""
    seen, framed = 0, []
    for route in routes():
        if row_of(route) == "staff" or route.startswith(("/api/", "/oauth/")) or "sign-out" in route:
            continue
        answer = as_owner.get(address(route, {"list_id": built.row.pk}))
        if answer.status_code != 200 or not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        seen += 1
        policy = answer.headers["Content-Security-Policy"]
        if answer.headers.get("X-Frame-Options") != "DENY" or "frame-ancestors 'none'" not in policy:
            framed.append(route)
    assert seen > 30 and framed == []


@pytest.mark.parametrize(
    "elsewhere",
    [
        *("https:evil.example", "https:///evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example"),
        *("javascript:alert(1)", "\thttps://evil.example", "http://testserver@evil.example/", "/%09/evil.example\n"),
        *("//evil.example/%2e%2e", "https://evil.example\\@testserver/", "data:text/html,x", "/\t/evil.example"),
    ],
)
def test_no_form_leads_elsewhere(elsewhere: str, owner: User) -> None:
    """Signing in, choosing a language and a theme."""
    forms: dict[str, dict[str, str]] = {
        reverse("web:sign-in"): {"username": "owner", "password": PASSWORD},
        reverse("web:language"): {"language": "ru"},
        reverse("web:theme"): {"theme": "dark"},
    }
    for way, fields in forms.items():
        answer = Client().post(way, fields | {"next": elsewhere})
        assert answer.status_code in (200, 302), way
        assert re.fullmatch(r"/(?![/\\\s]).*|", answer.headers.get("Location", ""), re.DOTALL), answer.headers


def test_a_session_that_was_planted_is_not_signed_in(owner: User) -> None:
    """Session fixation: a session of the attacker's own, and one that he made up."""
    attacker = Client()
    attacker.post(reverse("web:sign-in"), {"username": "owner", "password": "wrong"})
    attacker.session["planted"] = "1"
    attacker.session.save()
    for planted in (attacker.session.session_key, "a" * 32):
        assert planted is not None
        victim = Client()
        victim.cookies["sessionid"] = planted
        victim.post(reverse("web:sign-in"), {"username": "owner", "password": PASSWORD})
        assert SESSION_KEY in victim.session
        assert victim.session.session_key != planted
        thief = Client()
        thief.cookies["sessionid"] = planted
        assert SESSION_KEY not in thief.session


@pytest.mark.parametrize(
    "cookies",
    [
        {"sessionid": "x" * 20_000},
        {"sessionid": "../../../etc/passwd\x00"},
        {"guest": "x" * 20_000, "messages": "y" * 20_000, "csrftoken": "z" * 20_000},
        {f"c{number}": "v" for number in range(3_000)},
        {"django_language": "../../xx", "theme": '"><script>alert(1)</script>'},
        {"sessionid": "\xd7" * 50, "messages": '[["__json_message",0,40,"<script>"]]'},
    ],
    ids=["long", "a path", "all of them", "many", "settings", "forged"],
)
def test_odd_cookies_are_no_cookies(cookies: dict[str, str]) -> None:
    client = Client()
    for name, value in cookies.items():
        client.cookies[name] = value
    for path in ("/", "/lists/", "/api/v1/systems/"):
        answer = client.get(path)
        assert answer.status_code in (200, 302), (path, answer.status_code)
        assert b"<script>alert" not in answer.content


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_HOST": "evil.example"},
        {"HTTP_HOST": "testserver@evil.example"},
        {"HTTP_HOST": "testserver:80@evil.example"},
        {"HTTP_X_FORWARDED_HOST": "evil.example"},
        {"HTTP_FORWARDED": "host=evil.example"},
        {"HTTP_X_ORIGINAL_URL": "/admin/", "HTTP_X_REWRITE_URL": "/admin/"},
    ],
)
def test_no_letter_or_link_names_a_host_that_was_sent_along(
    headers: dict[str, str], owner: User, built: Muster, mailoutbox: list[Any], settings: Any
) -> None:
    """A poisoned host would send the secret of a letter to whoever asked for it."""
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SENDS_MAIL = True
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    client = Client()
    client.post(reverse("web:password-forgotten"), {"email": "owner@example.org"}, **headers)  # type: ignore[arg-type]
    wait_until_sent()
    assert [("http://testserver/" in letter.body, "evil" in letter.body) for letter in mailoutbox] == (
        [] if "HTTP_HOST" in headers else [(True, False)]
    )
    for path in ("/", "/accounts/sign-in/", "/.well-known/oauth-authorization-server", "/api/v1/"):
        answer = client.get(path, **headers)  # type: ignore[arg-type]
        assert b"evil.example" not in answer.content and "evil" not in str(answer.headers), path


@pytest.mark.parametrize(
    "name", ["x\r\nSet-Cookie: a=b", 'x"; filename="evil.exe', "../../etc/passwd", "x\0y", "\u202egpj.exe"]
)
def test_the_name_of_a_list_stays_within_the_header_of_its_file(name: str, legal_name: Any) -> None:
    answer = legal_name(name)
    disposition = answer.headers["Content-Disposition"]
    assert "Set-Cookie" not in answer.headers and "\r" not in disposition and "\n" not in disposition
    assert disposition.count('"') in (0, 2) and ".." not in disposition and "/" not in disposition


@pytest.fixture
def legal_name(built: Muster, as_owner: Client) -> Any:
    """The file of the owner's list when it has such a name."""

    def named(name: str) -> HttpResponseBase:
        built.row.name = name[:80]
        built.row.save(update_fields=["name"])
        answer = as_owner.get(f"/lists/{built.row.pk}/exports/ros/")
        assert answer.status_code == 200
        return answer

    return named


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../manage.py", "/static/%2e%2e/manage.py", "/static/..%2f..%2fmanage.py", "/static//etc/passwd"),
        *("/docs/%2e%2e/%2e%2e/manage.py", "/docs/..%5c..%5cmanage.py", "/docs//etc/passwd", "/docs/%00"),
    ],
)
def test_no_path_leads_out_of_its_folder(client: Client, path: str) -> None:
    answer = client.get(path)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    assert answer.status_code in (301, 302, 400, 404), path
    assert b"DJANGO_SETTINGS_MODULE" not in content and b"root:" not in content


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_form_of_another_site_changes_nothing(content_type: str, built: Muster, owner: User) -> None:
    """CSRF on the API: a browser sends these along with the session of the user, without asking beforehand."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    before = built.row.revision
    for method, path in (("POST", f"/api/v1/lists/{built.row.pk}/edits/"), ("POST", "/api/v1/lists/")):
        answer = browser.generic(
            method, path, b'[{"edit":"rename","name":"taken"}]', content_type=content_type,
            headers={"Origin": "https://evil.example", "If-Match": "*", "HX-Request": "true"},
        )  # fmt: skip
        assert answer.status_code in (403, 415), answer.status_code
    built.row.refresh_from_db()
    assert (built.row.revision, built.row.name != "taken") == (before, True)


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"])
def test_a_method_is_the_one_that_was_sent(header: str, built: Muster, as_owner: Client) -> None:
    for path in (f"/api/v1/lists/{built.row.pk}/?_method=DELETE", f"/lists/{built.row.pk}/?_method=DELETE"):
        as_owner.get(path, headers={header: "DELETE"})
        as_owner.post(path, {"_method": "DELETE"}, headers={header: "DELETE"})
    built.row.refresh_from_db()
    assert built.row.deleted is None


@pytest.mark.parametrize("name", ["ｏｗｎｅｒ", "OWNER", "owner\u200b", " owner ", "ow\u0000ner", "owner\u202e"])
def test_nobody_signs_up_as_somebody_who_is_there(name: str, owner: User) -> None:
    """Names that look alike, or are the same when they are compared."""
    Client().post(reverse("web:sign-up"), {"username": name, "password": PASSWORD})
    assert list(User.objects.values_list("username", flat=True)) == ["owner"]
    Client().post(reverse("web:sign-up"), {"username": "newcomer", "password": PASSWORD})
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    "address",
    [
        *("https://[::ffff:7f00:1]/", "https://[2002:7f00:1::]/", "https://[::]/", "https://[fe80::1%25lo]/"),
        *("https://0x7f.1/", "https://127.1/", "https://017700000001/", "https://①②⑦.⓪.⓪.①/", "https://0/"),
        *("https://localhost./", "https://LOCALHOST/", "https://[0:0:0:0:0:ffff:127.0.0.1]/", "https://127。0。0。1/"),
        *("https://[ff02::1]/", "https://[fd00::1]/", "https://100.64.0.1/", "https://192.0.0.1/", "https://[100::1]/"),
        *("https://0177.0.0.1/", "https://[2001:0:7f00:1::]/", "https://255.255.255.255/"),
    ],
)
def test_no_writing_of_a_private_address_is_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise AssertionError("connected")

    monkeypatch.setattr(outbound, "create_connection", refuse)
    allowed = Policy([], "WEBHOOK_ALLOWED_HOSTS")
    with pytest.raises(AddressRefused):
        connection(permitted(address, allowed=allowed), address, allowed=allowed, wait_seconds=1)
