"""What readers of a shared list send back, where its link invites them to: comments, and changes they suggest.

A suggestion begins as a copy in the reader's own lists, is built like any other, and is sent as a whole document. Its
owner sees it beside the present list and takes or declines it; taking it is one revision, which can be undone.
"""

from copy import copy
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.comparison import Comparison, compared
from armybuilder.armylists.errors import EditRefused, NoSharedList, NotFound, TooLarge
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.limits import validated_text
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, Reply, Revision, RevisionKind, ShareLink
from armybuilder.armylists.reports import EditResult
from armybuilder.armylists.revising import NewContent, judged, opened, revised
from armybuilder.compiled_queries import CompiledRows
from armybuilder.engine.findings import Text

_DECISIONS = CompiledRows(Reply.objects.filter(release__isnull=False).values_list("decision").order_by(), "army_list")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested state beside the present one; `is_late` says that the list has changed since it was begun."""

    reply: Reply
    comparison: Comparison
    is_late: bool


def link_for_replies(token: str) -> ShareLink:
    """An open link whose readers may answer. Raises NoSharedList for every other."""
    link = queries.open_link(token)
    if not link.takes_replies:
        raise NoSharedList
    return link


def begin_suggestion(viewer: Viewer, token: str) -> ArmyList:
    """A copy of a shared list in which its reader builds what he suggests.

    Raises:
        NoSharedList: no open link that takes replies.
        TooLarge: the viewer has as many lists as one may have.
    """
    link = link_for_replies(token)
    shown = queries.shared_army_list(token)
    draft = services.copy_shared(viewer, token)
    ArmyList.objects.filter(pk=draft.pk).update(suggests_for=link, suggests_on=shown.revision)
    return queries.own_army_list(draft.pk, viewer)


def original_of(draft: ArmyList) -> ArmyList:
    """The list that a draft suggests changes of. Raises NoSharedList when its link is closed or there is none."""
    if draft.suggests_for_id is None:
        raise NoSharedList
    link = ShareLink.objects.filter(pk=draft.suggests_for_id).first()
    if link is None:
        raise NoSharedList
    return queries.shared_army_list(link_for_replies(link.token).token)


def drafted(draft: ArmyList) -> Comparison:
    """What a draft would change, as its owner sees it before he sends it."""
    original = original_of(draft)
    return compared(plain_sheet_of(original), _as_named(draft, original.name))


def send_suggestion(viewer: Viewer, list_id: UUID, *, author: str, text: str) -> Reply:
    """Send a draft to the owner of the list it was begun from; the draft stays an ordinary list of the reader's.

    Raises:
        NoSharedList: the link is closed or takes no replies any more.
        EditRefused: nothing is different.
        TooLarge: a text is too long, or the list has as many replies as it may have.
    """
    draft = queries.own_army_list(list_id, viewer)
    original = original_of(draft)
    if drafted(draft).is_empty:
        raise EditRefused(
            Text(
                en="Nothing is different yet: change the list first.",
                ru="Пока ничего не изменено: сначала поправьте ростер.",
            )
        )
    made = _stored(
        original,
        author=author,
        text=text,
        packed_document=Revision.packed(draft.document),
        points_limit=draft.points_limit,
        release_id=draft.release_id,
        base_revision=draft.suggests_on,
    )
    ArmyList.objects.filter(pk=draft.pk).update(suggests_for=None)
    return made


def comment(token: str, *, author: str, text: str) -> Reply:
    """Say something about a shared list.

    Raises:
        NoSharedList: no open link that takes replies.
        EditRefused: the text is empty.
        TooLarge: a text is too long, or the list has as many replies as it may have.
    """
    link = link_for_replies(token)
    if not text.strip():
        raise EditRefused(Text(en="Write something first.", ru="Сначала напишите что-нибудь."), "/text")
    return _stored(link.army_list, author=author, text=text)


def replies_to(army_list: ArmyList) -> QuerySet[Reply]:
    """Everything readers sent, newest first, without the documents."""
    return Reply.objects.filter(army_list=army_list.pk).defer("packed_document").order_by("-created", "pk")


def comments_on(army_list: ArmyList) -> QuerySet[Reply]:
    """What readers said, in the order they said it."""
    return replies_to(army_list).filter(release__isnull=True).order_by("created", "pk")


def waiting(list_id: UUID) -> int:
    """How many suggestions the owner of a list has neither taken nor declined."""
    return sum(not decision for (decision,) in _DECISIONS.all(list_id))


def suggestions_for(viewer: Viewer, list_id: UUID) -> tuple[Suggestion, ...]:
    """The suggestions that wait for the owner, each beside the list as it is now."""
    army_list = queries.own_army_list(list_id, viewer)
    rows = Reply.objects.filter(army_list=army_list.pk, release__isnull=False, decision="").order_by("created", "pk")
    present = plain_sheet_of(army_list)
    return tuple(
        Suggestion(
            reply=row,
            comparison=compared(present, _as_suggested(army_list, row)),
            is_late=row.base_revision != army_list.revision,
        )
        for row in rows
    )


def take(viewer: Viewer, list_id: UUID, reply_id: UUID, *, expected_revision: int) -> EditResult:
    """Make a suggested state the present one, as a new revision that can be undone.

    Raises:
        NotFound: no such suggestion, or it was decided already.
        RevisionConflict: the list is no longer at `expected_revision`.
    """
    present = opened(viewer, list_id, expected_revision=expected_revision)
    row = _undecided(present.row, reply_id)
    if row.release_id is None:
        raise NotFound("This is a comment and no suggestion.")
    result = revised(
        present,
        NewContent(
            kind=RevisionKind.EDIT,
            document=present.type.renamed(present.type.read(row.document), present.row.name),
            points_limit=row.points_limit,
            sentences=[
                Text(
                    en=f"Suggestion of {row.author or 'a reader'} taken",
                    ru=f"Принято предложение ({row.author or 'читатель'})",
                )
            ],
            release_id=row.release_id,
        ),
    )
    Reply.objects.filter(pk=row.pk).update(decision=Reply.Decision.TAKEN, decided=timezone.now())
    return result


def decline(viewer: Viewer, list_id: UUID, reply_id: UUID) -> None:
    """Leave a suggestion; the list stays as it is. Raises NotFound."""
    row = _undecided(queries.own_army_list(list_id, viewer), reply_id)
    Reply.objects.filter(pk=row.pk).update(decision=Reply.Decision.DECLINED, decided=timezone.now())


def remove(viewer: Viewer, list_id: UUID, reply_id: UUID) -> None:
    """Delete something that readers sent. Raises NotFound."""
    army_list = queries.own_army_list(list_id, viewer)
    if not Reply.objects.filter(army_list=army_list.pk, pk=reply_id).delete()[0]:
        raise NotFound("There is no such reply.")


def _undecided(army_list: ArmyList, reply_id: UUID) -> Reply:
    found = Reply.objects.filter(army_list=army_list.pk, pk=reply_id, decision="").first()
    if found is None:
        raise NotFound("There is no such suggestion, or it was decided already.")
    return found


def _stored(army_list: ArmyList, *, author: str, text: str, **suggested: Any) -> Reply:
    author = validated_text(author, limits.AUTHOR_LENGTH, "/author")
    text = validated_text(text, limits.REPLY_LENGTH, "/text")
    if Reply.objects.filter(army_list=army_list.pk).count() >= limits.REPLIES_TO_A_LIST:
        raise TooLarge(
            Text(
                en=f"The list has {limits.REPLIES_TO_A_LIST} replies; its owner has to tidy up first.",
                ru=f"У ростера уже {limits.REPLIES_TO_A_LIST} ответов; сначала владелец должен их разобрать.",
            )
        )
    return Reply.objects.create(army_list_id=army_list.pk, author=author, text=text, **suggested)


def _as_named(army_list: ArmyList, name: str) -> ListSheet:
    """The sheet of a list under the name of another, which a suggestion does not change."""
    named = copy(army_list)
    named.name = name
    return plain_sheet_of(named)


def _as_suggested(army_list: ArmyList, row: Reply) -> ListSheet:
    """The sheet of a list as a reader suggests it; judged here, as no revision holds it."""
    list_type = list_type_of(army_list)
    document = list_type.renamed(list_type.read(row.document), army_list.name)
    assert row.release_id is not None
    report = judged(
        document,
        system=army_list.system,
        release_id=row.release_id,
        points_limit=row.points_limit,
        revision=army_list.revision,
    ).report
    shown = copy(army_list)
    shown.release_id, shown.points_limit = row.release_id, row.points_limit
    return list_type.sheet(shown, report, document)
