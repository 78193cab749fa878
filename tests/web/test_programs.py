"""OAuth 2.1: a program is registered, allowed on a page, acts within its scopes, is refreshed, and shut out again."""

import base64
import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from armybuilder.accounts import programs
from armybuilder.accounts.errors import NotFound, ProgramRefused
from armybuilder.accounts.models import User
from armybuilder.accounts.oauth_validator import LONGEST_LIFE, Validator
from armybuilder.accounts.viewers import Viewer

pytestmark = pytest.mark.django_db

BACK = "https://bot.example.org/back"
VERIFIER = "a-verifier-of-at-least-forty-three-characters-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def program(friend: User) -> Application:
    """A program of the friend's."""
    return programs.register_program(Viewer(user=friend), name="Roster bot", addresses=[BACK])


def question(program: Application, **changes: str | None) -> str:
    asked: dict[str, str | None] = {
        "response_type": "code",
        "client_id": program.client_id,
        "redirect_uri": BACK,
        "scope": "lists:read check",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return "/oauth/authorize/?" + urlencode({key: value for key, value in (asked | changes).items() if value})


def allowed(browser: Client, program: Application, answer: str = "true", **changes: str | None) -> dict[str, Any]:
    """What the program is sent back with, after the user has pressed a button."""
    page = browser.get(question(program, **changes))
    assert page.status_code == 200, page.content
    fields = {field.html_name: field.value() or "" for field in page.context["form"].hidden_fields()}
    sent = browser.post("/oauth/authorize/", fields | ({"allow": "true"} if answer else {}))
    assert sent.headers["Location"].startswith(f"{BACK}?"), sent.content
    return {key: values[0] for key, values in parse_qs(urlsplit(sent.headers["Location"]).query).items()}


def exchange(program: Application, **changes: str) -> Any:
    sent = {
        "grant_type": "authorization_code",
        "client_id": program.client_id,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    return Client(enforce_csrf_checks=True).post("/oauth/token/", sent | changes)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_program_acts_for_whoever_allows_it(as_owner: Client, owner: User, program: Application) -> None:
    page = as_owner.get(question(program)).content.decode()
    assert "Roster bot" in page and "friend" in page and "check army documents" in page
    back = allowed(as_owner, program)
    assert (back["state"], back["iss"]) == ("xyz", "http://testserver")
    given = exchange(program, code=back["code"]).json()
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "lists:read check", 3600)
    headers = bearer(given["access_token"])
    assert Client().get("/api/v1/lists/", headers=headers).status_code == 200
    beyond = Client().post("/api/v1/lists/", {}, content_type="application/json", headers=headers)
    assert (beyond.status_code, beyond.json()["code"]) == (403, "insufficient-scope")
    assert Client().get("/api/v1/account/", headers=headers).status_code == 403
    stored = str([*AccessToken.objects.values(), *RefreshToken.objects.values()])
    assert given["access_token"] not in stored and given["refresh_token"] not in stored
    (seen,) = programs.allowed_by(Viewer(user=owner))
    assert (seen.program, [scope.value for scope in seen.scopes]) == (program, ["lists:read", "check"])


def test_a_refresh_token_is_good_once(as_owner: Client, program: Application) -> None:
    first = exchange(program, code=allowed(as_owner, program)["code"]).json()
    refreshed = exchange(program, grant_type="refresh_token", refresh_token=first["refresh_token"]).json()
    assert Client().get("/api/v1/lists/", headers=bearer(first["access_token"])).status_code == 401
    assert Client().get("/api/v1/lists/", headers=bearer(refreshed["access_token"])).status_code == 200
    again = exchange(program, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert Client().get("/api/v1/lists/", headers=bearer(refreshed["access_token"])).status_code == 401, (
        "stolen: all go"
    )


def test_a_code_that_comes_again_ends_what_it_gave(
    as_owner: Client, program: Application, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody has seen it: RFC 6749, 4.1.2. Refreshing does not save the tokens, another code's are left alone."""
    code, other = (allowed(as_owner, program)["code"] for _ in range(2))
    first, safe = exchange(program, code=code).json(), exchange(program, code=other).json()
    refreshed = exchange(program, grant_type="refresh_token", refresh_token=first["refresh_token"]).json()
    again = exchange(program, code=code, code_verifier="of-somebody-who-does-not-know-it-0123456789012345")
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert Client().get("/api/v1/lists/", headers=bearer(refreshed["access_token"])).status_code == 401
    answer = exchange(program, grant_type="refresh_token", refresh_token=refreshed["refresh_token"])
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert Client().get("/api/v1/lists/", headers=bearer(safe["access_token"])).status_code == 200
    assert [line for line in caplog.messages if "came twice" in line] == [
        f"code of a program came twice program={program.client_id}"
    ]
    assert exchange(program, code="guessed").status_code == 400
    assert len([line for line in caplog.messages if "came twice" in line]) == 1


def test_of_two_who_send_a_code_at_the_same_moment_neither_keeps_tokens(
    as_owner: Client, program: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have passed the look at the code before either has forgotten it."""
    code = allowed(as_owner, program)["code"]
    between: list[Any] = []
    stored = Validator.save_bearer_token

    def stored_late(self: Validator, *args: Any) -> None:
        if not between:
            between.append(None)
            between[0] = exchange(program, code=code).json()
        stored(self, *args)

    monkeypatch.setattr(Validator, "save_bearer_token", stored_late)
    assert exchange(program, code=code).status_code == 400
    assert Client().get("/api/v1/lists/", headers=bearer(between[0]["access_token"])).status_code == 401
    assert not AccessToken.objects.exists() and not RefreshToken.objects.filter(revoked=None).exists()


def test_a_program_asks_its_user_again_after_a_year(
    as_owner: Client, program: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it refreshes its tokens, and though those it had first are forgotten meanwhile."""
    given = exchange(program, code=allowed(as_owner, program)["code"]).json()
    for days in (80, 160, 240, 320):
        monkeypatch.setattr("django.utils.timezone.now", lambda days=days: datetime.now(UTC) + timedelta(days=days))
        given = exchange(program, grant_type="refresh_token", refresh_token=given["refresh_token"]).json()
        call_command("cleartokens")
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime.now(UTC) + LONGEST_LIFE)
    answer = exchange(program, grant_type="refresh_token", refresh_token=given["refresh_token"])
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert not AccessToken.objects.exists() and not RefreshToken.objects.filter(revoked=None).exists()


@pytest.mark.parametrize(
    ("case", "changes"),
    [
        ("no PKCE", {"code_challenge": None, "code_challenge_method": None}),
        ("the implicit way", {"response_type": "token"}),
        ("an unknown scope", {"scope": "everything"}),
        ("the account", {"scope": "admin"}),
    ],
)
def test_a_question_that_is_sent_back_refused(
    as_owner: Client, program: Application, case: str, changes: dict[str, str | None]
) -> None:
    answer = as_owner.get(question(program, **changes))
    assert answer.status_code == 302 and answer.headers["Location"].startswith(BACK), case
    told = parse_qs(urlsplit(answer.headers["Location"]).query)
    assert "error" in told and told["iss"] == ["http://testserver"] and not Grant.objects.exists()


@pytest.mark.parametrize(
    "changes", [{"redirect_uri": "https://evil.example/"}, {"redirect_uri": f"{BACK}/more"}, {"client_id": "unknown"}]
)
def test_nobody_is_sent_where_the_program_did_not_say(
    as_owner: Client, program: Application, changes: dict[str, str]
) -> None:
    answer = as_owner.get(question(program, **changes))
    assert answer.status_code == 400 and "Location" not in answer.headers
    assert "The program asked wrongly" in answer.content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "another-verifier-of-at-least-forty-three-characters"},
        {"redirect_uri": "https://evil.example/"},
        {"client_id": "unknown"},
        {"code": "guessed"},
        {"grant_type": "password", "username": "owner", "password": "x"},
        {"grant_type": "client_credentials"},
    ],
)
def test_no_other_way_leads_to_a_token(as_owner: Client, program: Application, changes: dict[str, str]) -> None:
    code = allowed(as_owner, program)["code"]
    answer = exchange(program, **({"code": code} | changes))
    assert answer.status_code in (400, 401), answer.content
    assert not AccessToken.objects.exists()


