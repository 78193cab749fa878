"""Writes to stored lists: each checks the viewer, takes one transaction, and refuses rather than overwrites.

How a change is judged and stored is told in `revising`.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from armybuilder.accounts import attempts
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, queries, report_cache, share_links
from armybuilder.armylists.copying import detachment_for, unit_to_copy, with_copy
from armybuilder.armylists.documents import ListDocument, display_name
from armybuilder.armylists.editing import Draft
from armybuilder.armylists.edits import AddDetachment, Edit, SetFacts, SetName, SetPointsLimit
from armybuilder.armylists.errors import (
    EditRefused,
    NotFound,
    NothingToRedo,
    NothingToUndo,
    TooLarge,
)
from armybuilder.armylists.first_detachment import force_entry_of, primary_force_entry
from armybuilder.armylists.limits import validated_text
from armybuilder.armylists.list_types import list_type_of, list_type_of_document, list_type_of_system
from armybuilder.armylists.models import ArmyList, Revision, RevisionKind, ShareLink, Tint
from armybuilder.armylists.plain_words import straight, turns
from armybuilder.armylists.reports import EditResult, ListReport
from armybuilder.armylists.revising import NewContent, OpenList, conflict, opened, revised, stored
from armybuilder.armylists.wording import LIST_CREATED, points_change
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.edits import new_roster
from armybuilder.moments import storable
from armybuilder.reference.queries import system as published_system

_RESTORED = Text(en="Restored from a file", ru="Восстановлено из файла")
_ALLY = "/allied_catalogue_id"


def create_army_list(
    viewer: Viewer,
    *,
    system_id: str,
    name: str,
    catalogue_id: str,
    points_limit: int | None = None,
    allegiance: str | None = None,
    force_entry_id: str | None = None,
    allied_catalogue_id: str | None = None,
    folder: str = "",
) -> ArmyList:
    """A new list with its Primary Detachment (or `force_entry_id`), and an Allied one if a catalogue for it is given.

    Raises:
        NotFound: no such published system.
        EditRefused: unknown catalogue or force entry, with a pointer to the argument.
        TooLarge: the viewer has as many lists as one may have, or a text is too long.
    """
    _refuse_too_many(viewer)
    system = published_system(system_id)
    assert system.current_release_id is not None
    if refusal := list_type_of_system(system).refusal_of_catalogues(system):
        raise EditRefused(refusal, "/catalogue_id")
    library = library_of(system.current_release_id)
    roster = new_roster(library, name=validated_text(name, limits.NAME_LENGTH, "/name"), new_id=new_id).roster
    draft = Draft(
        library=library,
        rule_pack=system.rule_pack,
        document=ListDocument(roster=roster),
        points_limit=None,
        new_id=new_id,
    )
    edits: list[Edit] = [SetName(name=name)]
    primary = force_entry_id or primary_force_entry(system_id, library, catalogue_id)
    edits.append(AddDetachment(force_entry_id=primary, catalogue_id=catalogue_id))
    ally = None
    if allied_catalogue_id:
        allied = force_entry_of(system_id, "allied", library, allied_catalogue_id, _ALLY)
        ally = AddDetachment(force_entry_id=allied, catalogue_id=allied_catalogue_id)
        edits.append(ally)
    if allegiance:
        edits.append(SetFacts(facts={"allegiance": allegiance}))
    edits.append(SetPointsLimit(points_limit=points_limit))  # none, too: some data begins with a limit of 0
    for edit in edits:  # one at a time, so that a refusal points to the argument and not to an index
        try:
            draft.apply((edit,))
        except EditRefused as refused:
            if edit is ally and refused.at == "/catalogue_id":
                raise EditRefused(refused.text, _ALLY) from refused
            raise
    return stored(
        viewer,
        document=draft.document,
        system=system,
        release_id=system.current_release_id,
        points_limit=draft.points_limit,
        summary=LIST_CREATED,
        folder=validated_text(folder, limits.FOLDER_LENGTH, "/folder"),
    )


def apply_edit(viewer: Viewer, list_id: UUID, edit: Edit, *, expected_revision: int) -> EditResult:
    """One edit as one revision; see `apply_edits`."""
    return apply_edits(viewer, list_id, (edit,), expected_revision=expected_revision)


def apply_edits(viewer: Viewer, list_id: UUID, edits: Sequence[Edit], *, expected_revision: int) -> EditResult:
    """Apply edits in their order as one revision, all or none.

    Raises:
        NotFound: no such list, or not the viewer's own.
        RevisionConflict: the list is no longer at `expected_revision`.
        EditRefused: an edit names what does not exist, or cannot be carried out.
        TooLarge: the list would become larger than allowed.
    """
    present = opened(viewer, list_id, expected_revision=expected_revision)
    row, before = present.row, present.type.read(present.row.document)
    draft = present.type.draft(row, before, present.state, new_id)
    draft.apply(edits)
    if not draft.done or (draft.document == before and draft.points_limit == row.points_limit):
        return EditResult(army_list=row, report=check_army_list(row), node_id=draft.node_id, summary=None)
    return revised(
        present,
        NewContent(
            kind=RevisionKind.EDIT,
            document=draft.document,
            points_limit=draft.points_limit,
            sentences=draft.done,
            node_id=draft.node_id,
            previous=draft.state or present.state,
        ),
    )


def undo(viewer: Viewer, list_id: UUID, *, expected_revision: int) -> EditResult:
    """Go back to the state before the present one, as a new revision. Raises NothingToUndo at the first."""
    present = opened(viewer, list_id, expected_revision=expected_revision)
    content = _content(present.row)
    if content.parent is None:
        raise NothingToUndo
    parent = queries.revision(present.row, content.parent)
    done = _without_price(content, parent)
    sentence = Text(en=f"Undone: {done.en}", ru=f"Отменено: {done.ru}")
    return _again(present, parent, RevisionKind.UNDO, sentence)


def redo(viewer: Viewer, list_id: UUID, *, expected_revision: int) -> EditResult:
    """Take back the last undo, as a new revision. Raises NothingToRedo when there is none."""
    present = opened(viewer, list_id, expected_revision=expected_revision)
    content = _content(present.row)
    target = queries.next_content(present.row, content.number)
    if target is None:
        raise NothingToRedo
    done = _without_price(target, content)
    sentence = Text(en=f"Redone: {done.en}", ru=f"Повторено: {done.ru}")
    return _again(present, target, RevisionKind.REDO, sentence)


def restore_revision(viewer: Viewer, list_id: UUID, number: int, *, expected_revision: int) -> EditResult:
    """Make an earlier revision the present one, as a new revision."""
    present = opened(viewer, list_id, expected_revision=expected_revision)
    target = queries.revision(present.row, number)
    sentence = Text(en=f"Back to revision {number}", ru=f"Возврат к редакции {number}")
    return _again(present, target, RevisionKind.RESTORED, sentence, is_new=True)  # so undo leads back here


def file_army_list(
    viewer: Viewer,
    list_id: UUID,
    *,
    folder: str | None = None,
    tags: Sequence[str] | None = None,
    is_archived: bool | None = None,
    tint: Tint | Literal[""] | None = None,
) -> ArmyList:
    """Put a list into a folder or the archive, give it tags or a tint; no revision: the list itself stays as it is.

    Raises:
        TooLarge: a name is too long, or there are too many tags.
    """
    army_list = queries.own_army_list(list_id, viewer)
    changes: dict[str, Any] = {} if tint is None else {"tint": tint}
    if folder is not None:
        changes["folder"] = validated_text(folder, limits.FOLDER_LENGTH, "/folder")
    if tags is not None:
        if len(tags) > limits.TAGS:
            raise TooLarge(
                Text(
                    en=f"A list can have {limits.TAGS} tags, not {len(tags)}.",
                    ru=f"У ростера может быть не больше {limits.TAGS} меток, а не {len(tags)}.",
                ),
                "/tags",
            )
        changes["tags"] = [validated_text(tag, limits.TAG_LENGTH, f"/tags/{index}") for index, tag in enumerate(tags)]
    if is_archived is not None and is_archived != (army_list.archived is not None):
        changes["archived"] = timezone.now() if is_archived else None
    if changes:
        ArmyList.objects.filter(pk=army_list.pk).update(**changes)
    return queries.own_army_list(list_id, viewer)


def name_revision(viewer: Viewer, list_id: UUID, number: int, *, label: str) -> Revision:
    """Call a state of a list something, so that it is found again and never thinned out; an empty label unnames it.

    Raises:
        NotFound: no such state, or not the viewer's own list.
        TooLarge: the label is too long.
    """
    kept = queries.revision(queries.own_army_list(list_id, viewer), number)
    kept.label = validated_text(label, limits.LABEL_LENGTH, "/label")
    kept.save(update_fields=["label"])
    return kept


def make_variant(viewer: Viewer, list_id: UUID, *, number: int | None = None, name: str | None = None) -> ArmyList:
    """A new list that begins with a state of one's own list and stays beside it as its variant.

    Args:
        number: the state; None for the present one.

    Raises:
        NotFound: no such state, or not the viewer's own list.
        TooLarge: the viewer has as many lists as one may have.
    """
    source = queries.own_army_list(list_id, viewer)
    family = source.family or source.pk
    number = source.revision if number is None else number
    original = source.name
    made = _copied(
        viewer,
        queries.army_list_at(source, number),
        name=name,
        summary=Text(
            en=f"Variant of “{original}”, from state {number}", ru=f"Вариант ростера «{original}» из редакции {number}"
        ),
    )
    ArmyList.objects.filter(pk__in=[list_id, made.pk]).update(family=family)
    made.family = family
    return made


def duplicate_list(viewer: Viewer, list_id: UUID, *, name: str | None = None) -> ArmyList:
    """A copy of one's own list, with a history of its own.

    Raises:
        TooLarge: the viewer has as many lists as one may have.
    """
    return _copied(viewer, queries.own_army_list(list_id, viewer), name=name)


def copy_unit(
    viewer: Viewer, list_id: UUID, node_id: str, *, to_list_id: UUID, force_id: str | None = None
) -> EditResult:
    """Put a copy of a unit of one's list into another one of the same data set, as an edit of that list.

    Args:
        force_id: its detachment; None for the first that is filled from the unit's catalogue.

    Raises:
        NotFound: no such list or unit, or not the viewer's own.
        EditRefused: the other list is of another data set, or has no such detachment.
        RevisionConflict: the other list was changed meanwhile.
        TooLarge: it would become larger than allowed.
    """
    source = queries.own_army_list(list_id, viewer)
    document, place = unit_to_copy(source, node_id)
    revision = queries.own_army_list(to_list_id, viewer).revision
    present = opened(viewer, to_list_id, expected_revision=revision)
    if present.row.system_id != source.system_id:
        raise EditRefused(
            Text(
                en=f"“{present.row.name}” is a list of other game data; units are copied within one data set.",
                ru=f"Ростер «{present.row.name}» – из других данных игры; юниты копируются в пределах одного набора.",
            ),
            "/list_id",
        )
    target = present.type.read(present.row.document)
    copied, copy_id = with_copy(
        target,
        document,
        place,
        force_id=detachment_for(target, document, place, force_id),
        library=library_of(present.row.release_id),
        rule_pack=source.system.rule_pack,
        new_id=new_id,
    )
    name = display_name(place.node)
    sentence = Text(en=f"Copied {name} from “{source.name}”", ru=f"Скопировано: {name} – из «{source.name}»")
    return revised(
        present,
        NewContent(
            kind=RevisionKind.EDIT,
            document=copied,
            points_limit=present.row.points_limit,
            sentences=[sentence],
            node_id=copy_id,
            previous=present.state,
        ),
    )


def copy_shared(viewer: Viewer, token: str) -> ArmyList:
    """A copy of a shared list for the viewer, with a history of its own.

    Raises:
        NotFound: no open link.
        TooLarge: the viewer has as many lists as one may have.
    """
    source = queries.shared_army_list(token)
    return _copied(viewer, source, name=source.name)


def delete_army_list(viewer: Viewer, list_id: UUID, *, expected_revision: int | None = None) -> None:
    """Put a list into the bin; its share links lead nowhere until it is restored.

    Raises:
        RevisionConflict: the list is no longer at `expected_revision`, if one is given.
    """
    army_list = queries.own_army_list(list_id, viewer)
    rows = ArmyList.objects.filter(pk=army_list.pk, deleted__isnull=True)
    if expected_revision is not None:
        rows = rows.filter(revision=expected_revision)
    if not rows.update(deleted=timezone.now()):
        raise conflict(army_list.pk)


def restore_army_list(viewer: Viewer, list_id: UUID) -> ArmyList:
    """Take a list out of the bin. Raises NotFound when it is not in the viewer's."""
    if not queries.deleted_lists_of(viewer).filter(pk=list_id).update(deleted=None):
        raise NotFound("There is no such list in your bin.")
    return queries.own_army_list(list_id, viewer)


