"""Reads of stored lists: what a viewer may see, and nothing else."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.accounts.queries import owned_by
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import share_links
from armybuilder.armylists.errors import NoSharedList, NotFound
from armybuilder.armylists.models import ArmyList, Revision, ShareLink, VerdictChoice
from armybuilder.armylists.wording import LIST_CREATED
from armybuilder.compiled_queries import CompiledQuery, CompiledRows
from armybuilder.datafiles.models import PublishedSystem

_BESIDES_ITS_ROW = (
    "guest_key",
    "declined_release",
    "kept_bytes",
    "left_to_choose",
    "role_points",
    "tint",
    "copied_from",
    "suggests_for",
    "suggests_on",
    "deleted",
)
"""What the answer to a reader of a list does not hold."""
_OWN_LIST = CompiledQuery(ArmyList.objects.filter(deleted__isnull=True).defer(*_BESIDES_ITS_ROW), "id", "owner")
_WITH_SYSTEM = ArmyList.objects.filter(deleted__isnull=True).select_related("system", "release")
_LIST_OF_USER = CompiledQuery(_WITH_SYSTEM, "id", "owner")
_LIST_OF_GUEST = CompiledQuery(_WITH_SYSTEM, "id", "guest_key")
_CONTENT = CompiledRows(
    Revision.objects.values_list("content", "parent", "summary_en").order_by(), "army_list", "number"
)
_MADE_FROM = CompiledRows(Revision.objects.values_list("number").order_by(), "army_list", "parent")
_LIST_OWNER_SYSTEM = CompiledRows(
    ArmyList.objects.filter(deleted__isnull=True)
    .values_list(
        *(field.name for field in ArmyList._meta.concrete_fields),
        *(f"owner__{field.name}" for field in User._meta.concrete_fields),
        *(f"system__{field.name}" for field in PublishedSystem._meta.concrete_fields),
    )
    .order_by(),
    "id",
)
_NO_LIST = "There is no such list, or it is not shared with you."


def visible_army_list(list_id: UUID, viewer: Viewer) -> ArmyList:
    """A list the viewer may read: his own, one his share token opens, or any for who may view lists in the admin.

    Raises:
        NotFound: there is none, or it is somebody else's.
    """
    own = _own(list_id, viewer)
    if own is not None:
        return own
    visible = Q(pk__in=[])
    if viewer.may("armylists.view_armylist"):
        visible = Q()
    elif viewer.share_token and share_links.is_token(viewer.share_token):
        live = _open_links().filter(token=viewer.share_token, revision__isnull=True)
        visible = Q(pk__in=live.values("army_list"))
    return _one(ArmyList.objects.filter(visible, pk=list_id, deleted__isnull=True))


def readable_army_list(list_id: UUID, viewer: Viewer) -> ArmyList:
    """As `visible_army_list`, for readers of the row alone: system, release and the rest come when they are touched.

    One's own list comes by a prepared query, 60 us instead of 610. Raises NotFound like the other.
    """
    own = _OWN_LIST.one(list_id, viewer.user.pk) if viewer.user is not None else None
    return visible_army_list(list_id, viewer) if own is None else own


def stored_army_list(list_id: UUID) -> ArmyList:
    """Any list, for whoever keeps the site. Raises NotFound when there is none, or it is in the bin."""
    return _one(ArmyList.objects.filter(pk=list_id, deleted__isnull=True))


def own_army_list(list_id: UUID, viewer: Viewer) -> ArmyList:
    """A list the viewer may change. Raises NotFound for every other."""
    own = _own(list_id, viewer)
    if own is None:
        raise NotFound(_NO_LIST)
    return own


def row_with_all(list_id: UUID) -> list[tuple[object, ...]]:
    """The row of a list with those of its owner and its system, as the database has them: equal rows tell the same."""
    return _LIST_OWNER_SYSTEM.all(list_id)


def may_edit(army_list: ArmyList, viewer: Viewer) -> bool:
    """Whether a list the viewer sees is also his to change."""
    if viewer.user is not None and army_list.owner_id is not None:
        return army_list.owner_id == viewer.user.pk
    return army_list.guest_key is not None and army_list.guest_key == viewer.guest_key


def army_lists_of(viewer: Viewer) -> QuerySet[ArmyList]:
    """The viewer's lists without their documents, newest first; for a page, a FilterSet and a paginator."""
    lists = ArmyList.objects.filter(owned_by(viewer), deleted__isnull=True)
    return lists.select_related("system").defer("document")


def on_the_shelf(lists: QuerySet[ArmyList], *, is_archived: bool) -> QuerySet[ArmyList]:
    """Of some lists those in the archive, or those that are not."""
    return lists.filter(archived__isnull=not is_archived)


