"""Entries where they stand: seen through links, with full paths, expanded lazily as cycles are legal (§4)."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, Protocol

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.specs import SEPARATOR, EntrySource, Spec, child_specs

MAX_OFFERED: Final = 20_000
"""Most entries and groups below one entry; data beyond that multiplies itself through links and is refused."""

MAX_GROUPS: Final = 60
"""Most groups inside one another."""


class TooManyEntries(GameError):
    """Data that offers absurdly many entries in one place."""

    code = "too-many-entries"


class PlaceSource(EntrySource, Protocol):
    """What places read of the linked data they stand in; `links.Library` is one."""

    def root_place(self, spec: Spec) -> "Place":
        """The place of what stands at the root: one for all catalogues that offer it."""

    def count_places(self, more: int) -> None:
        """Places were expanded."""


class Place:
    """An entry or group in one place of one catalogue.

    Attributes:
        path: the full id path (§4.4).
        holder: place of the entry that holds it; None at the root.
        group: place of the group that directly holds it.
        keys: what counters count a selection of it under: `any`, its type, entry, link and group ids, `=` + paths.
        own_key: the one of its own path.
    """

    __slots__ = (
        "_barring", "_budget", "_by_id", "_children", "_entries", "_found", "_inside", "_started", "categories",
        "collective", "demanding", "group", "groups", "holder", "keys", "library", "own_key", "path", "prefix",
        "prefix_inside", "primary_id", "spec",
    )  # fmt: skip

    keys: tuple[str, ...]
    own_key: str

    def __init__(
        self, library: PlaceSource, spec: Spec, prefix: str, holder: "Place | None", group: "Place | None"
    ) -> None:
        self.library = library
        self.spec = spec
        self.prefix = prefix
        self.prefix_inside = f"{prefix}{spec.link_id}{SEPARATOR}" if spec.link_id else prefix
        self.path = self.prefix_inside + spec.id
        self.holder = holder
        self.group = group
        self.groups: tuple[Place, ...] = group.inside if group is not None else ()
        self.collective: bool = spec.collective or (group is not None and group.collective)
        self.categories = spec.categories
        self.primary_id = spec.primary_id
        for outer in reversed(self.groups):  # links on enclosing groups are inherited by the members
            if outer.spec.categories:
                taken = self.primary_id
                more = tuple((cid, primary and taken is None) for cid, primary in outer.spec.categories)
                self.categories += more
                self.primary_id = taken or outer.spec.primary_id
        self._budget: list[int] | None = group._budget if group is not None else None
        self._barring: tuple[Place, ...] | None = None
        self._inside: tuple[Place, ...] | None = None
        self._children: tuple[Place, ...] | None = None
        self._entries: tuple[Place, ...] | None = None
        self._found: dict[str, Place] | None = None
        self._by_id: dict[str, Place] | None = None
        self.demanding: tuple[Place, ...] | None = None
        self._started: tuple[Place, ...] | None = None

    def __getattr__(self, name: str) -> object:
        """Its keys, made when they are first asked for: of most places nothing is ever taken, and nobody counts."""
        if name == "own_key":
            self.own_key = f"={self.path}"
        elif name == "keys":
            self.keys = self._all_keys()
        else:
            raise AttributeError(name)
        return object.__getattribute__(self, name)

    def has_key(self, key: str) -> bool:
        """Whether it is counted under a key; its keys are not made for the answer."""
        spec = self.spec
        if key in {"any", spec.type, spec.id, spec.link_id} and key:
            return True
        own = key[1:] if key.startswith("=") else None
        return own == self.path or any(key == outer.spec.id or own == outer.path for outer in self.groups)

    def _all_keys(self) -> tuple[str, ...]:
        spec = self.spec
        keys = {"any": None, spec.type: None, spec.id: None, self.own_key: None}
        if spec.link_id:
            keys[spec.link_id] = None
        for outer in self.groups:
            keys[outer.spec.id] = None
            keys[outer.own_key] = None
        return tuple(keys)

    @property
    def inside(self) -> tuple["Place", ...]:
        """The groups that a member of this group stands in."""
        if self._inside is None:
            self._inside = (*self.groups, self)
        return self._inside

    @property
    def is_group(self) -> bool:
        """Whether it is a group."""
        return self.spec.is_group

    @property
    def group_id(self) -> str | None:
        """Path of the group that directly holds it."""
        return self.group.path if self.group is not None else None

    @property
    def children(self) -> tuple["Place", ...]:
        """Entries and groups directly below, the target's first, then the link's."""
        if self._children is None:
            with self.library.lock:
                if self._children is None:
                    self._children = self._expand(partial(child_specs, self.library))
        return self._children

    @property
    def barring(self) -> tuple["Place", ...]:
        """Entries and groups directly below that may bar it; no others are made for the answer."""
        if self._barring is None:
            with self.library.lock:
                if self._barring is None:
                    self._barring = self._expand(self.library.barring_specs)
        return self._barring

    def _expand(self, below: Callable[[int], Iterable[Spec]]) -> tuple["Place", ...]:
        """Places of what stands below each of its nodes."""
        if self.is_group and any(outer.spec.nodes[0] == self.spec.nodes[0] for outer in self.groups):
            return ()  # a group inside itself offers nothing new
        if len(self.groups) > MAX_GROUPS:
            raise TooManyEntries(f"{self.spec.name!r} ({self.path[:200]}) stands in more than {MAX_GROUPS} groups.")
        target, *link = self.spec.nodes
        found = self._below(below(target), self.prefix_inside)
        if link:
            found += self._below(below(link[0]), self.prefix)
        budget = (self._budget if self.is_group else None) or [0]
        budget[0] += len(found)
        if budget[0] > MAX_OFFERED:
            name = (self.holder or self).spec.name
            raise TooManyEntries(f"{name!r} ({self.path[:200]}) offers more than {MAX_OFFERED} entries and groups.")
        for child in found:
            child._budget = budget
        self.library.count_places(len(found))
        return tuple(found)

    def _below(self, specs: Iterable[Spec], prefix: str) -> list["Place"]:
        holder = self.holder if self.is_group else self
        group = self if self.is_group else None
        return [Place(self.library, spec, prefix, holder, group) for spec in specs]

    @property
    def entries(self) -> tuple["Place", ...]:
        """All entries below, through groups at any depth, in order."""
        if self._entries is None:
            found: list[Place] = []
            for child in self.children:
                if child.is_group:
                    found.extend(child.entries)
                else:
                    found.append(child)
            self._entries = tuple(found)
        return self._entries

    def find(self, wanted: str) -> "Place | None":
        """The entry below with this full path; failing that, the first with this entry or link id."""
        if self._found is None:
            self._found = {}
        found = self._found.get(wanted)
        if found is None:
            found = self._at(wanted)
            if found is None:
                if self._by_id is None:
                    self._by_id = indexed(self.entries)[1]
                found = self._by_id.get(wanted)
            if found is not None:
                self._found[wanted] = found
        return found

    def _at(self, path: str) -> "Place | None":
        """The first entry below with a full path; groups that its link ids do not lead through stay unexpanded."""
        for child in self.children:
            if not child.is_group:
                if child.path == path:
                    return child
            elif path.startswith(child.prefix_inside) or any(
                child_specs(self.library, link) for link in child.spec.nodes[1:]
            ):
                found = child._at(path)
                if found is not None:
                    return found
        return None

    @property
    def started(self) -> tuple["Place", ...]:
        """Entries and groups directly below of which some may be there from the start."""
        found = self._started
        if found is None:
            found = self._started = tuple([child for child in self.children if child.spec.may_be_taken])
        return found

    def demanding_below(self) -> tuple["Place", ...]:
        """Entries and groups below whose limits may be broken by what is not taken; groups of such included."""
        if self.demanding is None:
            self.demanding = demanding(self.children)
        return self.demanding

    @property
    def merged(self) -> bool:
        """Taking it again raises the amount: everything that can be chosen below is collective (§5)."""
        return self.spec.merged(self.library)


def indexed(entries: tuple[Place, ...]) -> tuple[dict[str, Place], dict[str, Place]]:
    """Entries by full path, and by entry or link id (the first of each)."""
    by_path: dict[str, Place] = {}
    by_id: dict[str, Place] = {}
    for entry in entries:
        by_path.setdefault(entry.path, entry)
        by_id.setdefault(entry.spec.id, entry)
        if entry.spec.link_id:
            by_id.setdefault(entry.spec.link_id, entry)
    return by_path, by_id


def root_entries(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Root places with every group replaced by its entries."""
    return tuple(entry for place in places for entry in (place.entries if place.is_group else (place,)))


def demanding(children: tuple[Place, ...]) -> tuple[Place, ...]:
    """Places among these, and below their groups, whose limits may be broken by what is not taken."""
    return tuple(_demanding(children))


def _demanding(children: tuple[Place, ...]) -> Iterator[Place]:
    for child in children:
        if child.spec.demands or child.spec.starts:
            yield child
        if child.is_group and child.spec.asks_below(child.library):
            yield from child.demanding_below()
