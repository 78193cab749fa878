"""What administrators do is kept, whichever page they do it on, and nobody changes it afterwards."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from armybuilder.accounts import services
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING

pytestmark = pytest.mark.django_db


def test_an_action_on_rows_is_kept(as_administrator: Client, administrator: User, owner: User) -> None:
    token = services.issue_token(owner, name="script", scopes=READING).token
    as_administrator.post("/admin/accounts/apitoken/", {"action": "revoke", "_selected_action": str(token.pk)})
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_repr) == (administrator, "/admin/accounts/apitoken/")
    assert entry.change_message == f"revoke {token.pk}"


def test_a_change_is_kept_once_and_without_what_was_typed(as_administrator: Client, owner: User) -> None:
    page = "/admin/auth/group/add/"
    as_administrator.post(page, {"name": "Keepers"})
    entry = LogEntry.objects.get()
    assert entry.object_repr == "Keepers"
    as_administrator.post(f"/admin/accounts/user/{owner.pk}/password/", {"password1": "short", "password2": "other"})
    assert LogEntry.objects.count() == 1, "nothing was done"
    new = "a much longer phrase"
    as_administrator.post(f"/admin/accounts/user/{owner.pk}/password/", {"password1": new, "password2": new})
    assert LogEntry.objects.count() == 2
    assert not LogEntry.objects.filter(change_message__contains=new).exists()


def test_the_trail_is_read_and_not_changed(as_administrator: Client, owner: User) -> None:
    as_administrator.post("/admin/auth/group/add/", {"name": "Keepers"})
    trail = "/admin/admin/logentry/"
    assert "Keepers" in as_administrator.get(trail).content.decode()
    entry = LogEntry.objects.get()
    assert as_administrator.post(f"{trail}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    as_administrator.post(trail, {"action": "delete_selected", "_selected_action": str(entry.pk), "post": "yes"})
    assert LogEntry.objects.filter(pk=entry.pk).exists()
