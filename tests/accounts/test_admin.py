"""Users and tokens in the admin."""

import pytest
from django.test import Client

from armybuilder.accounts import services
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import READING


def test_users_are_listed_with_their_tokens(
    as_administrator: Client, owner: User, django_assert_max_num_queries
) -> None:
    services.issue_token(owner, name="x", scopes=READING)
    with django_assert_max_num_queries(10):
        page = as_administrator.get("/admin/accounts/user/?q=owner")
    assert page.status_code == 200
    assert "owner@example.org" in page.content.decode()


def test_tokens_are_revoked_but_never_made_or_shown(as_administrator: Client, owner: User) -> None:
    issued = services.issue_token(owner, name="script", scopes=READING)
    page = as_administrator.get("/admin/accounts/apitoken/")
    assert "script" in page.content.decode()
    assert issued.token.digest not in page.content.decode()
    assert as_administrator.get("/admin/accounts/apitoken/add/").status_code == 403
    chosen = {"action": "revoke", "_selected_action": str(issued.token.pk)}
    assert as_administrator.post("/admin/accounts/apitoken/", chosen).status_code == 302
    assert ApiToken.objects.get().revoked_at is not None


@pytest.mark.parametrize("who", ["owner", "nobody"])
def test_the_admin_is_closed_to_others_and_nothing_changes(client: Client, owner: User, who: str) -> None:
    token = services.issue_token(owner, name="script", scopes=READING).token
    if who == "owner":
        client.force_login(owner)
    chosen = {"action": "revoke", "_selected_action": str(token.pk)}
    answer = client.post("/admin/accounts/apitoken/", chosen)
    assert answer.status_code == 302 and answer["Location"].startswith("/admin/login/")
    token.refresh_from_db()
    assert token.revoked_at is None


@pytest.mark.parametrize(("language", "told"), [("en", "for its administrators"), ("ru", "для администраторов")])
def test_who_is_no_administrator_reads_so_on_a_page_of_the_site(
    client: Client, owner: User, language: str, told: str
) -> None:
    client.force_login(owner)
    answer = client.get("/admin/", follow=True, headers={"Accept-Language": language})
    page = answer.content.decode()
    assert answer.status_code == 403
    assert told in page
    assert 'class="problem ' in page
    assert Client().get("/admin/", follow=True).status_code == 200
