"""One change of a stored list, one way down and one way up: edits, undo, redo and moves all take it.

| step | where | what it asks |
|---|---|---|
| load | `opened` | `queries` for the row, `report_cache` for the state this process knows, `list_types` for the type |
| apply | `services` | a draft of the type (`editing`, `heroes.editing`); undo brings an earlier document |
| judge | `judged` | the type (`checking`, `heroes.checking`), and through it the rules of the game, once |
| store | `revised`, `stored` | one conditional update of the row and one revision; of a new list, its two rows |
| report | `revised`, `stored` | the report goes into `report_cache` and, as `EditResult`, to whoever asked |

Each step hands the next one a value and is not asked again: what was loaded travels as `OpenList`, what it shall hold
as `NewContent`, the verdict with what rows keep of it as `Judged`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from armybuilder import figures
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, queries, report_cache
from armybuilder.armylists.checking import Levels
from armybuilder.armylists.errors import NotFound, RevisionConflict, TooLarge
from armybuilder.armylists.list_types import ListType, list_type_of, list_type_of_document
from armybuilder.armylists.models import ArmyList, Revision, RevisionKind
from armybuilder.armylists.reports import EditResult, ListReport
from armybuilder.armylists.retention import make_room
from armybuilder.armylists.wording import joined, points_change, told_once
from armybuilder.compiled_queries import CompiledInsert
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.state import RosterState
from armybuilder.reference.queries import recorded_levels

SUMMARY_LENGTH = 400

_REVISION = CompiledInsert(Revision)


@dataclass(frozen=True, slots=True)
class OpenList:
    """A list of the viewer's about to change.

    Attributes:
        state: its evaluated roster, where this process knows it.
    """

    viewer: Viewer
    row: ArmyList
    type: ListType
    state: RosterState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewContent:
    """What a list shall hold.

    Attributes:
        sentences: what was done, in words.
        node_id: the node it was done to.
        previous: a state to judge from.
        repeats: the revision that first held the same; None for new content.
        release_id: None for the list's own.
    """

    kind: RevisionKind
    document: Any
    points_limit: int | None
    sentences: Sequence[Text]
    node_id: str | None = None
    previous: RosterState | None = None
    repeats: Revision | None = None
    release_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A document with the verdict on it.

    Attributes:
        text: the document as it is stored.
        packed: the same as its revision keeps it.
        columns: what the row repeats of the report.
        levels: the alliance levels it was judged by.
    """

    text: str
    packed: bytes
    title: str
    report: ListReport
    columns: dict[str, Any]
    levels: Levels

    @property
    def bytes(self) -> int:
        """What document and revision take together."""
        return len(self.text.encode()) + len(self.packed)


def opened(viewer: Viewer, list_id: UUID, *, expected_revision: int) -> OpenList:
    """Load a list to change it.

    Raises:
        NotFound: no such list, or not the viewer's own.
        RevisionConflict: it is no longer at this revision.
    """
    row = queries.own_army_list(list_id, viewer)
    if row.revision != expected_revision:
        raise RevisionConflict(row.revision)
    return OpenList(viewer, row, list_type_of(row), report_cache.state_of(row))


def judged(
    document: Any,
    *,
    system: PublishedSystem,
    release_id: UUID,
    points_limit: int | None,
    revision: int,
    previous: RosterState | None = None,
) -> Judged:
    """Judge a document before it is stored. Raises TooLarge when it takes more bytes than a list may."""
    list_type = list_type_of_document(document)
    text = list_type.written(document)
    _refuse_too_many_bytes(len(text.encode()))
    levels = recorded_levels(system.home_id)
    report = list_type.report_on(
        document,
        system=system,
        release_id=release_id,
        points_limit=points_limit,
        revision=revision,
        levels=levels,
        previous=previous,
    )
    figures.VERDICTS.labels(system.pk, report.verdict.value).inc()
    return Judged(
        text,
        Revision.packed(text),
        list_type.title(document),
        report,
        report_cache.columns_of(report, list_type),
        levels,
    )