def variants_of(viewer: Viewer, lists: Iterable[ArmyList]) -> dict[UUID, tuple[ArmyList, ...]]:
    """For each of the viewer's lists that has variants, those besides itself, the oldest first; one query."""
    known = list(lists)
    families = {one.family for one in known if one.family is not None}
    if not families:
        return {}
    members = list(army_lists_of(viewer).filter(family__in=families).order_by("created", "pk"))
    return {
        one.pk: tuple(other for other in members if other.family == one.family and other.pk != one.pk)
        for one in known
        if one.family is not None
    }


def just_begun(lists: Iterable[ArmyList]) -> frozenset[UUID]:
    """Which of these hold what their data begins with, as nobody has chosen anything (`Steps.just_begun`)."""
    unchanged = [one.pk for one in lists if one.revision == 1]
    if not unchanged:
        return frozenset()
    begun = Revision.objects.filter(army_list__in=unchanged, number=1, parent=None, summary_en=LIST_CREATED.en)
    return frozenset(begun.values_list("army_list", flat=True))


def army_lists_of_game(viewer: Viewer, rule_pack: str) -> QuerySet[ArmyList]:
    """The viewer's lists of every data set of a game, newest first."""
    return army_lists_of(viewer).filter(system__rule_pack=rule_pack)


def army_lists_of_system(viewer: Viewer, system_id: str) -> QuerySet[ArmyList]:
    """The viewer's lists of one data set, newest first."""
    return army_lists_of(viewer).filter(system=system_id)


def games_of(viewer: Viewer) -> Iterable[str]:
    """The rule pack of each of the viewer's lists, newest first."""
    return army_lists_of(viewer).values_list("system__rule_pack", flat=True)


def folders_of(viewer: Viewer) -> tuple[str, ...]:
    """The folders the viewer's lists stand in, by name."""
    found = ArmyList.objects.filter(owned_by(viewer), deleted__isnull=True).exclude(folder="")
    return tuple(found.order_by("folder").values_list("folder", flat=True).distinct())


def names_of(viewer: Viewer) -> tuple[tuple[UUID, str], ...]:
    """Ids and names of the viewer's lists, by name."""
    found = ArmyList.objects.filter(owned_by(viewer), deleted__isnull=True)
    return tuple(found.order_by("name", "pk").values_list("pk", "name"))


def lists_containing(lists: QuerySet[ArmyList], text: str) -> QuerySet[ArmyList]:
    """Lists that have every word, of ten at most, somewhere in name, factions, folder or tags."""
    for word in text.split()[:10]:
        in_names = Q(name__icontains=word) | Q(faction_names__icontains=word)
        in_tags = Q(*(("tags__icontains", written) for written in _as_in_json(word)), _connector=Q.OR)
        lists = lists.filter(in_names | Q(folder__icontains=word) | in_tags)
    return lists


def _as_in_json(word: str) -> tuple[str, ...]:
    """A word as a column of JSON may hold it: SQLite keeps letters beyond ASCII by their numbers, so by their case."""
    written = (word, word.lower(), word.capitalize(), word.upper())
    return tuple(dict.fromkeys([word, *(json.dumps(one)[1:-1] for one in written if not one.isascii())]))


def in_order(lists: QuerySet[ArmyList], by: str) -> QuerySet[ArmyList]:
    """The order of a field, `-` before it for the greatest first; equal ones by id, so that pages never overlap."""
    return lists.order_by(by, "id")


def deleted_lists_of(viewer: Viewer) -> QuerySet[ArmyList]:
    """The viewer's bin, what was deleted last first."""
    lists = ArmyList.objects.filter(owned_by(viewer), deleted__isnull=False)
    return lists.select_related("system").defer("document").order_by("-deleted", "pk")


def shared_army_list(token: str) -> ArmyList:
    """The list an open share link leads to, in the state it is frozen at if it is.

    Raises:
        NoSharedList: an unknown, revoked or expired token, all alike.
    """
    link = open_link(token)
    return link.army_list if link.revision is None else army_list_at(link.army_list, link.revision)


def open_link(token: str) -> ShareLink:
    """An open share link with its list. Raises NoSharedList for an unknown, revoked or expired token, all alike."""
    if not share_links.is_token(token):
        raise NoSharedList
    link = _open_links().filter(token=token).select_related("army_list__system", "army_list__release").first()
    if link is None:
        raise NoSharedList
    return link


def tokens_showing_the_present(tokens: Iterable[str]) -> frozenset[str]:
    """Those of the tokens whose links are open and show their lists as they are now; one query."""
    links = _open_links().filter(token__in=list(tokens), revision__isnull=True)
    return frozenset(links.values_list("token", flat=True))


