"""The second factor of administrators: what the password alone opens, and what a code adds."""

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import WRITING
from armybuilder.accounts.services import issue_token
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

FILE = "application/octet-stream"
"""What a program sends as a file; this one is empty, and is accepted to be refused by the worker."""


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser("boss", "boss@example.org", PASSWORD)


def signed_in(name: str = "boss") -> Client:
    browser = Client()
    assert browser.post(reverse("web:sign-in"), {"username": name, "password": PASSWORD}).status_code == 302
    return browser


def code_of(user: User, *, later: int = 0) -> str:
    """What the program shows now, or some steps of 30 seconds later."""
    device = TOTPDevice.objects.get(user=user)
    return f"{totp(device.bin_key, drift=later):06d}"


def set_up(browser: Client, user: User) -> list[str]:
    """The recovery codes."""
    browser.get(reverse("web:second-factor"))
    code = code_of(user)
    answer = browser.post(reverse("web:second-factor"), {"code": f"{code[:3]} {code[3:]}"})
    assert answer.status_code == 200
    return re.findall(r"<code>([a-z0-9]{12})</code>", answer.content.decode())


def test_without_a_factor_the_password_opens_the_administration(boss: User) -> None:
    assert signed_in().get(reverse("admin:index")).status_code == 200


def test_a_required_factor_is_set_up_before_anything_is_administered(boss: User, settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    browser = signed_in()
    page = browser.get(reverse("admin:index"), follow=True)
    assert page.request["PATH_INFO"] == reverse("web:second-factor")
    assert len(set_up(browser, boss)) == 10
    assert browser.get(reverse("admin:index")).status_code == 200


def test_the_password_alone_opens_a_players_pages_only(boss: User, owner: User) -> None:
    set_up(signed_in(), boss)
    browser = signed_in()
    page = browser.get(reverse("admin:accounts_user_changelist"), follow=True)
    assert page.request["PATH_INFO"] == reverse("web:second-factor-show")
    assert browser.get(reverse("web:lists")).status_code == 200
    assert browser.post("/api/v1/releases/").status_code == 403
    assert browser.get(reverse("web:tokens")).status_code == 302
    assert browser.get("/api/v1/account/tokens/").status_code == 403
    onward = {"next": reverse("admin:accounts_user_changelist")}
    wrong = browser.post(reverse("web:second-factor-show"), {"code": "000000"} | onward)
    assert wrong.status_code == 422
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    right = browser.post(reverse("web:second-factor-show"), {"code": code_of(boss, later=1)} | onward, follow=True)
    assert (right.status_code, right.request["PATH_INFO"]) == (200, onward["next"])
    assert browser.post("/api/v1/releases/", content_type=FILE).status_code == 202


def test_a_code_is_good_once_and_guesses_have_to_wait(boss: User) -> None:
    set_up(signed_in(), boss)
    browser, address = signed_in(), reverse("web:second-factor-show")
    assert browser.post(address, {"code": code_of(boss)}).status_code == 422, "the code it was set up with"
    assert browser.post(address, {"code": code_of(boss, later=1)}).status_code == 422, "too soon after a wrong one"
    TOTPDevice.objects.update(throttling_failure_timestamp=None)
    assert browser.post(address, {"code": code_of(boss, later=1)}).status_code == 302


def test_a_recovery_code_is_good_once_however_it_is_typed(boss: User) -> None:
    first = set_up(signed_in(), boss)[0]
    typed = f" {first[:4].upper()} {first[4:]} "
    assert signed_in().post(reverse("web:second-factor-show"), {"code": typed}).status_code == 302
    assert signed_in().post(reverse("web:second-factor-show"), {"code": first}).status_code == 422


def test_a_factor_is_not_taken_away_by_the_password_alone(boss: User) -> None:
    set_up(signed_in(), boss)
    thief = signed_in()
    for name in ("second-factor-codes-remove", "recovery-codes"):
        assert thief.post(reverse(f"web:{name}")).status_code == 404
    assert thief.get(reverse("web:second-factor")).status_code == 302
    begun = thief.post(reverse("web:passkey-add-begin"), content_type="application/json")
    assert begun.status_code == 403
    assert TOTPDevice.objects.filter(user=boss, confirmed=True).exists()


def test_without_its_last_factor_an_account_has_no_recovery_codes(boss: User) -> None:
    browser = signed_in()
    set_up(browser, boss)
    browser.post(reverse("web:second-factor-codes-remove"))
    page = signed_in().get(reverse("admin:index"))
    assert page.status_code == 200
    assert "Recovery codes" not in signed_in().get(reverse("web:second-factor")).content.decode()
    assert browser.post(reverse("web:recovery-codes")).status_code == 404, "from a page that was open before"
    assert signed_in().get(reverse("admin:index")).status_code == 200


def test_who_mistypes_while_setting_it_up_need_not_wait(boss: User) -> None:
    browser, address = signed_in(), reverse("web:second-factor")
    browser.get(address)
    for wrong in ("000000", "abc", "١٢٣٤٥٦"):
        assert browser.post(address, {"code": wrong}).status_code == 422
    assert len(set_up(browser, boss)) == 10


def test_the_key_is_shown_until_it_is_confirmed_and_never_again(boss: User) -> None:
    browser = signed_in()
    before = browser.get(reverse("web:second-factor")).content.decode()
    key = re.search(r"<code>([A-Z2-7]{32})</code>", before)
    assert key
    assert parse_html(before)
    set_up(browser, boss)
    after = browser.get(reverse("web:second-factor")).content.decode()
    assert key.group(1) not in after


def test_players_have_no_such_pages(owner: User) -> None:
    browser = signed_in("owner")
    for name in ("second-factor", "second-factor-show"):
        assert browser.get(reverse(f"web:{name}")).status_code == 404
    assert browser.post(reverse("web:passkey-add-begin"), content_type="application/json").status_code == 404


def test_a_program_with_a_token_needs_no_code(boss: User) -> None:
    set_up(signed_in(), boss)
    secret = issue_token(boss, name="script", scopes=WRITING).secret
    headers = {"Authorization": f"Bearer {secret}"}
    assert Client().post("/api/v1/releases/", content_type=FILE, headers=headers).status_code == 202


def test_who_lost_everything_is_helped_at_the_command_line(boss: User) -> None:
    set_up(signed_in(), boss)
    out = StringIO()
    call_command("forget_second_factor", "boss", stdout=out)
    assert "boss" in out.getvalue()
    assert signed_in().get(reverse("admin:index")).status_code == 200
    with pytest.raises(CommandError, match="nobody"):
        call_command("forget_second_factor", "nobody")
