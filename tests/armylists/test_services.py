"""What may be done with stored lists, by whom; and that a refusal changes nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import ANYBODY, Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.errors import EditRefused, NotFound, NothingToRedo, NothingToUndo, RevisionConflict, TooLarge
from armybuilder.armylists.models import ArmyList, Revision, RevisionKind, ShareLink
from armybuilder.datafiles.models import PublishedSystem
from tests.armylists.conftest import ALLIED, AUXILIA, PRIMARY, SONS, Muster

pytestmark = pytest.mark.both_databases


def everything() -> Any:
    """All rows that an edit could touch."""
    return (
        list(ArmyList.objects.order_by("pk").values()),
        list(Revision.objects.order_by("pk").values()),
        list(ShareLink.objects.order_by("pk").values()),
    )


def test_a_new_list_has_its_primary_detachment_and_one_revision(draft: Muster) -> None:
    row = draft.row
    assert (row.name, row.points_limit, row.revision, row.points, row.verdict) == ("First draft", 3000, 1, 0, "illegal")
    assert [force.entry_id for force in draft.document.roster.forces] == [PRIMARY]
    assert draft.document.facts == {"allegiance": "traitor"}
    assert row.faction_names == "Sons of Horus"
    first = row.revisions.get()
    assert (first.number, first.kind, first.content, first.parent) == (1, RevisionKind.CREATED, 1, None)
    assert first.document == row.document


def test_a_new_list_may_begin_with_allies(muster: Callable[..., Muster]) -> None:
    army = muster(allied_catalogue_id=AUXILIA)
    assert [(force.entry_id, force.catalogue_id) for force in army.document.roster.forces] == [
        (PRIMARY, SONS),
        (ALLIED, AUXILIA),
    ]


@pytest.mark.parametrize(
    ("case", "facts", "error", "at"),
    [
        ("unknown system", {"system_id": "chess"}, NotFound, None),
        ("unknown catalogue", {"catalogue_id": "nobody"}, EditRefused, "/catalogue_id"),
        ("unknown force entry", {"force_entry_id": "nobody"}, EditRefused, "/force_entry_id"),
        ("no name", {"name": "  "}, EditRefused, "/name"),
        ("a name that is too long", {"name": "x" * 121}, TooLarge, "/name"),
        ("a folder that is too long", {"folder": "x" * 61}, TooLarge, "/folder"),
    ],
)
def test_a_list_that_cannot_be_is_not_made(
    case: str, facts: dict[str, Any], error: type[Exception], at: str | None, muster: Callable[..., Muster]
) -> None:
    with pytest.raises(error) as refused:
        muster(**facts)
    assert getattr(refused.value, "at", None) == at, case
    assert not ArmyList.objects.exists()


def test_nobody_cannot_keep_lists(muster: Callable[..., Muster], heresy: PublishedSystem) -> None:
    with pytest.raises(NotFound):
        services.create_army_list(ANYBODY, system_id="horus-heresy", name="x", catalogue_id=SONS)


def test_a_viewer_may_keep_so_many_lists(
    muster: Callable[..., Muster], guest: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LISTS_OF_A_USER", 2)
    first, second = muster(), muster()
    for refused in (
        muster,
        lambda: services.duplicate_list(first.viewer, second.list_id),
    ):
        with pytest.raises(TooLarge, match="2 lists"):
            refused()
    services.delete_army_list(first.viewer, first.list_id)
    muster()


def test_the_database_holds_exactly_one_owner(draft: Muster) -> None:
    for facts in ({"guest_key": uuid4()}, {"owner": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ArmyList.objects.filter(pk=draft.list_id).update(**facts)


def test_the_database_holds_a_revision_number_once(draft: Muster) -> None:
    copy = draft.row.revisions.get()
    copy.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        copy.save()


def test_a_stale_edit_is_refused_and_nothing_is_lost(draft: Muster) -> None:
    draft.unit("hh-la-praetor")
    before = everything()
    stale: list[Callable[[], object]] = [
        lambda: services.apply_edit(draft.viewer, draft.list_id, e.SetName(name="Mine"), expected_revision=1),
        lambda: services.undo(draft.viewer, draft.list_id, expected_revision=1),
        lambda: services.redo(draft.viewer, draft.list_id, expected_revision=1),
        lambda: services.restore_revision(draft.viewer, draft.list_id, 1, expected_revision=1),
        lambda: services.delete_army_list(draft.viewer, draft.list_id, expected_revision=1),
    ]
    for edit in stale:
        with pytest.raises(RevisionConflict) as refused:
            edit()
        assert refused.value.current_revision == 2
    assert everything() == before


def test_an_edit_that_is_overtaken_while_it_works_is_refused(draft: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The revision is read, then another tab writes: the conditional update notices."""
    apply = services.Draft.apply

    def overtaken(self: services.Draft, edits: Any) -> None:
        apply(self, edits)
        monkeypatch.setattr(services.Draft, "apply", apply)
        draft.edit(e.SetName(name="The other tab"))

    monkeypatch.setattr(services.Draft, "apply", overtaken)
    with pytest.raises(RevisionConflict) as refused:
        services.apply_edit(draft.viewer, draft.list_id, e.SetName(name="This tab"), expected_revision=1)
    assert refused.value.current_revision == 2
    assert (draft.row.name, draft.row.revision, draft.row.revisions.count()) == ("The other tab", 2, 2)