def public_links(text: str) -> QuerySet[ShareLink]:
    """Open links whose lists everybody may find, what changed last first; those with every word in name or factions."""
    links = _open_links().filter(is_listed=True, revision__isnull=True)
    for word in text.split()[:10]:
        links = links.filter(Q(army_list__name__icontains=word) | Q(army_list__faction_names__icontains=word))
    return links.select_related("army_list__system").order_by("-army_list__updated", "pk")


def army_list_at(army_list: ArmyList, number: int) -> ArmyList:
    """A list as it was at a revision: the same value changed, which is never saved. Raises NotFound."""
    kept = revision(army_list, number)
    army_list.document = kept.document
    army_list.name = kept.name
    army_list.points_limit = kept.points_limit
    army_list.points = kept.points
    army_list.release = kept.release
    army_list.revision = kept.number
    army_list.updated = kept.created
    return army_list


def share_links_of(viewer: Viewer, list_id: UUID) -> QuerySet[ShareLink]:
    """The links of one of the viewer's lists, newest first."""
    return ShareLink.objects.filter(army_list=own_army_list(list_id, viewer))


def revisions_of(army_list: ArmyList) -> QuerySet[Revision]:
    """All revisions of a list without their documents, newest first."""
    return Revision.objects.filter(army_list=army_list).defer("packed_document").order_by("-number")


def revision(army_list: ArmyList, number: int) -> Revision:
    """One revision with its document. Raises NotFound."""
    found = Revision.objects.filter(army_list=army_list, number=number).first()
    if found is None:
        raise NotFound(f"The list has no revision {number}.")
    return found


def present_content(army_list: ArmyList) -> int:
    """The number of the revision that first held what the list holds now."""
    [(content, *_)] = _CONTENT.all(army_list.pk, army_list.revision)
    return int(content)


def next_content(army_list: ArmyList, content: int) -> Revision | None:
    """The newest content that was made from this one: what a redo leads to. None when there is none."""
    return Revision.objects.filter(army_list=army_list, parent=content).order_by("-number").first()


@dataclass(frozen=True, slots=True)
class Steps:
    """Whether there is a state to go back to, and one that was undone.

    A list is `just_begun` while it holds what its data begins with, and nobody has chosen anything.
    """

    can_undo: bool
    can_redo: bool
    just_begun: bool


def steps_of(army_list: ArmyList) -> Steps:
    """Where undo and redo lead from the present state, if anywhere."""
    [(content, parent, summary)] = _CONTENT.all(army_list.pk, army_list.revision)
    if content != army_list.revision:  # undone or brought back: an earlier revision says what it was made from
        [(_, parent, summary)] = _CONTENT.all(army_list.pk, content) or [(content, None, "")]
    return Steps(
        can_undo=parent is not None,
        can_redo=bool(_MADE_FROM.all(army_list.pk, content)),
        just_begun=parent is None and summary == LIST_CREATED.en,
    )


def _own(list_id: UUID, viewer: Viewer) -> ArmyList | None:
    """A list of the account or, without one, of the guest, with its system: the query of every edit and page."""
    if viewer.user is not None:
        return _LIST_OF_USER.one(list_id, viewer.user.pk)
    if viewer.guest_key is not None:
        return _LIST_OF_GUEST.one(list_id, viewer.guest_key)
    return None


def _open_links() -> QuerySet[ShareLink]:
    now = timezone.now()
    return ShareLink.objects.filter(
        Q(expires__isnull=True) | Q(expires__gt=now), revoked_at__isnull=True, army_list__deleted__isnull=True
    )


def _one(lists: QuerySet[ArmyList]) -> ArmyList:
    found = lists.select_related("system", "release").first()
    if found is None:
        raise NotFound(_NO_LIST)
    return found


@dataclass(frozen=True, slots=True)
class TestedLists:
    """How many lists stand on a data release, by verdict, and when the last of them was judged."""

    __test__ = False

    lists: int
    legal: int
    illegal: int
    not_checked: int
    last: datetime | None


def tested_lists(release_id: UUID) -> TestedLists:
    """What became of the lists that were built with a data release; nothing of a single list is told."""
    counts = Counter[str]()
    last: datetime | None = None
    rows = ArmyList.objects.filter(release_id=release_id, deleted__isnull=True).values_list("verdict")
    for verdict, number, newest in rows.annotate(Count("pk"), Max("updated")).order_by():
        counts[str(verdict)] += number
        last = max(filter(None, (last, newest)), default=None)
    return TestedLists(
        lists=counts.total(),
        legal=counts[VerdictChoice.LEGAL],
        illegal=counts[VerdictChoice.ILLEGAL],
        not_checked=counts[VerdictChoice.NOT_CHECKED],
        last=last,
    )