def publish_share_link(
    viewer: Viewer,
    list_id: UUID,
    *,
    expires: datetime | None = None,
    is_frozen: bool = False,
    takes_replies: bool = False,
    is_listed: bool = False,
) -> ShareLink:
    """A new secret address under which anybody may read the list.

    Args:
        is_frozen: it shows the list as it is now, whatever becomes of it.
        takes_replies: its readers may comment and suggest changes.
        is_listed: the list stands among the public ones.

    Raises:
        EditRefused: an expiry in the past; a public link of a guest, or of a list as it is now.
        TooLarge: the list has as many open links as one may have.
    """
    army_list = queries.own_army_list(list_id, viewer)
    if is_listed and viewer.user is None:
        raise EditRefused(
            Text(
                en="Sign in to make a list public; a link can be handed on without.",
                ru="Чтобы сделать ростер публичным, войдите; передать ссылку можно и без этого.",
            ),
            "/listed",
        )
    if is_listed and is_frozen:
        raise EditRefused(
            Text(
                en="A public list shows its present state; a frozen link cannot be public.",
                ru="Публичный ростер виден таким, какой он сейчас; закреплённую ссылку публиковать нельзя.",
            ),
            "/listed",
        )
    if expires is not None and expires <= timezone.now():
        raise EditRefused(
            Text(en="A share link must expire in the future.", ru="Срок ссылки должен быть в будущем."), "/expires"
        )
    if army_list.share_links.filter(revoked_at__isnull=True).count() >= limits.SHARE_LINKS_OF_A_LIST:
        raise TooLarge(
            Text(
                en=f"This list has {limits.SHARE_LINKS_OF_A_LIST} open links; revoke one first.",
                ru=f"У ростера уже {limits.SHARE_LINKS_OF_A_LIST} открытых ссылок; сначала отзовите одну.",
            )
        )
    return ShareLink.objects.create(
        token=share_links.new_token(),
        army_list=army_list,
        expires=expires and storable(expires),
        revision=army_list.revision if is_frozen else None,
        takes_replies=takes_replies,
        is_listed=is_listed,
    )


