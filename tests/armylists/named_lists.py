"""Lists by the names of what is in them, as tables of TOML; built with the edits of a page, spoiled, and judged."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, Self

import msgspec
from django.db import transaction

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Severity
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.state import SelectionState
from armybuilder.reference.shipped import load_shipped, read_shipped
from tests.armylists.conftest import FIXTURES
from tests.armylists.recruiting import Recruiter
from tests.armylists.units_alone import MOST_CHOICES, open_choice

PRESSED = re.compile(r"\d+x ")
UNITS_NAMED = ("embarked_in", "joined_to", "carrier", "host")
"""Facts of a unit that name another one."""

FOLDER = Path(__file__).parent / "named_lists"


class Joined(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A detachment beside the first: its catalogue's name as far as it is told apart, its name, its units."""

    catalogue: str
    force: str
    units: tuple[tuple[str, ...], ...] = ()


class Spoil(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to make a legal list illegal.

    Attributes:
        drop: units to take out, by name, or "unit > part" of them; again: units to take once more.
        take: options more of a unit, whether or not its own limits have room; more: units beside them in the first
            detachment; joined: detachments beside them.
        limit: points agreed instead; facts: that change; unit_facts: those of units that do.
        leader: nobody leads any more; led_by: who leads instead.
        rules: errors that appear, and no others.
    """

    drop: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    limit: int | None = None
    facts: dict[str, Any] = {}
    unit_facts: dict[str, dict[str, Any]] = {}
    leader: bool = False
    led_by: str | None = None
    take: dict[str, tuple[str, ...]] = {}
    more: tuple[tuple[str, ...], ...] = ()
    joined: tuple[Joined, ...] = ()
    rules: tuple[str, ...]


class NamedList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list as players write it down.

    Attributes:
        units: name of each unit and of the options taken for it; "model > option" where several models have it, and
            "4x option" where it is pressed four times, "-option" where one is given back first. "unit @ Troops" where
            the same is offered in several roles.
        joined: further detachments.
        leader: the unit that leads, and as what: the fact that names him.
        points: what all of it costs.
        data: folder of the community's data, where it is not that of the game's other lists.
    """

    name: str
    data: str | None = None
    catalogue: str
    force: str
    limit: int
    points: int
    units: tuple[tuple[str, ...], ...]
    spoils: tuple[Spoil, ...]
    joined: tuple[Joined, ...] = ()
    files: tuple[str, ...] = ()
    allegiance: str | None = None
    trait: str | None = None
    leader: str | None = None
    choices: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    unit_facts: dict[str, dict[str, Any]] = {}


def lists_of(game: str) -> list[NamedList]:
    """The table of a game."""
    found = tomllib.loads((FOLDER / f"{game}.toml").read_text())
    return msgspec.convert(found.get("list", []), list[NamedList])


def published(game: str, library: Library) -> PublishedSystem:
    """A game as it ships, with a release of this data."""
    system = load_shipped(read_shipped(FIXTURES.parent / game / "reference.toml"))
    release = DataRelease.objects.create(system=system, number=1, content_hash="d" * 64)
    keep_library(release.pk, library)
    system.current_release = release
    system.save()
    return system


class Clerk(Recruiter):
    """Writes a named list down, edit by edit."""

    def __init__(self, viewer: Viewer, system: PublishedSystem, library: Library, wanted: NamedList) -> None:
        self.library, self.wanted = library, wanted
        catalogue = next(one for one in library.catalogues if one.name.startswith(wanted.catalogue))
        force = next(one for one in library.force_entries(catalogue.id) if one.name == wanted.force)
        made = services.create_army_list(
            viewer,
            system_id=system.id,
            name=wanted.name,
            catalogue_id=catalogue.id,
            force_entry_id=force.id,
            points_limit=wanted.limit,
            allegiance=wanted.allegiance,
        )
        super().__init__(viewer, made)
        self.settle(None)
        self.units: list[tuple[str, str]] = []
        self.first_id = self.force_id
        for name, *options in wanted.units:
            self.write(name, *options)
        for joined in wanted.joined:
            self.join(joined)
        if wanted.facts or wanted.leader:
            self._lead()
        self._state(wanted.unit_facts)

    @contextmanager
    def on_trial(self) -> Iterator[Self]:
        """The list as it stands, to be changed; afterwards it is again as it was."""
        with transaction.atomic():
            army = copy(self)
            army.units = list(self.units)
            yield army
            transaction.set_rollback(True)

    def _lead(self) -> None:
        leader = None if self.wanted.leader is None else self.named(self.wanted.leader)
        facts = {name: leader if fact == "leader" else fact for name, fact in self.wanted.facts.items()}
        if facts:
            self.facts(**facts)
        elif leader is not None:
            self.edit(e.SetWarlord(node_id=leader, trait=self.wanted.trait))

    def _state(self, facts: dict[str, dict[str, Any]]) -> None:
        """Facts of units, which may name other units."""
        for name, stated in facts.items():
            named = {key: self.named(fact) if key in UNITS_NAMED else fact for key, fact in stated.items()}
            self.unit_facts(self.named(name), **named)

    def named(self, name: str) -> str:
        """The first unit of this name."""
        return next(node_id for unit, node_id in self.units if unit == name)

    def join(self, joined: Joined) -> None:
        """A detachment beside the others, with its units."""
        self.open_detachment(joined.force, joined.catalogue)
        self.settle(None)
        for name, *options in joined.units:
            self.write(name, *options)

    def write(self, name: str, *options: str) -> None:
        """A unit with its options, and whatever else the data asks for."""
        plain, _, role = name.partition(" @ ")
        offered = [one for one in self._offered(self.force_id) if one.name == plain and role in self._role(one)]
        there = offered[0].selection_ids if offered[0].minimum and offered[0].room == 0 else ()  # taken by the data
        unit = there[0] if there else self.unit(offered[0].entry_id)
        self.settle(unit)
        for option in options:
            times, _, wanted = option.partition("x ") if PRESSED.match(option) else ("1", "", option)
            for _ in range(int(times)):
                if wanted.startswith("-"):
                    self._give_back(unit, wanted[1:])
                else:
                    self._choose(unit, wanted)
            if not any(one.lstrip("0123456789x ").startswith("-") for one in options):
                self.settle(unit)
        self.settle(unit)
        self.units.append((name, unit))

    def _role(self, offer: Offer) -> str:
        return next((one.name for one in self.library.categories if one.id == offer.category_id), "")

    def _choose(self, unit: str, option: str, *, room: bool = True) -> None:
        model, _, name = option.rpartition(" > ")
        state = self.report.state
        node = state.node(unit)
        assert isinstance(node, SelectionState)
        for part in node.walk():
            if model and part.name != model:
                continue
            found = next(
                (one for one in self._offered(part.id) if one.name == name and (one.available or not room)), None
            )
            if found is not None:
                self.edit(e.Select(parent_id=part.id, entry_id=found.entry_id))
                return
        raise AssertionError(f"{node.name} is not offered “{option}”")

    def _give_back(self, unit: str, option: str) -> None:
        model, _, name = option.rpartition(" > ")
        holder = self.find(unit, model) if model else self.document.places[unit].node
        own = (part.id for part in holder.selections if part.name == name)
        self.edit(e.Deselect(selection_id=next(own, None) or self.find(holder.id, name).id))

    def _offered(self, node_id: str) -> list[Offer]:
        try:
            return [one for one in _shown(offers(self.library, self.report.state, node_id=node_id)) if not one.hidden]
        except GameError:
            return []

    def settle(self, unit: str | None) -> None:
        """Make the choices that the data asks for: the first one offered, as a hasty player does."""
        tried: Counter[tuple[str, str]] = Counter()
        for _ in range(MOST_CHOICES):
            choice = open_choice(self.library, self.report.state, unit, tried, self.wanted.choices)
            if choice is None:
                return
            self.edit(e.Select(parent_id=choice[0], entry_id=choice[1]))

    def errors(self) -> list[str]:
        """Rules of all errors, each with its words."""
        found = [one for one in self.report.findings if one.severity is Severity.ERROR]
        return sorted(f"{one.rule}: {one.message.en}" for one in found)

    def spoil(self, spoil: Spoil) -> None:
        """Make it illegal."""
        for name in spoil.drop:
            unit, _, part = name.partition(" > ")
            node_id = self.named(unit)
            self.edit(e.Remove(node_id=self.find(node_id, part).id if part else node_id))
            if not part:
                self.units.remove((name, node_id))
        for name in spoil.again:
            self.force_id = self.document.places[self.named(name)].force_id
            listed = (*self.wanted.units, *(unit for joined in self.wanted.joined for unit in joined.units))
            self.write(*next(unit for unit in listed if unit[0] == name))
        self.force_id = self.first_id
        for name, *options in spoil.more:
            self.write(name, *options)
        for joined in spoil.joined:
            self.join(joined)
        for name, options in spoil.take.items():
            for option in options:
                self._choose(self.named(name), option, room=False)
        if spoil.limit is not None:
            self.edit(e.SetPointsLimit(points_limit=spoil.limit))
        if spoil.facts:
            self.facts(**spoil.facts)
        self._state(spoil.unit_facts)
        if spoil.led_by is not None and self.wanted.facts:
            led_by = self.named(spoil.led_by)
            self.facts(**{name: led_by for name, fact in self.wanted.facts.items() if fact == "leader"})
        elif spoil.led_by is not None:
            self.edit(e.SetWarlord(node_id=self.named(spoil.led_by)))
        if spoil.leader and self.wanted.facts:
            self.facts(**{name: None for name, fact in self.wanted.facts.items() if fact == "leader"})
        elif spoil.leader:
            self.edit(e.SetWarlord(node_id=None))


def _shown(found: tuple[Offer | OfferGroup, ...]) -> list[Offer]:
    shown: list[Offer] = []
    for one in found:
        if isinstance(one, Offer):
            shown.append(one)
        elif not one.hidden:
            shown += _shown(one.offers)
    return shown
