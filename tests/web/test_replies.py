"""Comments and suggested changes of readers, and lists that everybody may find."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, queries, replies, services
from armybuilder.armylists.errors import EditRefused, NoSharedList, NotFound, RevisionConflict, TooLarge
from armybuilder.armylists.models import ArmyList, Reply
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.both_databases


@pytest.fixture
def inviting(built: Muster) -> str:
    """Token of a link whose readers may answer."""
    return services.publish_share_link(built.viewer, built.list_id, takes_replies=True).token


@pytest.fixture
def reader(stranger: User) -> Viewer:
    """Somebody who has the link."""
    return Viewer(user=stranger)


def drafted(reader: Viewer, token: str) -> Muster:
    """A reader's copy without the Tactical Squad."""
    draft = Muster(reader, replies.begin_suggestion(reader, token))
    draft.edit(e.Remove(node_id=draft.document.roster.forces[0].selections[1].id))
    return draft


def units(army: Muster) -> list[str]:
    """Names of the units of a list."""
    return [unit.name for unit in army.document.roster.forces[0].selections]


def test_a_suggestion_is_seen_as_a_difference_and_taken(
    built: Muster, reader: Viewer, inviting: str, as_owner: Client, as_stranger: Client
) -> None:
    draft = drafted(reader, inviting)
    seen = as_stranger.get(f"/lists/{draft.list_id}/suggest/").content.decode()
    assert "<del>Tactical Squad</del>" in seen and "Suggest changes of “First draft”" in seen
    as_stranger.post(f"/lists/{draft.list_id}/suggest/", {"author": "Ann", "text": "Too <b>many</b> boots"})
    assert "1 suggestion waits for you." in as_owner.get(f"/lists/{built.list_id}/").content.decode()
    page = as_owner.get(f"/lists/{built.list_id}/replies/").content.decode()
    assert "Ann suggests" in page and "<del>Tactical Squad</del>" in page and "&lt;b&gt;many" in page
    assert units(built) == ["Praetor", "Tactical Squad"]
    row = Reply.objects.get()
    address = f"/lists/{built.list_id}/replies/{row.pk}/"
    assert as_stranger.post(address, {"do": "take", "revision": built.row.revision}).status_code == 404
    as_owner.post(address, {"do": "take", "revision": built.row.revision})
    assert units(built) == ["Praetor"] and built.row.name == "First draft"
    assert queries.revision(built.row, built.row.revision).summary_en.startswith("Suggestion of Ann taken")
    services.undo(built.viewer, built.list_id, expected_revision=built.row.revision)
    assert units(built) == ["Praetor", "Tactical Squad"]
    assert as_owner.post(address, {"do": "take", "revision": built.row.revision}).status_code == 404
    assert "suggests" not in as_owner.get(f"/lists/{built.list_id}/replies/").content.decode()


def test_a_declined_suggestion_changes_nothing(built: Muster, reader: Viewer, inviting: str, as_owner: Client) -> None:
    draft = drafted(reader, inviting)
    row = replies.send_suggestion(reader, draft.list_id, author="", text="")
    before = built.row.revision
    as_owner.post(f"/lists/{built.list_id}/replies/{row.pk}/", {"do": "decline"})
    assert built.row.revision == before and replies.waiting(built.row.pk) == 0
    assert "declined" in as_owner.get(f"/lists/{built.list_id}/replies/").content.decode()
    with pytest.raises(NotFound):
        replies.take(built.viewer, built.list_id, row.pk, expected_revision=before)
    with pytest.raises(NoSharedList):  # it was sent and is an ordinary list now
        replies.send_suggestion(reader, draft.list_id, author="", text="")


def test_a_late_suggestion_shows_what_it_would_undo(built: Muster, reader: Viewer, inviting: str) -> None:
    draft = drafted(reader, inviting)
    row = replies.send_suggestion(reader, draft.list_id, author="Ann", text="")
    built.edit(e.SetPointsLimit(points_limit=2500))
    late = replies.suggestions_for(built.viewer, built.list_id)[0]
    assert late.is_late and "2500 → 3000" in late.comparison.lines
    with pytest.raises(RevisionConflict):
        replies.take(built.viewer, built.list_id, row.pk, expected_revision=built.row.revision - 1)
    assert Reply.objects.get().decision == ""