def names(draft: Muster) -> list[str]:
    return [unit.name for unit in draft.document.roster.forces[0].selections]


def step(draft: Muster, service: Callable[..., Any]) -> str:
    return service(draft.viewer, draft.list_id, expected_revision=draft.row.revision).army_list.revision


def test_undo_and_redo_walk_through_the_states(draft: Muster) -> None:
    draft.unit("hh-la-praetor")
    draft.unit("hh-la-tactical-squad")
    assert names(draft) == ["Praetor", "Tactical Squad"]
    step(draft, services.undo)
    assert names(draft) == ["Praetor"]
    step(draft, services.undo)
    assert names(draft) == []
    with pytest.raises(NothingToUndo):
        step(draft, services.undo)
    step(draft, services.redo)
    step(draft, services.redo)
    assert names(draft) == ["Praetor", "Tactical Squad"]
    with pytest.raises(NothingToRedo):
        step(draft, services.redo)
    assert draft.row.revision == draft.row.revisions.count() == 7
    kinds = list(draft.row.revisions.order_by("number").values_list("kind", flat=True))
    assert kinds == ["created", "edit", "edit", "undo", "undo", "redo", "redo"]


def test_what_is_undone_and_redone_is_told_with_one_price(draft: Muster) -> None:
    draft.unit("hh-la-praetor")
    draft.unit("hh-la-tactical-squad")
    done = draft.row.revisions.get(number=3)
    price = draft.row.points - draft.row.revisions.get(number=2).points
    assert price and done.summary_en.endswith(f", +{price.normalize():f} points")
    told = [
        service(draft.viewer, draft.list_id, expected_revision=draft.row.revision).summary
        for service in (services.undo, services.redo, services.undo)
    ]
    added = "Added Tactical Squad to Primary Detachment"
    assert [one.en for one in told] == [
        f"Undone: {added}, −{price.normalize():f} points",
        f"Redone: {added}, +{price.normalize():f} points",
        f"Undone: {added}, −{price.normalize():f} points",
    ]
    assert all(one.ru.count("очк") == 1 for one in told)


def test_where_undo_and_redo_lead_is_known_in_two_queries_or_three(
    draft: Muster, django_assert_max_num_queries: Any
) -> None:
    def ways() -> tuple[bool, bool]:
        row = draft.row
        with django_assert_max_num_queries(3):
            steps = queries.steps_of(row)
        return steps.can_undo, steps.can_redo

    assert ways() == (False, False)
    draft.unit("hh-la-praetor")
    draft.unit("hh-la-tactical-squad")
    assert ways() == (True, False)
    step(draft, services.undo)
    assert ways() == (True, True)
    step(draft, services.undo)
    assert ways() == (False, True)
    step(draft, services.redo)
    assert ways() == (True, True)
    draft.unit("hh-la-despoiler-squad")
    assert ways() == (True, False)
    services.restore_revision(draft.viewer, draft.list_id, 1, expected_revision=draft.row.revision)
    assert ways() == (True, False)


def test_an_edit_after_an_undo_begins_a_new_branch(draft: Muster) -> None:
    draft.unit("hh-la-praetor")
    step(draft, services.undo)
    draft.unit("hh-la-despoiler-squad")
    with pytest.raises(NothingToRedo):
        step(draft, services.redo)
    step(draft, services.undo)
    step(draft, services.redo)
    assert names(draft) == ["Despoiler Squad"]


