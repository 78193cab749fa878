"""What a data set takes over from its game: names of roles in both languages, what the rulebook says of factions."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.text import slugify

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import BattlefieldRole, Faction


@dataclass(frozen=True, slots=True)
class GameTables:
    """Roles by key and factions by any of their names; none for a data set that is a game of its own."""

    roles: Mapping[str, BattlefieldRole]
    factions: Mapping[str, Faction]

    @classmethod
    def of(cls, system: PublishedSystem) -> "GameTables":
        """The tables of the game a data set belongs to."""
        if system.game_id is None:
            return cls({}, {})
        found = Faction.objects.filter(system_id=system.game_id).select_related("belongs_to")
        return cls(
            {role.key: role for role in BattlefieldRole.objects.filter(system_id=system.game_id)},
            {name: faction for faction in found for name in (faction.name.casefold(), faction.key)},
        )

    def faction_of(self, name: str) -> Faction | None:
        """The faction of the game that an army list is of by its name."""
        return self.factions.get(name.casefold()) or self.factions.get(slugify(name))

    def complete(self, faction: Faction) -> None:
        """Give a faction of the data set what the game says of it, where it says nothing itself; nothing is saved."""
        found = self.faction_of(faction.name)
        if found is None:
            return
        faction.name_ru = faction.name_ru or found.name_ru
        faction.legion = faction.legion or found.legion
        faction.fixed_allegiance = faction.fixed_allegiance or found.for_alliances.fixed_allegiance
        faction.belongs_to = faction.belongs_to or found.for_alliances


def complete_data_sets(game: PublishedSystem) -> None:
    """Give every data set of a game what the game's tables say and it does not; it may have been there before them."""
    for data_set in PublishedSystem.objects.filter(game=game):
        tables = GameTables.of(data_set)
        for faction in Faction.objects.filter(system=data_set).exclude(catalogue_id="").select_related("belongs_to"):
            before = (faction.name_ru, faction.legion, faction.fixed_allegiance, faction.belongs_to_id)
            tables.complete(faction)
            if before != (faction.name_ru, faction.legion, faction.fixed_allegiance, faction.belongs_to_id):
                faction.save()
        for role in BattlefieldRole.objects.filter(system=data_set, name_ru="", key__in=tables.roles):
            role.name_ru, role.position = tables.roles[role.key].name_ru, tables.roles[role.key].position
            role.save(update_fields=["name_ru", "position"])