def test_a_challenge_in_plain_comes_to_nothing(as_owner: Client, program: Application) -> None:
    plain = {"code_challenge": VERIFIER, "code_challenge_method": "plain"}
    page = as_owner.get(question(program, **plain))
    fields = {field.html_name: field.value() or "" for field in page.context["form"].hidden_fields()}
    sent = as_owner.post("/oauth/authorize/", fields | {"allow": "true"})
    code = parse_qs(urlsplit(sent.headers.get("Location", "")).query).get("code", [""])[0]
    assert exchange(program, code=code).status_code in (400, 401)
    assert not AccessToken.objects.exists()


def test_who_refuses_gives_nothing(as_owner: Client, program: Application) -> None:
    told = allowed(as_owner, program, answer="")
    assert (told["error"], told["state"]) == ("access_denied", "xyz")
    assert told["iss"] == as_owner.get("/.well-known/oauth-authorization-server").json()["issuer"]
    assert not Grant.objects.exists()


def test_nobody_allows_anything_unseen(program: Application) -> None:
    answer = Client().get(question(program))
    assert answer.status_code == 302 and answer.headers["Location"].startswith("/accounts/sign-in/")


def test_the_form_may_lead_back_to_the_program_and_nowhere_else(as_owner: Client, program: Application) -> None:
    policy = as_owner.get(question(program)).headers["Content-Security-Policy"]
    directive = next(part for part in policy.split(";") if "form-action" in part)
    assert directive.split() == ["form-action", "'self'", "https://bot.example.org"]