def revised(opened_list: OpenList, content: NewContent) -> EditResult:
    """Judge and store new content, if the list is still where it was; otherwise nothing is written.

    Raises:
        NotFound, RevisionConflict: it was deleted or changed meanwhile.
        TooLarge: it, or all that its owner keeps, would take more bytes than it may.
    """
    row = opened_list.row
    release_id = content.release_id or row.release_id
    number = row.revision + 1
    new = judged(
        content.document,
        system=row.system,
        release_id=release_id,
        points_limit=content.points_limit,
        revision=number,
        previous=content.previous if release_id == row.release_id else None,
    )
    summary = _summary(content.sentences, row.points, new.columns["points"])
    more = new.bytes - len(row.document.encode())
    make_room(opened_list.viewer, more, row=row)
    now = timezone.now()
    columns = {
        "document": new.text,
        "name": new.title,
        "points_limit": content.points_limit,
        "updated": now,
        **new.columns,
    }
    with transaction.atomic():
        rows = ArmyList.objects.filter(pk=row.pk, revision=row.revision, deleted__isnull=True)
        if not rows.update(
            release=release_id, revision=F("revision") + 1, kept_bytes=F("kept_bytes") + more, **columns
        ):
            raise conflict(row.pk)
        _add_revision(row, new, content, number=number, release_id=release_id, summary=summary, at=now)
    for member, value in {**columns, "release_id": release_id, "revision": number}.items():
        setattr(row, member, value)
    report_cache.remember(row, new.report, new.levels, new.columns)
    return EditResult(
        army_list=row,
        report=new.report,
        node_id=content.node_id if opened_list.type.has_node(content.document, content.node_id) else None,
        summary=summary,
    )


def stored(
    viewer: Viewer,
    *,
    document: Any,
    system: PublishedSystem,
    release_id: UUID,
    points_limit: int | None,
    summary: Text,
    folder: str = "",
    tags: Sequence[str] = (),
    tint: str = "",
    copied_from: ArmyList | None = None,
) -> ArmyList:
    """Judge a document and store it as a new list with its first revision.

    Raises:
        TooLarge: it, or all that the viewer keeps, would take more bytes than it may.
    """
    new = judged(document, system=system, release_id=release_id, points_limit=points_limit, revision=1)
    make_room(viewer, new.bytes)
    with transaction.atomic():
        army_list = ArmyList.objects.create(
            owner=viewer.user,
            guest_key=None if viewer.user is not None else viewer.guest_key,
            system=system,
            release_id=release_id,
            name=new.title,
            points_limit=points_limit,
            document=new.text,
            document_kind=list_type_of_document(document).kind,
            folder=folder,
            tags=list(tags),
            tint=tint,
            copied_from=copied_from,
            kept_bytes=new.bytes,
            **new.columns,
        )
        content = NewContent(
            kind=RevisionKind.CREATED, document=document, points_limit=points_limit, sentences=[summary]
        )
        _add_revision(army_list, new, content, number=1, release_id=release_id, summary=summary, at=army_list.created)
    report_cache.remember(army_list, new.report, new.levels, new.columns)
    return army_list


def conflict(list_id: UUID) -> RevisionConflict | NotFound:
    """Why a list could not be written: it was changed elsewhere, or deleted."""
    current = ArmyList.objects.filter(pk=list_id, deleted__isnull=True).values_list("revision", flat=True).first()
    return NotFound("The list was deleted meanwhile.") if current is None else RevisionConflict(current)


def _add_revision(
    row: ArmyList, new: Judged, content: NewContent, *, number: int, release_id: UUID, summary: Text, at: datetime
) -> None:
    """The revision of content just written; repeated content has the place in the history that it had."""
    made = Revision(
        army_list=row,
        number=number,
        kind=content.kind,
        content=content.repeats.content if content.repeats else number,
        parent=None if content.repeats or number == 1 else queries.present_content(row),
        name=new.title,
        points_limit=content.points_limit,
        points=new.columns["points"],
        verdict=new.columns["verdict"],
        packed_document=new.packed,
        summary_en=summary.en[:SUMMARY_LENGTH],
        summary_ru=summary.ru[:SUMMARY_LENGTH],
        release_id=release_id,
        created=at,
    )
    _REVISION.store(made)


def _summary(sentences: Sequence[Text], before: Any, after: Any) -> Text:
    """All that was done, and what it cost: `Tactical Squad: 10 → 15 × Legionary, +50 points`."""
    change = points_change(after - before) if before is not None and after is not None else None
    whole = joined(told_once(sentences))
    return joined([whole, change], ", ") if change is not None else whole


def _refuse_too_many_bytes(size: int) -> None:
    if size > limits.DOCUMENT_BYTES:
        raise TooLarge(
            Text(
                en=f"The list takes {size} bytes; {limits.DOCUMENT_BYTES} are allowed.",
                ru=f"Ростер занимает {size} байт; допускается {limits.DOCUMENT_BYTES}.",
            )
        )