def test_undo_brings_back_name_limit_and_facts(draft: Muster) -> None:
    draft.edit(e.SetName(name="Renamed"), e.SetPointsLimit(points_limit=2500), e.SetFacts(facts={"play_mode": "open"}))
    assert (draft.row.name, draft.row.points_limit, draft.document.facts["play_mode"]) == ("Renamed", 2500, "open")
    step(draft, services.undo)
    assert (draft.row.name, draft.row.points_limit) == ("First draft", 3000)
    assert "play_mode" not in draft.document.facts


def test_an_earlier_revision_comes_back_and_can_be_undone(draft: Muster) -> None:
    draft.unit("hh-la-praetor")
    draft.unit("hh-la-tactical-squad")
    result = services.restore_revision(draft.viewer, draft.list_id, 2, expected_revision=3)
    assert names(draft) == ["Praetor"]
    assert result.summary is not None
    assert "revision 2" in result.summary.en
    step(draft, services.undo)
    assert names(draft) == ["Praetor", "Tactical Squad"]
    with pytest.raises(NotFound):
        services.restore_revision(draft.viewer, draft.list_id, 99, expected_revision=draft.row.revision)


def test_a_share_link_opens_one_list_for_reading(draft: Muster, friend: User, stranger: User) -> None:
    link = services.publish_share_link(draft.viewer, draft.list_id)
    assert len(link.token) == 22
    assert queries.shared_army_list(link.token).pk == draft.list_id
    reader = Viewer(user=friend, share_token=link.token)
    assert queries.visible_army_list(draft.list_id, reader).pk == draft.list_id
    assert not queries.may_edit(draft.row, reader)
    assert not queries.army_lists_of(reader).exists()
    before = everything()
    for edit in (
        lambda: services.apply_edit(reader, draft.list_id, e.SetName(name="Mine"), expected_revision=1),
        lambda: services.publish_share_link(reader, draft.list_id),
        lambda: services.revoke_share_link(reader, draft.list_id, link.token),
        lambda: services.delete_army_list(reader, draft.list_id),
        lambda: services.undo(reader, draft.list_id, expected_revision=1),
        lambda: services.duplicate_list(reader, draft.list_id),
        lambda: services.file_army_list(reader, draft.list_id, folder="mine"),
        lambda: queries.share_links_of(reader, draft.list_id),
    ):
        with pytest.raises(NotFound):
            edit()
    assert everything() == before


def test_a_stranger_finds_nothing(draft: Muster, stranger: User, guest: Viewer) -> None:
    before = everything()
    for other in (Viewer(user=stranger), guest, ANYBODY, Viewer(share_token="x" * 22)):
        for attempt in (
            lambda other=other: queries.visible_army_list(draft.list_id, other),
            lambda other=other: services.apply_edit(other, draft.list_id, e.SetName(name="x"), expected_revision=1),
            lambda other=other: services.delete_army_list(other, draft.list_id),
            lambda other=other: services.publish_share_link(other, draft.list_id),
            lambda other=other: services.restore_army_list(other, draft.list_id),
        ):
            with pytest.raises(NotFound):
                attempt()
        assert not queries.army_lists_of(other).exists()
    assert everything() == before


def test_an_administrator_reads_but_does_not_edit(draft: Muster, administrator: User) -> None:
    viewer = Viewer(user=administrator)
    assert queries.visible_army_list(draft.list_id, viewer).pk == draft.list_id
    with pytest.raises(NotFound):
        services.apply_edit(viewer, draft.list_id, e.SetName(name="x"), expected_revision=1)


@pytest.mark.parametrize("case", ["revoked", "expired", "list deleted", "mistyped", "malformed"])
def test_a_closed_link_leads_nowhere(case: str, draft: Muster, guest: Viewer) -> None:
    link = services.publish_share_link(draft.viewer, draft.list_id, expires=timezone.now() + timedelta(hours=1))
    token = link.token
    match case:
        case "revoked":
            assert not services.revoke_share_link(draft.viewer, draft.list_id, token).is_open
            assert services.revoke_share_link(draft.viewer, draft.list_id, token).revoked_at is not None
        case "expired":
            past = timezone.now() - timedelta(hours=2)
            ShareLink.objects.update(created=past, expires=past + timedelta(hours=1))
        case "list deleted":
            services.delete_army_list(draft.viewer, draft.list_id)
        case "mistyped":
            token = "A" * 22
        case _:
            token = "../../etc/passwd"
    for attempt in (
        lambda: queries.shared_army_list(token),
        lambda: services.copy_shared(guest, token),
        lambda: queries.visible_army_list(draft.list_id, Viewer(share_token=token)),
    ):
        with pytest.raises(NotFound):
            attempt()


