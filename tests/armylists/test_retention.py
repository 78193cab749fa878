"""What is no longer kept goes, on the day its setting says and not before; what somebody still uses stays."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from armybuilder.accounts.models import Guest, User
from armybuilder.accounts.queries import owner_of_new
from armybuilder.accounts.viewers import Viewer, new_guest_key
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.collection import keep_units
from armybuilder.armylists.errors import NothingToUndo, TooLarge
from armybuilder.armylists.layouts import keep_layout
from armybuilder.armylists.models import ArmyList, OwnedUnit, Revision, TextLayout
from armybuilder.armylists.retention import forget_lists, thin_histories
from armybuilder.simulations.models import SavedTarget
from armybuilder.simulations.retention import forget_all
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.both_databases

HOUR = timedelta(hours=1)


def ago(days: int) -> Any:
    """So many days ago."""
    return timezone.now() - timedelta(days=days)


def named(muster: Muster, *names: str) -> None:
    """Rename a list once for each name: one state more each time."""
    for name in names:
        muster.edit(e.SetName(name=name))


def numbers(muster: Muster) -> list[int]:
    """The states a list still has."""
    return sorted(Revision.objects.filter(army_list=muster.list_id).values_list("number", flat=True))


@pytest.mark.parametrize(("days", "stay"), [(30, ["kept", "young"]), (0, ["kept", "old", "young"])])
def test_a_list_leaves_the_bin_after_bin_days(
    muster: Callable[..., Muster], settings: Any, days: int, stay: list[str]
) -> None:
    settings.BIN_DAYS = days
    old, young = muster(name="old"), muster(name="young")
    copy = services.duplicate_list(old.viewer, old.list_id)
    ArmyList.objects.filter(pk=copy.pk).update(name="kept", updated=ago(4_000))
    ArmyList.objects.filter(pk=old.list_id).update(deleted=ago(30) - HOUR)
    ArmyList.objects.filter(pk=young.list_id).update(deleted=ago(30) + HOUR)
    assert forget_lists() == 3 - len(stay)
    assert sorted(ArmyList.objects.values_list("name", flat=True)) == stay
    assert forget_lists() == 0
    assert services.restore_army_list(young.viewer, young.list_id).name == "young"


def test_lists_of_a_browser_that_stayed_away_go_and_those_of_accounts_stay(
    muster: Callable[..., Muster], guest: Viewer, settings: Any
) -> None:
    settings.GUEST_DAYS = 60
    facts = {"system_id": "horus-heresy", "catalogue_id": "hh-solar-auxilia"}
    other = Viewer(guest_key=new_guest_key())
    for viewer, name in ((guest, "old"), (other, "young")):
        services.create_army_list(viewer, name=name, **facts)
    muster(name="mine")
    ArmyList.objects.update(updated=ago(4_000))
    assert forget_lists() == 0  # nobody has noted when they were here: from now on it counts
    Guest.objects.filter(key=guest.guest_key).update(seen=ago(60) - HOUR)
    Guest.objects.filter(key=other.guest_key).update(seen=ago(60) + HOUR)
    assert forget_lists() == 1
    assert sorted(ArmyList.objects.values_list("name", flat=True)) == ["mine", "young"]


def test_all_that_a_browser_kept_goes_when_it_stayed_away(
    muster: Callable[..., Muster], owner: User, guest: Viewer, settings: Any
) -> None:
    settings.GUEST_DAYS = 60
    game, other = muster().row.system, Viewer(guest_key=new_guest_key())
    for viewer in (guest, other, Viewer(user=owner)):
        keep_layout(viewer, name="Mine", source="{{ name }}")
        keep_units(viewer, game.pk, {"Praetor": (2, 1)})
        SavedTarget.objects.create(**owner_of_new(viewer), rule_pack="horus-heresy", name="Wall", side="{}")
    assert forget_all(seconds=9) == 0
    assert set(Guest.objects.values_list("key", flat=True)) == {guest.guest_key, other.guest_key}
    Guest.objects.filter(key=guest.guest_key).update(seen=ago(60) - HOUR)
    Guest.objects.filter(key=other.guest_key).update(seen=ago(60) + HOUR)
    assert forget_all(seconds=9) == 3
    for model in (TextLayout, OwnedUnit, SavedTarget):
        assert set(model.objects.values_list("guest_key", flat=True)) == {None, other.guest_key}
    assert list(Guest.objects.values_list("key", flat=True)) == [other.guest_key]


def test_all_of_guests_stays_where_all_is_kept(guest: Viewer, settings: Any, db: None) -> None:
    settings.GUEST_DAYS = 0
    keep_layout(guest, name="Mine", source="{{ name }}")
    Guest.objects.create(key=guest.guest_key, seen=ago(4_000))
    assert forget_all(seconds=9) == 0
    assert Guest.objects.count() == TextLayout.objects.count() == 1


def test_the_newest_states_are_kept_and_undo_ends_at_the_oldest(draft: Muster, settings: Any) -> None:
    settings.REVISIONS_KEPT = 4
    named(draft, "2", "3", "4")
    assert thin_histories() == 0
    named(draft, "5", "6")
    assert thin_histories() == 2
    assert (numbers(draft), draft.row.name) == ([3, 4, 5, 6], "6")
    for name in ("5", "4", "3"):
        services.undo(draft.viewer, draft.list_id, expected_revision=draft.row.revision)
        assert draft.row.name == name
    with pytest.raises(NothingToUndo):
        services.undo(draft.viewer, draft.list_id, expected_revision=draft.row.revision)


def test_what_undo_went_back_to_stays(draft: Muster, settings: Any) -> None:
    settings.REVISIONS_KEPT = 2
    named(draft, "2", "3")
    for _ in range(2):
        services.undo(draft.viewer, draft.list_id, expected_revision=draft.row.revision)
    assert thin_histories() == 1
    assert numbers(draft) == [1, 2, 4, 5]  # 4 and 5 repeat 2 and 1
    assert draft.row.name == "First draft"


def test_what_a_frozen_link_shows_stays_until_the_link_is_taken_back(draft: Muster, settings: Any) -> None:
    settings.REVISIONS_KEPT = 2
    named(draft, "2")
    link = services.publish_share_link(draft.viewer, draft.list_id, is_frozen=True)
    named(draft, "3", "4", "5")
    assert thin_histories() == 2
    assert numbers(draft) == [2, 4, 5]
    assert queries.shared_army_list(link.token).name == "2"
    services.revoke_share_link(draft.viewer, draft.list_id, link.token)
    assert thin_histories() == 1
    assert numbers(draft) == [4, 5]


def test_all_states_are_kept_where_nothing_is_forgotten(draft: Muster, settings: Any) -> None:
    settings.REVISIONS_KEPT = 0
    named(draft, "2", "3")
    assert thin_histories() == 0
    assert numbers(draft) == [1, 2, 3]


def test_tidy_does_all_of_it_and_says_how_much(muster: Callable[..., Muster], settings: Any) -> None:
    settings.BIN_DAYS, settings.REVISIONS_KEPT = 30, 2
    binned, long = muster(name="binned"), muster(name="long")
    named(long, "2", "3", "4")
    ArmyList.objects.filter(pk=binned.list_id).update(deleted=ago(31))
    Session.objects.create(session_key="ended", session_data="", expire_date=ago(1))
    Session.objects.create(session_key="open", session_data="", expire_date=ago(-1))
    said = StringIO()
    call_command("tidy", stdout=said)
    assert said.getvalue() == "1 rows of simulations, lists and what guests left, 2 old states of lists\n"
    assert [row.name for row in ArmyList.objects.all()] == ["4"]
    assert [row.session_key for row in Session.objects.all()] == ["open"]
    said = StringIO()
    call_command("tidy", stdout=said)
    assert said.getvalue().startswith("0 rows of simulations, lists and what guests left, 0 old")


def kept_bytes(muster: Muster) -> int:
    """What a list is said to take."""
    return int(ArmyList.objects.values_list("kept_bytes", flat=True).get(pk=muster.list_id))


def weighed(muster: Muster) -> int:
    """What a list takes, counted anew."""
    states = Revision.objects.filter(army_list=muster.list_id).values_list("packed_document", flat=True)
    return len(muster.row.document.encode()) + sum(len(bytes(state)) for state in states)


def test_a_list_knows_the_bytes_it_takes_with_its_states(draft: Muster, settings: Any) -> None:
    named(draft, "Дозор", "a longer name than before", "3", "4")
    services.undo(draft.viewer, draft.list_id, expected_revision=draft.row.revision)
    assert kept_bytes(draft) == weighed(draft)
    settings.REVISIONS_KEPT = 2
    assert thin_histories() == 3  # what the last one repeats stays
    assert kept_bytes(draft) == weighed(draft)


def test_old_states_go_when_all_lists_of_somebody_take_too_much(
    draft: Muster, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STATES_LEFT", 3)
    named(draft, *map(str, range(2, 12)))
    settings.KEPT_BYTES_OF_A_USER = kept_bytes(draft)
    named(draft, "12")
    assert (numbers(draft), draft.row.name) == ([9, 10, 11, 12], "12")
    settings.KEPT_BYTES_OF_A_USER = kept_bytes(draft) // 2
    before = draft.row.document
    with pytest.raises(TooLarge, match="Your lists and their histories take"):
        named(draft, "13")
    with pytest.raises(TooLarge, match="Save those you no longer play as files"):
        services.duplicate_list(draft.viewer, draft.list_id)
    assert draft.row.document == before


def test_what_lies_in_the_bin_counts_and_others_do_not(
    muster: Callable[..., Muster], guest: Viewer, settings: Any
) -> None:
    mine = muster(name="mine")
    settings.KEPT_BYTES_OF_A_USER = kept_bytes(mine) + 100
    services.delete_army_list(mine.viewer, mine.list_id)
    with pytest.raises(TooLarge):
        muster(name="another")
    facts = {"system_id": "horus-heresy", "catalogue_id": "hh-solar-auxilia"}
    of_a_guest = services.create_army_list(guest, name="of a guest", **facts)
    settings.KEPT_BYTES_OF_A_GUEST = of_a_guest.kept_bytes + 100
    with pytest.raises(TooLarge):
        services.create_army_list(guest, name="another of the guest", **facts)
    somebody = Viewer(guest_key=new_guest_key())
    assert services.create_army_list(somebody, name="of another guest", **facts).kept_bytes > 0