def usual_share_link(viewer: Viewer, list_id: UUID) -> ShareLink:
    """The address that is handed on when nothing else is asked for: unlisted, of the present state, without an end.

    The newest open one there is; else one is made.

    Raises:
        TooLarge: there is none, and the list has as many other open links as one may have.
    """
    usual = queries.share_links_of(viewer, list_id).filter(
        revoked_at__isnull=True, expires__isnull=True, revision__isnull=True, is_listed=False
    )
    return usual.first() or publish_share_link(viewer, list_id)


def revoke_share_link(viewer: Viewer, list_id: UUID, token: str) -> ShareLink:
    """Close a share link for good; closing it again changes nothing. Raises NotFound."""
    links = queries.share_links_of(viewer, list_id).filter(token=token)
    links.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
    link = links.first()
    if link is None:
        raise NotFound("This list has no such link.")
    return link


def store_restored(
    viewer: Viewer,
    *,
    document: Any,
    system: PublishedSystem,
    release_id: UUID,
    points_limit: int | None,
    folder: str,
    tags: Sequence[str],
    summary: Text = _RESTORED,
) -> ArmyList:
    """A list out of a file, as a new list of the viewer's.

    Raises:
        TooLarge: it is larger than a list may be, or the viewer has as many lists as one may have.
    """
    _refuse_too_many(viewer)
    list_type = list_type_of_document(document)
    list_type.check_sizes(document)
    if turns(text := list_type.written(document)):
        document = list_type.read(straight(text))
    return stored(
        viewer,
        document=document,
        system=system,
        release_id=release_id,
        points_limit=points_limit,
        summary=summary,
        folder=folder,
        tags=tags,
    )


