"""Writes of heroes that army lists do not have: starting one; everything else is in `services`."""

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services, sizes
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.heroes import new_hero
from armybuilder.armylists.kinds import HEROES, builds_heroes
from armybuilder.armylists.limits import fitting
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.reference.queries import system as published_system


def create_hero(
    viewer: Viewer, *, system_id: str, name: str, document: Loadout | None = None, folder: str = ""
) -> ArmyList:
    """A new list of a game whose lists are heroes: `document` under this name, or a hero nothing is known of.

    Raises:
        NotFound: no such published system.
        EditRefused: a name is missing, or lists of this game are no heroes.
        TooLarge: the viewer has as many lists as one may have, or the document is larger than allowed.
    """
    system = published_system(system_id)
    assert system.current_release_id is not None
    if not builds_heroes(system):
        raise EditRefused(
            Text(en=f"Lists of {system.name} are no heroes.", ru=f"Списки игры «{system.label}» – не герои."), "/system"
        )
    name = fitting(name, sizes.NAME_LENGTH, "/name")
    if not name:
        raise EditRefused(Text(en="A list needs a name.", ru="Списку нужно название."), "/name")
    return services.store_restored(
        viewer,
        document=HEROES.renamed(document or new_hero(name), name),
        system=system,
        release_id=system.current_release_id,
        points_limit=None,
        folder=fitting(folder, sizes.FOLDER_LENGTH, "/folder"),
        tags=(),
        summary=services.CREATED,
    )
