"""Games and their data sets as pages show them: emblems of our own, what a data set holds and what is checked of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.datafiles.models import SHIPPED_ORIGIN, PublishedSystem
from armybuilder.engine.systems.game import LIST_RULES, battle_rules_of, has_matchups
from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference.names import russian
from armybuilder.reference.queries import Game
from armybuilder.reference.tending import tidied

EMBLEMS = {
    "horus-heresy": "game-horus-heresy",
    "epic": "game-epic",
    "fantasy-8th": "game-fantasy-8th",
    "relic": "game-relic",
    "wh40k-6th": "game-wh40k-6th",
}
"""Symbols of `icons.svg` by rule pack; every other game has the general one."""

OTHER_GAME = "game-other"


@dataclass(frozen=True, slots=True)
class DataSetLine:
    """A data set of a game.

    Attributes:
        name: as its data says; "Samples" for what ships with the site.
        checked: what a verdict on its lists covers, in words.
        source: where it was read from.
    """

    id: str
    name: str
    is_sample: bool
    units: int
    cards: int
    revision: str
    date: object
    checked: str
    number: int
    source: str


@dataclass(frozen=True, slots=True)
class GameTile:
    """A game with the data sets there are of it, the usual one first.

    Attributes:
        checked: what a verdict on its lists covers, in words.
        does: what the site does with its lists, in words.
    """

    id: str
    name: str
    emblem: str
    checked: str
    does: str
    data_sets: tuple[DataSetLine, ...]

    @property
    def usual(self) -> str:
        """Id of the data set that is meant where nobody chose."""
        return self.data_sets[0].id

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Its data sets with their names, for a field.

        A field that is closed shows what was chosen without its game: the samples of all games have one name, and data
        is called in English.
        """
        return [
            (line.id, f"{self.name} – {line.name}" if line.is_sample or russian() else line.name)
            for line in self.data_sets
        ]

    def has(self, system_id: str) -> bool:
        """Whether a data set is one of its."""
        return any(line.id == system_id for line in self.data_sets)


def game_tiles(games: Iterable[Game]) -> tuple[GameTile, ...]:
    """Games as tiles, in their order."""
    return tuple(
        GameTile(
            id=game.home.pk,
            name=game.home.label,
            emblem=EMBLEMS.get(game.usual.rule_pack, OTHER_GAME),
            checked=_checked(game.usual),
            does=_does(game.usual),
            data_sets=tuple(map(data_set_line, game.data_sets)),
        )
        for game in games
    )


def data_set_choices(games: Iterable[Game]) -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Data sets to choose from, as a form field takes them: under their game where it has several."""
    return [
        (tile.name, tile.choices) if len(tile.data_sets) > 1 else (tile.usual, tile.name) for tile in game_tiles(games)
    ]


def data_set_line(system: PublishedSystem) -> DataSetLine:
    """A data set with a current release as one line."""
    release = system.current_release
    assert release is not None
    return DataSetLine(
        id=system.pk,
        name=_("Samples of this site") if release.is_sample else tidied(release.name) or system.label,
        is_sample=release.is_sample,
        units=int(release.report.get("units", 0)),
        cards=int(release.report.get("cards", 0)),
        revision=release.revision,
        date=release.created_at,
        checked=_checked(system),
        number=release.number,
        source=_public_source(release.origin),
    )


def _public_source(origin: str) -> str:
    """Where data comes from, without the folders of the server."""
    if origin == SHIPPED_ORIGIN:
        return _("shipped with Army Builder")
    return ", ".join(
        part if "://" in part or "/" not in part else part.rstrip("/").rpartition("/")[2] for part in origin.split(", ")
    )


def _checked(system: PublishedSystem) -> str:
    if system.rule_pack in LIST_RULES:
        return _("rulebook and data are checked")
    return _("the limits of its data are checked")


def _does(system: PublishedSystem) -> str:
    """What lists of a game are good for here: what is checked, and what is simulated."""
    rule_pack = system.rule_pack
    parts = [_("rules checked") if rule_pack in LIST_RULES else _("limits checked")]
    if has_matchups(rule_pack):
        parts.append(_("attacks and battles simulated") if battle_rules_of(rule_pack) else _("attacks simulated"))
    elif builds_heroes(system):
        parts.append(_("fights simulated"))
    return ", ".join(parts)
