"""A list of another tool or a pasted text: read, looked up, shown line by line, and stored when its reader agrees."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, services
from armybuilder.armylists.documents import UNITS, ListDocument
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.facts import list_fact_types, read_facts, warlord_traits
from armybuilder.armylists.first_detachment import primary_force_entry
from armybuilder.armylists.imports.matching import Matched, behind_its_role, matched
from armybuilder.armylists.imports.name_matching import normal, own_and_known
from armybuilder.armylists.imports.names_alone import KnownNames
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine
from armybuilder.armylists.imports.source_list import SourceList, refuse_more_than_a_list
from armybuilder.armylists.imports.stated_facts import FactWords
from armybuilder.armylists.list_types import list_type_of_system
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.services import new_id
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.edits import set_cost_limit
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference import queries as reference
from armybuilder.reference.names import Names, names_for
from armybuilder.reference.tending import edition_of, role_in_russian, tidied

WHOLLY = 20
"""What it counts that a catalogue has all units of a source; that it is named counts 10, its army alone counts 9,
that its game is named 8."""
_TRAITOR = ("traitor", "предател")
_LOYALIST = ("loyal", "лоялист")


@dataclass(frozen=True, slots=True)
class Faction:
    """A catalogue that a list can be looked up in."""

    system: PublishedSystem
    catalogue_id: str
    name: str

    @property
    def names(self) -> Names:
        """Names of its data; two sets of one game have their own."""
        return names_for(self.system.rule_pack, self.system.current_release_id)

    @property
    def label(self) -> str:
        """Its name in the language of the reader."""
        return self.names(self.name)


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A source looked up in one catalogue; nothing is stored.

    Attributes:
        points: of what was found; None in a game without points.
        stated: of the whole list, as the source says.
        found, lost: how many units and options were placed, and how many were not.
    """

    name: str
    system_id: str
    catalogue_id: str
    points: Decimal | None
    stated: Decimal | None
    found: int
    lost: int
    lines: tuple[ReviewLine, ...]


class ReviewedList(msgspec.Struct, frozen=True):
    """The list that was made, and what of the source is in it as a note only."""

    army_list: ArmyList
    review: Review


def factions() -> tuple[Faction, ...]:
    """Every catalogue of every game whose lists are rosters."""
    return tuple(
        Faction(system, catalogue.id, catalogue.name)
        for system in reference.systems()
        if list_type_of_system(system).kind == DocumentKind.ROSTER and system.current_release_id is not None
        for catalogue in library_of(system.current_release_id).catalogues
        if not catalogue.library
    )


def known_names() -> KnownNames:
    """What units and roles are called in the data published here, in both languages."""
    in_russian = {
        system.pk: names_for(system.rule_pack, system.current_release_id).in_russian for system in reference.systems()
    }
    units, roles = set(), set()
    for system_id, name, role in reference.units().order_by().values_list("faction__system", "name", "category_name"):
        russian = in_russian.get(system_id, {})
        tended = tidied(name)
        units |= {normal(one) for one in (name, tended, russian.get(name, ""), russian.get(tended, ""))}
        roles |= {normal(one) for one in (role, tidied(role), role_in_russian(role))}
    return KnownNames(frozenset(units) - {""}, frozenset(roles) - {""})


def likely_faction(source: SourceList, offered: Iterable[Faction]) -> Faction:
    """The catalogue that a source speaks of: named in its head, or with most of its units.

    Of several editions of one army book that fit alike it is the newest.

    Raises:
        EditRefused: no game with lists is published here.
    """
    head = f" {normal(' '.join((source.game, *source.head)))} "
    names = {normal(part) for unit in source.units for part in _names_of(unit.name)}
    by_faction: dict[str, set[str]] = {}
    for catalogue_id, name in reference.units().values_list("faction__catalogue_id", "name"):
        called = {normal(name), normal(tidied(name))} & names
        if called:
            by_faction.setdefault(catalogue_id, set()).update(called)

    units = len({normal(unit.name) for unit in source.units}) or 1

    def fitness(one: Faction) -> tuple[float, int, int]:
        """How well it fits; of those that fit alike the one that is named first, then the one that is named wholly."""
        russian, name, told = one.names.in_russian, tidied(one.name), one.names.army_lists.get(one.name, ())
        with translation.override("ru"):  # of a name such as "Orks: Evil Sunz Klan" both parts are translated
            whole = one.names(one.name), one.names(name)
        written = (one.name, name, russian.get(one.name), russian.get(name), *whole, *told)
        called = {normal(words) for words in written if words}
        named = {name: at for name in called if (at := head.find(f" {name} ")) >= 0}
        labels = (one.system.name, one.system.name_ru, one.system.id)
        in_game = any(f" {normal(name)} " in head for name in labels if name)
        army = normal(edition_of(one.name).army)
        told_as = 10 if named else 9 if f" {army} " in head else 0
        score = told_as + 8 * in_game + WHOLLY * len(by_faction.get(one.catalogue_id, ())) / units
        return score, -min(named.values(), default=0), max(map(len, named), default=0)

    fit = {one: fitness(one) for one in offered}
    best = max(fit, key=lambda one: fit[one], default=None)
    if best is None:
        raise EditRefused(
            Text(
                en="No game is published here for which lists can be built.",
                ru="Здесь не опубликована ни одна игра, для которой собирают списки.",
            )
        )
    book = best.system.pk, edition_of(best.name).army
    alike = (one for one in fit if fit[one] == fit[best] and (one.system.pk, edition_of(one.name).army) == book)
    return max(alike, key=lambda one: edition_of(one.name).version)


