"""Games the community publishes data for, by the id of their game system: our id, and the rules to check them by."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from armybuilder.datafiles.errors import NothingToPublish
from armybuilder.datafiles.models import PublishedSystem


@dataclass(frozen=True, slots=True)
class KnownGame:
    """What an import takes a game for unless it is told otherwise; without a rule pack only its data is checked."""

    id: str
    rule_pack: str = ""


KNOWN_GAMES: Mapping[str, KnownGame] = {
    "28d4-bd2e-4858-ece6": KnownGame("horus-heresy", "horus-heresy"),
    "8f10-ee06-8dc1-beb6": KnownGame("epic", "epic"),
    "be4eb679-97dc-4876-b582-19ff87fae0fd": KnownGame("fantasy-8th", "fantasy-8th"),
    "779f-c127-a94a-bf00": KnownGame("fantasy-7th"),
    "417a-57eb-6f3e-81c9": KnownGame("fantasy-4th"),
    "3d1a4963-0629-4025-a90b-76ab3d63c5c5": KnownGame("wh40k-6th", "wh40k-6th"),
    "e1ebd931-a209-3ce4-87b4-d9918d25530b": KnownGame("wh40k-7th"),
}


def system_for(battlescribe_id: str, name: str) -> PublishedSystem:
    """The published system that data of this game belongs to; an unsaved one for a data set that is new here.

    Data of a known game is a data set of it: it shares rules, alliance table and name. Where the usual id is taken by
    another data set of the game, as by our own samples, the new one goes by its own name.
    """
    found = PublishedSystem.objects.filter(battlescribe_id=battlescribe_id).first()
    if found is not None:
        return found
    known = KNOWN_GAMES.get(battlescribe_id, KnownGame(""))
    for wanted in (known.id, slugify(name)[:50], slugify(battlescribe_id)[:50], "game"):
        if wanted and wanted[0].isalnum():
            taken = PublishedSystem.objects.filter(pk=wanted).first()
            if taken is None:
                return join_game(
                    PublishedSystem(
                        pk=wanted, name=name[:120], rule_pack=known.rule_pack, battlescribe_id=battlescribe_id
                    ),
                    known.id,
                )
            if not taken.battlescribe_id and taken.current_release_id is None:
                return taken
    number = 2
    while PublishedSystem.objects.filter(pk=f"game-{number}").exists():
        number += 1
    return join_game(PublishedSystem(pk=f"game-{number}", name=name[:120], battlescribe_id=battlescribe_id), known.id)


def join_game(system: PublishedSystem, game_id: str) -> PublishedSystem:
    """A new data set as one of a game that is here already, under the game's name; else as it is. Nothing is saved."""
    game = PublishedSystem.objects.filter(pk=game_id, game=None).exclude(pk=system.pk).first() if game_id else None
    if game is not None:
        system.game, system.position = game, game.position
        system.name, system.name_ru = game.name, game.name_ru
        system.rule_pack = game.rule_pack
    return system


def add_system(system: PublishedSystem) -> PublishedSystem:
    """Save a game that is new here; the stored row of the same game, when somebody else was quicker.

    Raises:
        NothingToPublish: another game has got its id meanwhile, perhaps one of the same name in the same set.
    """
    try:
        with transaction.atomic():
            system.save(force_insert=True)
    except IntegrityError:
        same = PublishedSystem.objects.exclude(battlescribe_id="").filter(battlescribe_id=system.battlescribe_id)
        if (stored := same.first()) is not None:
            return stored
        raise NothingToPublish(
            f"There is a game {system.pk} already; import {system.name} by itself, under another id."
        ) from None
    return system