def test_who_meets_later_edits_is_told_and_led_to_what_would_change(
    built: Muster, reader: Viewer, inviting: str, as_owner: Client, as_stranger: Client
) -> None:
    """The reader saw the owner's edits as his own without a word; the owner met a page that led to all his lists."""
    draft = drafted(reader, inviting)
    address = f"/lists/{draft.list_id}/suggest/"
    assert "since you began" not in as_stranger.get(address).content.decode()
    built.edit(e.SetPointsLimit(points_limit=2500))
    seen = as_stranger.get(address).content.decode()
    assert "The list has changed since you began." in seen and "2500 → 3000" in seen.replace("\xa0", " ")
    row = replies.send_suggestion(reader, draft.list_id, author="", text="")
    before = built.row.revision
    taken = {"do": "take", "revision": before - 1}
    answer = as_owner.post(f"/lists/{built.list_id}/replies/{row.pk}/", taken, follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain[-1][0] == f"/lists/{built.list_id}/replies/"
    assert "Nothing was taken: the list has changed meanwhile." in page and "<del>Tactical Squad</del>" in page
    assert built.row.revision == before and Reply.objects.get().decision == ""


def test_links_invite_nobody_unless_told(built: Muster, reader: Viewer, as_stranger: Client, as_owner: Client) -> None:
    plain = services.publish_share_link(built.viewer, built.list_id).token
    page = as_stranger.get(f"/s/{plain}/").content.decode()
    assert "Suggest changes" not in page and 'id="comments"' not in page
    assert as_stranger.post(f"/s/{plain}/comment/", {"text": "hello"}).status_code == 404
    assert as_stranger.post(f"/s/{plain}/suggest/").status_code == 404
    as_owner.post(f"/lists/{built.list_id}/share/new/", {"replies": "on"})
    token = built.row.share_links.get(takes_replies=True).token
    assert "Suggest changes" in as_stranger.get(f"/s/{token}/").content.decode()
    draft = drafted(reader, token)
    services.revoke_share_link(built.viewer, built.list_id, token)
    with pytest.raises(NoSharedList):
        replies.send_suggestion(reader, draft.list_id, author="", text="")
    assert as_stranger.get(f"/lists/{draft.list_id}/").status_code == 200


def test_comments_are_read_by_readers_and_deleted_by_the_owner(
    built: Muster, inviting: str, as_owner: Client, as_stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/s/{inviting}/comment/"
    as_stranger.post(address, {"author": "Ann", "text": "Nice <script>alert(1)</script>\nlist"})
    assert "Nice &lt;script&gt;" in Client().get(f"/s/{inviting}/").content.decode()
    said = as_stranger.post(address, {"text": "  "}, follow=True).content.decode()
    assert "Write something first." in said and Reply.objects.count() == 1
    monkeypatch.setattr(limits, "REPLIES_TO_A_LIST", 1)
    with pytest.raises(TooLarge):
        replies.comment(inviting, author="", text="again")
    row = Reply.objects.get()
    with pytest.raises(NotFound):
        replies.take(built.viewer, built.list_id, row.pk, expected_revision=built.row.revision)
    assert as_stranger.post(f"/lists/{built.list_id}/replies/{row.pk}/", {"do": "delete"}).status_code == 404
    as_owner.post(f"/lists/{built.list_id}/replies/{row.pk}/", {"do": "delete"})
    assert not Reply.objects.exists()


def test_a_suggestion_changes_something(built: Muster, reader: Viewer, inviting: str, as_stranger: Client) -> None:
    draft = replies.begin_suggestion(reader, inviting)
    answer = as_stranger.post(f"/lists/{draft.pk}/suggest/", {"author": "Ann", "text": "kept"})
    page = answer.content.decode()
    assert answer.status_code == 422 and "Nothing is different yet" in page and ">kept<" in page
    assert not Reply.objects.exists()


def test_public_lists_are_found_by_everybody(
    built: Muster, as_owner: Client, game: Any, muster: Callable[..., Muster], guest: Viewer
) -> None:
    nobody = Client()
    assert "No list is public yet." in nobody.get("/public/").content.decode()
    services.publish_share_link(built.viewer, built.list_id)
    assert "First draft" not in nobody.get("/public/").content.decode()
    as_owner.post(f"/lists/{built.list_id}/share/new/", {"found": "public"})
    link = built.row.share_links.get(is_listed=True)
    page = nobody.get("/public/?q=first sons").content.decode()
    assert f'href="/s/{link.token}/"' in page
    assert "X-Robots-Tag" not in nobody.get(f"/s/{link.token}/")
    assert "No public list has" in nobody.get("/public/?q=orks").content.decode()
    answer = as_owner.post(f"/lists/{built.list_id}/share/new/", {"found": "public", "shows": "frozen"})
    assert answer.status_code == 422 and "cannot be public" in answer.content.decode()
    copied = services.copy_shared(guest, link.token)
    with pytest.raises(EditRefused, match="Sign in"):
        services.publish_share_link(guest, copied.pk, is_listed=True)
    services.revoke_share_link(built.viewer, built.list_id, link.token)
    assert "First draft" not in nobody.get("/public/").content.decode()
    assert ArmyList.objects.count() == 2
