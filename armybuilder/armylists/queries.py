"""Reads of stored lists: what a viewer may see, and nothing else."""

from uuid import UUID

from django.db.models import QuerySet

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.models import ArmyList, ShareLink


def visible_army_list(list_id: UUID, viewer: Viewer) -> ArmyList:
    """A list the viewer may read: his own, one his share token opens, or any for an administrator.

    Raises:
        NotFound: there is none, or it is somebody else's.
    """
    raise NotImplementedError


def own_army_list(list_id: UUID, viewer: Viewer) -> ArmyList:
    """A list the viewer may change. Raises NotFound for every other."""
    raise NotImplementedError


def army_lists_of(viewer: Viewer) -> QuerySet[ArmyList]:
    """The viewer's lists without their documents, newest first; for a page, a FilterSet and a paginator."""
    raise NotImplementedError


def deleted_lists_of(viewer: Viewer) -> QuerySet[ArmyList]:
    """The viewer's bin."""
    raise NotImplementedError


def shared_army_list(token: str) -> ArmyList:
    """The list an open share link leads to. Raises NotFound for unknown, revoked and expired tokens alike."""
    raise NotImplementedError


def share_links_of(viewer: Viewer, list_id: UUID) -> QuerySet[ShareLink]:
    """The links of one of the viewer's lists, newest first."""
    raise NotImplementedError
