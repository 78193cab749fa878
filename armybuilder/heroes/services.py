"""Writes of heroes that army lists do not have: starting one; everything else is in `services`."""

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, services
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.limits import validated_text
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.wording import LIST_CREATED
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes.documents import new_hero
from armybuilder.heroes.editing import HeroDraft
from armybuilder.heroes.edits import SetCharacter
from armybuilder.heroes.list_type import HEROES
from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference.queries import system as published_system


def create_hero(
    viewer: Viewer,
    *,
    system_id: str,
    name: str,
    character: str | None = None,
    document: Loadout | None = None,
    folder: str = "",
) -> ArmyList:
    """A new list of a game whose lists are heroes.

    Args:
        character: name of a character card of the game's release; the hero is set up for a new game with it.
        document: the hero to begin with; without either nothing is known of him yet.

    Raises:
        NotFound: no such published system.
        EditRefused: lists of this game are no heroes, there is no such card, or the name is missing.
        TooLarge: the viewer has as many lists as one may have, or the document is larger than allowed.
    """
    system = published_system(system_id)
    assert system.current_release_id is not None
    if not builds_heroes(system):
        raise EditRefused(
            Text(en=f"Lists of {system.name} are no heroes.", ru=f"Ростеры игры «{system.label}» – не герои."),
            "/system",
        )
    name = validated_text(name, limits.NAME_LENGTH, "/name")
    if not name:
        raise EditRefused(Text(en="A list needs a name.", ru="Ростеру нужно название."), "/name")
    draft = HeroDraft(HEROES.renamed(document or new_hero(name), name))
    if character is not None:
        card = cards_of(system.current_release_id).character(character)
        if card is None:
            raise EditRefused(
                Text(en=f"There is no character “{character}”.", ru=f"Нет персонажа «{character}»."), "/character"
            )
        draft.apply((SetCharacter(character=card.as_character(), set_up=document is None),))
    return services.store_restored(
        viewer,
        document=draft.document,
        system=system,
        release_id=system.current_release_id,
        points_limit=None,
        folder=validated_text(folder, limits.FOLDER_LENGTH, "/folder"),
        tags=(),
        summary=LIST_CREATED,
    )
