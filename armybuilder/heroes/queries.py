"""Which lists are heroes."""

from uuid import UUID

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.heroes.documents import SYSTEM


def is_hero(army_list: ArmyList) -> bool:
    """Whether a stored list is a hero."""
    return army_list.document_kind == DocumentKind.ARMY


def builds_heroes(system: PublishedSystem) -> bool:
    """Whether lists of a game are heroes."""
    return system.rule_pack == SYSTEM


def own_hero(list_id: UUID, viewer: Viewer) -> ArmyList:
    """A hero of the viewer's own. Raises NotFound for every other list."""
    army_list = queries.own_army_list(list_id, viewer)
    if not is_hero(army_list):
        raise NotFound("This list is no hero.")
    return army_list