def move_to_release(
    viewer: Viewer, list_id: UUID, *, release: DataRelease, document: ListDocument, expected_revision: int
) -> EditResult:
    """Put a list on another release of its game, as a new revision that can be undone; see `impact.move`."""
    present = opened(viewer, list_id, expected_revision=expected_revision)
    sentence = Text(
        en=f"Moved to data release {release.number} ({release.revision})",
        ru=f"Перенесено на выпуск данных {release.number} ({release.revision})",
    )
    return revised(
        present,
        NewContent(
            kind=RevisionKind.EDIT,
            document=document,
            points_limit=present.row.points_limit,
            sentences=[sentence],
            release_id=release.pk,
        ),
    )


def decline_release(viewer: Viewer, list_id: UUID, *, release_id: UUID) -> ArmyList:
    """Stay on the present data: this newer release is offered no more. The list itself stays as it is."""
    army_list = queries.own_army_list(list_id, viewer)
    ArmyList.objects.filter(pk=army_list.pk).update(declined_release=release_id)
    return queries.own_army_list(list_id, viewer)


def claim_guest_lists(user: User, guest_key: UUID) -> int:
    """Give a guest's lists, the bin included, to the account he has signed up for; how many there were."""
    return ArmyList.objects.filter(guest_key=guest_key).update(owner=user, guest_key=None)