def test_a_program_is_shut_out_by_its_user_and_revokes_its_own_tokens(
    as_owner: Client, owner: User, as_stranger: Client, program: Application
) -> None:
    token = exchange(program, code=allowed(as_owner, program)["code"]).json()["access_token"]
    way = reverse("web:program-shut-out", args=[program.pk])
    as_stranger.post(way)
    assert Client().get("/api/v1/lists/", headers=bearer(token)).status_code == 200
    assert "Roster bot" in as_owner.get(reverse("web:programs")).content.decode()
    assert as_owner.post(way).status_code == 302
    assert Client().get("/api/v1/lists/", headers=bearer(token)).status_code == 401
    assert programs.allowed_by(Viewer(user=owner)) == []
    second = exchange(program, code=allowed(as_owner, program)["code"]).json()["access_token"]
    Client().post("/oauth/revoke/", {"token": second, "client_id": program.client_id})
    assert Client().get("/api/v1/lists/", headers=bearer(second)).status_code == 401


def test_a_program_that_is_deleted_takes_its_tokens_along(
    as_owner: Client, as_stranger: Client, friend: User, program: Application
) -> None:
    token = exchange(program, code=allowed(as_owner, program)["code"]).json()["access_token"]
    assert as_stranger.post(reverse("web:program-delete", args=[program.pk])).status_code == 404
    programs.delete_program(Viewer(user=friend), program.pk)
    assert Client().get("/api/v1/lists/", headers=bearer(token)).status_code == 401
    with pytest.raises(NotFound):
        programs.delete_program(Viewer(user=friend), program.pk)


def test_a_program_is_registered_on_its_page(as_owner: Client, owner: User) -> None:
    page = reverse("web:programs")
    assert as_owner.post(page, {"name": "Mine", "addresses": "http://example.org/"}).status_code == 422
    assert as_owner.post(page, {"name": "Mine", "addresses": f"{BACK}\nhttp://127.0.0.1:8765/"}).status_code == 302
    program = Application.objects.get()
    assert (program.user, program.client_type, program.skip_authorization) == (owner, "public", False)
    assert program.client_id in as_owner.get(page).content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "javascript:alert(1)",
        "https://*.example.org/",
        "https://a@example.org/",
        "nothing",
        "https://example.org/#part",
        "http://127.0.0.1.example.org:80/",
        "http://[",
        "myapp://back",
    ],
)
def test_users_are_sent_to_no_such_address(owner: User, address: str) -> None:
    with pytest.raises(ProgramRefused):
        programs.register_program(Viewer(user=owner), name="x", addresses=[address])
    assert not Application.objects.exists()


def test_programs_find_their_way(client: Client) -> None:
    found = client.get("/.well-known/oauth-authorization-server").json()
    assert found["authorization_endpoint"] == "http://testserver/oauth/authorize/"
    assert found["token_endpoint"] == "http://testserver/oauth/token/"
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["grant_types_supported"] == ["authorization_code", "refresh_token"]
    for endpoint in ("token", "revocation"):
        assert found[f"{endpoint}_endpoint_auth_methods_supported"] == ["none"]