def test_restoring_a_list_opens_its_links_again(draft: Muster) -> None:
    link = services.publish_share_link(draft.viewer, draft.list_id)
    services.delete_army_list(draft.viewer, draft.list_id)
    assert [row.pk for row in queries.deleted_lists_of(draft.viewer)] == [draft.list_id]
    assert not queries.army_lists_of(draft.viewer).exists()
    services.restore_army_list(draft.viewer, draft.list_id)
    assert queries.shared_army_list(link.token).pk == draft.list_id
    with pytest.raises(NotFound):
        services.restore_army_list(draft.viewer, draft.list_id)


def test_a_link_cannot_expire_before_it_exists(draft: Muster) -> None:
    with pytest.raises(EditRefused) as refused:
        services.publish_share_link(draft.viewer, draft.list_id, expires=timezone.now() - timedelta(seconds=1))
    assert refused.value.at == "/expires"
    assert not ShareLink.objects.exists()


def test_open_links_are_limited(draft: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SHARE_LINKS_OF_A_LIST", 1)
    link = services.publish_share_link(draft.viewer, draft.list_id)
    with pytest.raises(TooLarge):
        services.publish_share_link(draft.viewer, draft.list_id)
    services.revoke_share_link(draft.viewer, draft.list_id, link.token)
    services.publish_share_link(draft.viewer, draft.list_id)


def test_a_copy_of_a_shared_list_is_the_readers_own(legal: Muster, guest: Viewer) -> None:
    link = services.publish_share_link(legal.viewer, legal.list_id)
    services.file_army_list(legal.viewer, legal.list_id, folder="Secret plans")
    copy = services.copy_shared(guest, link.token)
    assert (copy.guest_key, copy.owner_id, copy.revision, copy.folder) == (guest.guest_key, None, 1, "")
    assert (copy.document, copy.points, copy.verdict) == (legal.row.document, legal.row.points, legal.row.verdict)
    before = legal.row.document
    services.apply_edit(guest, copy.pk, e.SetName(name="Theirs"), expected_revision=1)
    assert legal.row.document == before


def test_a_guest_takes_his_lists_along(muster: Callable[..., Muster], guest: Viewer, owner: User) -> None:
    muster()
    his = services.create_army_list(guest, system_id="horus-heresy", name="Guest", catalogue_id=SONS)
    deleted = services.create_army_list(guest, system_id="horus-heresy", name="Bin", catalogue_id=SONS)
    services.delete_army_list(guest, deleted.pk)
    assert guest.guest_key is not None
    assert services.claim_guest_lists(owner, guest.guest_key) == 2
    assert services.claim_guest_lists(owner, guest.guest_key) == 0
    assert {row.name for row in queries.army_lists_of(Viewer(user=owner))} == {"Guest", "First draft"}
    with pytest.raises(NotFound):
        queries.visible_army_list(his.pk, guest)


def test_filing_does_not_count_as_an_edit(draft: Muster) -> None:
    filed = services.file_army_list(draft.viewer, draft.list_id, folder=" Spring ", tags=["fun", "1 vs 1"])
    assert (filed.folder, filed.tags, filed.revision) == ("Spring", ["fun", "1 vs 1"], 1)
    with pytest.raises(TooLarge) as refused:
        services.file_army_list(draft.viewer, draft.list_id, tags=["x" * 31])
    assert refused.value.at == "/tags/0"
    with pytest.raises(TooLarge):
        services.file_army_list(draft.viewer, draft.list_id, tags=["x"] * 13)


def test_a_page_of_lists_costs_one_query(
    muster: Callable[..., Muster], django_assert_num_queries: Callable[[int], Any], viewer: Viewer
) -> None:
    for _ in range(3):
        muster()
    with django_assert_num_queries(1):
        rows = [(row.name, row.points, row.verdict, row.system.name) for row in queries.army_lists_of(viewer)]
    assert len(rows) == 3