def review(source: SourceList, faction: Faction, *, choices: Mapping[str, str] | None = None) -> Review:
    """Look a source up without storing anything.

    Args:
        choices: entry by the key of a line, as a player decided; empty for "leave it out".
    """
    library, found = _matched(source, faction, choices or {})
    return _review(source, faction, library, found)


def import_reviewed(
    viewer: Viewer,
    source: SourceList,
    faction: Faction,
    *,
    choices: Mapping[str, str] | None = None,
    name: str = "",
    file_name: str = "",
) -> ReviewedList:
    """Make a list of the viewer's of a source; what was not placed stands in its notes.

    Raises:
        EditRefused: nothing of it is in the data.
        TooLarge: larger than a list may be, or the viewer has as many lists as one may have.
    """
    library, found = _matched(source, faction, choices or {})
    told = _review(source, faction, library, found)
    if not any(force.selections for force in found.roster.forces) or not told.found:
        raise EditRefused(
            Text(
                en=f"The data of {faction.name} has none of these units. Choose another faction.",
                ru=f"В данных «{faction.name}» нет ни одного из этих отрядов. Выберите другую фракцию.",
            )
        )
    assert faction.system.current_release_id is not None
    title = (name or source.name).strip()[: limits.NAME_LENGTH] or faction.name[: limits.NAME_LENGTH]
    origin = file_name or "text"
    limit = source.limit if source.limit is not None and source.limit <= limits.POINTS else None
    roster = msgspec.structs.replace(found.roster, name=title)
    costs = points_type(library.cost_types)
    if costs is not None:  # none, too: some data begins with a limit of 0
        roster = set_cost_limit(roster, type_id=costs, value=limit).roster
    army_list = services.store_restored(
        viewer,
        document=ListDocument(roster=roster, facts=_facts(source, faction, found)),
        system=faction.system,
        release_id=faction.system.current_release_id,
        points_limit=limit,
        folder="",
        tags=(),
        summary=Text(
            en=f"Imported from {origin}: {told.found} found, {told.lost} kept as notes"[:400],
            ru=f"Импорт: {file_name or 'текст'}; найдено {told.found}, в заметках {told.lost}"[:400],
        ),
    )
    return ReviewedList(army_list, told)


def _matched(source: SourceList, faction: Faction, choices: Mapping[str, str]) -> tuple[Library, Matched]:
    refuse_more_than_a_list(source)
    assert faction.system.current_release_id is not None
    library = library_of(faction.system.current_release_id)
    found = matched(
        source,
        library,
        catalogue_id=faction.catalogue_id,
        force_entry_id=primary_force_entry(faction.system.pk, library, faction.catalogue_id),
        names=faction.names,
        words=FactWords(faction.system.rule_pack, faction.names.in_russian),
        choices=choices,
        new_id=new_id,
    )
    return library, found


def _review(source: SourceList, faction: Faction, library: Library, found: Matched) -> Review:
    costs = points_type(library.cost_types)
    placed = sum(line.state in (LineState.SURE, LineState.LIKELY, LineState.CHOSEN) for line in found.lines)
    return Review(
        name=source.name,
        system_id=faction.system.pk,
        catalogue_id=faction.catalogue_id,
        points=found.state.cost(costs) if costs else None,
        stated=source.points,
        found=placed,
        lost=sum(line.state in (LineState.UNMATCHED, LineState.LEFT_OUT) for line in found.lines),
        lines=found.lines,
    )


def _facts(source: SourceList, faction: Faction, found: Matched) -> dict[str, Any]:
    """What the source says and the game asks for: allegiance, warlord and his trait, and what is stated of units."""
    known = {fact.name for fact in list_fact_types(faction.system.rule_pack)}
    wanted: dict[str, Any] = FactWords(faction.system.rule_pack).of_head(source.head)
    side = source.allegiance.casefold()
    if side.startswith(_TRAITOR):
        wanted["allegiance"] = "traitor"
    elif side.startswith(_LOYALIST):
        wanted["allegiance"] = "loyalist"
    if found.warlord is not None:
        leader = "general" if "general" in known else "warlord"
        known.update((leader, "warlord_trait"))
        wanted[leader] = found.warlord
        if found.warlord_trait:
            wanted["warlord_trait"] = trait_called(faction.system.rule_pack, found.warlord_trait)
    facts: dict[str, Any] = {}
    for name, value in {**wanted, **found.stated}.items():
        try:
            read_facts(faction.system.rule_pack, {**facts, name: value})
        except BadDocument:
            continue
        if name in known or name == UNITS:
            facts[name] = value
    return facts


def trait_called(rule_pack: str, words: str) -> str:
    """The key of the warlord trait that is called so in either language; the words themselves where none is."""
    for key, text in warlord_traits(rule_pack).items():
        if normal(words) in (normal(key), normal(text.en), normal(text.ru)):
            return key
    return words


def _names_of(name: str) -> tuple[str, ...]:
    """A name, what stands in its brackets, and what stands behind a role and a colon."""
    return tuple(one for one in (name, own_and_known(name)[1], behind_its_role(name)) if one)