def check_army_list(army_list: ArmyList) -> ListReport:
    """The verdict on a list with its findings; refreshes the points and verdict kept on the row."""
    report, kept = report_cache.judged(army_list)
    if any(getattr(army_list, name) != value for name, value in kept.items()):
        # e.g. an alliance cell was filled since; the revision stays, as the list is the same
        ArmyList.objects.filter(pk=army_list.pk, revision=army_list.revision).update(**kept)
        for name, value in kept.items():
            setattr(army_list, name, value)
    return report


def new_id() -> str:
    """An id for a node of a roster: unique within its list."""
    return secrets.token_hex(6)


def _content(army_list: ArmyList) -> Revision:
    """The revision that first held what the list holds now."""
    return queries.revision(army_list, queries.present_content(army_list))


def _without_price(done: Revision, parent: Revision) -> Text:
    """What was done without what it cost then: what undoing or redoing it costs is told behind."""
    told = Text(en=done.summary_en, ru=done.summary_ru)
    if done.points is None or parent.points is None:
        return told
    price = points_change(done.points - parent.points)
    if price is None:
        return told
    return Text(en=told.en.removesuffix(f", {price.en}"), ru=told.ru.removesuffix(f", {price.ru}"))


def _again(
    present: OpenList, target: Revision, kind: RevisionKind, sentence: Text, *, is_new: bool = False
) -> EditResult:
    """Make the content of an earlier revision the present one.

    Args:
        is_new: it counts as new content, made from what the list holds now.
    """
    return revised(
        present,
        NewContent(
            kind=kind,
            document=present.type.read(target.document),
            points_limit=target.points_limit,
            sentences=[sentence],
            previous=present.state,
            repeats=None if is_new else target,
            release_id=target.release_id,
        ),
    )


def _copied(viewer: Viewer, source: ArmyList, *, name: str | None, summary: Text | None = None) -> ArmyList:
    _refuse_too_many(viewer)
    name = validated_text(name or source.name, limits.NAME_LENGTH, "/name") or source.name
    kind = list_type_of(source)
    return stored(
        viewer,
        tint=source.tint,
        document=kind.renamed(kind.read(source.document), name),
        system=source.system,
        release_id=source.release_id,
        points_limit=source.points_limit,
        summary=summary or Text(en=f"Copied from “{source.name}”", ru=f"Копия ростера «{source.name}»"),
        folder=source.folder if queries.may_edit(source, viewer) else "",
        copied_from=source,
    )


def _no_room(limit: int, *, is_guest: bool) -> Text:
    keeps = limits.LISTS_OF_A_USER
    return Text(
        en=f"You have {limit} lists, more cannot be kept. Delete one first"
        + (f", or sign up: an account keeps {keeps}." if is_guest else "."),
        ru=f"У вас {limit} ростеров, больше хранить нельзя. Сначала удалите один"
        + (f" или заведите учётную запись: она хранит {keeps}." if is_guest else "."),
    )


def _refuse_too_many(viewer: Viewer) -> None:
    """Make sure that the viewer may have one more list. Raises NotFound for nobody, TooLarge for a collector."""
    if not viewer.is_anybody:
        raise NotFound("A list needs an owner: sign in, or allow the cookie that keeps a guest's lists.")
    limit = limits.LISTS_OF_A_USER if viewer.user is not None else limits.LISTS_OF_A_GUEST
    if queries.army_lists_of(viewer).count() >= limit:
        raise TooLarge(_no_room(limit, is_guest=viewer.user is None))
    if queries.deleted_lists_of(viewer).count() >= limit:
        raise TooLarge(
            Text(
                en=f"Your bin holds {limit} lists, as many as may be kept. Bring one back or wait until they are gone.",
                ru=f"В корзине {limit} ростеров, больше хранить нельзя. Верните один или дождитесь её очистки.",
            )
        )
    if viewer.user is None and viewer.address:
        made = attempts.count("guest-lists", attempts.neighbourhood(viewer.address), seconds=3_600)
        if made > settings.GUEST_LISTS_PER_HOUR:
            raise TooLarge(
                Text(
                    en="Too many lists were made from your address within this hour. Try again later, or sign in.",
                    ru="С вашего адреса за этот час создано слишком много ростеров. Попробуйте позже или войдите.",
                )
            )
