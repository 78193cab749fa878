"""A new password, by the old one or by a letter; another address; a copy of everything; the end of an account."""

import io
import re
import threading
import zipfile
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.errors import TokenRefused
from armybuilder.accounts.letters import wait_until_sent
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import READING
from armybuilder.accounts.services import RESETS_PER_HOUR, accept_token, issue_token
from armybuilder.armylists.models import ArmyList
from armybuilder.events.models import Event
from armybuilder.webhooks.models import Webhook
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

ANOTHER = "a second password 77"


@pytest.fixture
def with_letters(settings: object) -> None:
    settings.SENDS_MAIL = True  # type: ignore[attr-defined]


def test_a_password_is_changed_by_whoever_knows_it(as_owner: Client, owner: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(owner)
    wrong = {"old_password": "guess", "new_password1": ANOTHER, "new_password2": ANOTHER}
    assert as_owner.post(reverse("web:password-change"), wrong).status_code == 422
    assert as_owner.post(reverse("web:password-change"), wrong | {"old_password": PASSWORD}).status_code == 302
    owner.refresh_from_db()
    assert owner.check_password(ANOTHER)
    assert as_owner.get(reverse("web:account")).status_code == 200
    assert elsewhere.get(reverse("web:account")).status_code == 302, "other browsers are signed out"


def test_a_new_password_ends_tokens_and_programs_where_that_is_wanted(as_owner: Client, owner: User) -> None:
    page = reverse("web:password-change")
    assert "ends_tokens" not in as_owner.get(page).content.decode(), "who has none is not asked"
    kept = issue_token(owner, name="bot", scopes=READING)
    assert "ends_tokens" in as_owner.get(page).content.decode()
    change = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    said = as_owner.post(page, change, follow=True).content.decode()
    assert "1 API token or program still acts for you" in said
    assert accept_token(kept.secret).user == owner
    again = {"old_password": ANOTHER, "new_password1": PASSWORD, "new_password2": PASSWORD, "ends_tokens": "on"}
    assert "still acts for you" not in as_owner.post(page, again, follow=True).content.decode()
    with pytest.raises(TokenRefused):
        accept_token(kept.secret)


@pytest.mark.usefixtures("with_letters")
def test_a_letter_ends_tokens_too_where_that_is_wanted(owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    made = issue_token(owner, name="bot", scopes=READING)
    browser = Client()
    browser.post(reverse("web:password-forgotten"), {"email": "owner@example.org"})
    wait_until_sent()
    found = re.search(r"http://testserver(/accounts/reset/\S+)", str(mail.outbox[0].body))
    assert found
    form = browser.get(found[1]).headers["Location"]
    assert "ends_tokens" in browser.get(form).content.decode()
    browser.post(form, {"new_password1": ANOTHER, "new_password2": ANOTHER, "ends_tokens": "on"})
    with pytest.raises(TokenRefused):
        accept_token(made.secret)
    gone = Client().get(found[1])
    assert "ends_tokens" not in gone.content.decode(), "an address is good once"


@pytest.mark.usefixtures("with_letters")
@pytest.mark.parametrize(("language", "word"), [("en", "Hello owner"), ("ru", "Здравствуйте, owner")])
def test_a_forgotten_password_is_chosen_anew_by_a_letter(owner: User, language: str, word: str) -> None:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    browser = Client(headers={"Accept-Language": language})
    assert browser.post(reverse("web:password-forgotten"), {"email": "Owner@example.org"}).status_code == 200
    wait_until_sent()
    (letter,) = mail.outbox
    assert letter.to == ["owner@example.org"] and word in letter.body and "\n\n" in letter.body
    found = re.search(r"http://testserver(/accounts/reset/\S+)", letter.body)
    assert found
    form = browser.get(found[1]).headers["Location"]
    assert browser.get(form).status_code == 200
    assert browser.post(form, {"new_password1": "short", "new_password2": "short"}).status_code == 422
    done = browser.post(form, {"new_password1": ANOTHER, "new_password2": ANOTHER})
    assert done.headers["Location"] == reverse("web:sign-in")
    owner.refresh_from_db()
    assert owner.check_password(ANOTHER)
    assert "new_password1" not in Client().get(found[1]).content.decode(), "an address is good once"


@pytest.mark.usefixtures("with_letters")
def test_nobody_learns_who_has_an_account_and_letters_have_a_limit(owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    page = reverse("web:password-forgotten")
    known, unknown = (
        re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", Client().post(page, {"email": email}).content.decode())
        for email in ("owner@example.org", "nobody@example.org")
    )
    assert known == unknown
    wait_until_sent()
    assert len(mail.outbox) == 1
    for _ in range(RESETS_PER_HOUR - 2):
        assert Client().post(page, {"email": "nobody@example.org"}).status_code == 200
    late = Client().post(page, {"email": "owner@example.org"})
    assert (late.status_code, len(mail.outbox)) == (429, 1)


@pytest.mark.usefixtures("with_letters")
def test_nobody_waits_for_the_mail_server(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long the answer takes would tell who has an account; a server that refuses is the log's matter."""
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    may_send, waited = threading.Event(), []

    def slow(self: object) -> int:
        waited.append(may_send.wait(20))
        raise OSError("the mail server hangs")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", slow)
    assert Client().post(reverse("web:password-forgotten"), {"email": "owner@example.org"}).status_code == 200
    may_send.set()
    wait_until_sent()
    assert waited == [True]
    monkeypatch.undo()
    Client().post(reverse("web:password-forgotten"), {"email": "owner@example.org"})
    wait_until_sent()
    assert len(mail.outbox) == 1, "the next letter goes out"


def test_who_guesses_the_present_password_has_to_wait(as_owner: Client, owner: User, settings: Any) -> None:
    settings.SIGN_IN_ATTEMPTS = 3
    right = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    page = reverse("web:password-change")
    for _ in range(3):
        assert as_owner.post(page, right | {"old_password": "guess"}).status_code == 422
    late = as_owner.post(page, right)
    assert late.status_code == 422 and "Too many attempts" in late.content.decode()
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_a_site_without_letters_says_whom_to_ask(owner: User) -> None:
    page = Client().get(reverse("web:password-forgotten")).content.decode()
    assert "administrator" in page and "<form" not in page.split("<main")[1].split("</main>")[0]
    Client().post(reverse("web:password-forgotten"), {"email": "owner@example.org"})
    assert mail.outbox == []


def test_the_address_is_changed_with_the_password(as_owner: Client, owner: User) -> None:
    page = reverse("web:email")
    assert as_owner.post(page, {"email": "thief@example.org", "password": "guess"}).status_code == 422
    owner.refresh_from_db()
    assert owner.email != "thief@example.org"
    assert as_owner.post(page, {"email": "new@Example.org", "password": PASSWORD}).status_code == 302
    owner.refresh_from_db()
    assert owner.email == "new@example.org"


@pytest.mark.parametrize(
    ("language", "words", "rule"),
    [
        ("en", "This is not the password of the account.", "At least 10 characters; not only digits"),
        ("ru", "Это не пароль учётной записи.", "Не меньше 10 знаков; не одни цифры"),
    ],
)
def test_forms_that_ask_for_the_password_alone_speak_of_it_alone(
    as_owner: Client, language: str, words: str, rule: str
) -> None:
    spoken = {"Accept-Language": language}
    wrong = {"password": "guess", "is_meant": "on", "email": "new@example.org"}
    for name in ("account-delete", "email"):
        assert words in as_owner.post(reverse(f"web:{name}"), wrong, headers=spoken).content.decode()
    assert rule in as_owner.get(reverse("web:password-change"), headers=spoken).content.decode()


def test_a_copy_of_everything_is_saved(as_owner: Client) -> None:
    answer = as_owner.get(reverse("web:account-data"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="army-builder.zip"'
    assert {"account.json", "collection.json"} <= set(zipfile.ZipFile(io.BytesIO(answer.content)).namelist())


def test_an_account_goes_with_all_that_is_its_own(as_owner: Client, owner: User, built: object) -> None:
    row = ArmyList.objects.get()
    assert row.owner == owner
    issue_token(owner, name="bot", scopes=READING)
    Event.objects.create(organiser=owner, system=row.system, name="Cup", token="B" * 22, pack="{}")
    Webhook.objects.create(owner=owner, url="https://example.org/", happenings=["list.changed"])
    page = reverse("web:account-delete")
    assert "webhooks, programs and tokens go with it" in as_owner.get(page).content.decode()
    for fields in ({"password": "guess", "is_meant": "on"}, {"password": PASSWORD}):
        assert as_owner.post(page, fields).status_code == 422
        assert User.objects.filter(pk=owner.pk).exists()
    assert as_owner.post(page, {"password": PASSWORD, "is_meant": "on"}).status_code == 302
    assert not User.objects.filter(pk=owner.pk).exists()
    assert not ArmyList.objects.exists() and not ApiToken.objects.exists() and not Event.objects.exists()
    assert not Webhook.objects.exists()
    assert as_owner.get(reverse("web:account")).status_code == 302


def test_the_last_administrator_stays(client: Client, owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(is_superuser=True, is_staff=True)
    client.force_login(owner)
    fields = {"password": PASSWORD, "is_meant": "on"}
    refused = client.post(reverse("web:account-delete"), fields)
    assert refused.status_code == 422 and "another administrator" in refused.content.decode()
    User.objects.create_superuser("second", "", PASSWORD)
    assert client.post(reverse("web:account-delete"), fields).status_code == 302
