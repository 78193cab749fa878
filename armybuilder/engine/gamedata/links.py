"""The Library: a linked data set, immutable to its users, expanded only where it is touched."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property

import msgspec
import numpy as np

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.associations import Association, read_associations
from armybuilder.engine.gamedata.barring import Barring
from armybuilder.engine.gamedata.columns import NONE, Columns, Key, NodeKind
from armybuilder.engine.gamedata.info import InfoSource, ProfileTypeInfo
from armybuilder.engine.gamedata.library_facts import (
    CatalogueInfo,
    CategoryInfo,
    CategoryLinkInfo,
    Census,
    CostType,
    ForceEntryInfo,
)
from armybuilder.engine.gamedata.linking import Compiled, FileHead, LoadProblem
from armybuilder.engine.gamedata.numbers import number
from armybuilder.engine.gamedata.places import Place, demanding, indexed, root_entries
from armybuilder.engine.gamedata.reading import View
from armybuilder.engine.gamedata.roots import expand_roots
from armybuilder.engine.gamedata.specs import Spec


class UnknownId(GameError):
    """A catalogue, force entry or entry that the library does not have."""

    code = "unknown-id"


class SourceFile(msgspec.Struct, frozen=True):
    """A data file as it came: its name and its bytes, zipped or not.

    Attributes:
        digest: SHA-256 of what is in it, unzipped, where that is known; None where it is to be found out.
    """

    name: str
    data: bytes
    digest: bytes | None = None


LAST_OF_ALL = 2**31


MAX_PLACES = 300_000
"""Expanded places kept before the expansion is begun anew: bounds the memory of a long-lived worker."""


class Library:
    """A whole data set, linked.

    Attributes:
        content_hash: names the content; two libraries of the same files have the same.
        category_states: rows that evaluations share, by catalogue, category and primary mark.
        reads, reads_below: what definitions may ask of a roster (`roster.reads`), worked out once.
    """

    def __init__(self, columns: Columns, content_hash: str) -> None:
        compiled = msgspec.msgpack.decode(columns.note, type=Compiled)
        self.columns = columns
        self.content_hash = content_hash
        self.heads: tuple[FileHead, ...] = compiled.heads
        self._compiled = compiled
        self.target = columns.columns["target"].data
        self.lock = threading.RLock()
        system = next((head for head in self.heads if head.is_system), None)
        if system is None:
            raise UnknownId(
                "The data set has no game system file (.gst).", russian="В наборе данных нет файла игры (.gst)."
            )
        self._system = system
        self._file_by_id = {head.id: at for at, head in reversed(list(enumerate(self.heads)))}
        self._specs: dict[tuple[int, int], Spec] = {}
        self._roots: dict[str, tuple[Place, ...]] = {}
        self._root_places: dict[Spec, Place] = {}
        self._root_index: dict[str, tuple[dict[str, Place], dict[str, Place], tuple[Place, ...]]] = {}
        self._demanding: dict[str, tuple[tuple[Place, ...], tuple[Place, ...]]] = {}
        self._places = 0
        self._info: dict[int, InfoSource] = {}
        self.specs_below: dict[int, tuple[Spec, ...]] = {}
        self.categories_met: dict[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]] = {}
        self._forces: dict[str, tuple[Spec, ...]] = {}
        self._force_index: dict[str, dict[str, Spec]] = {}
        self._force_indexes: dict[tuple[tuple[Spec, ...], tuple[int, ...]], dict[str, Spec]] = {}
        self._categories: dict[int, dict[str, int]] = {}
        self._labels: dict[str, str | None] = {}
        self._publications: dict[str, tuple[tuple[str, str], ...]] = {}
        self.category_states: dict[tuple[str, str, bool], object] = {}
        self.reads: dict[object, object] = {}
        self.reads_below: dict[Place, object] = {}
        self.view = View(columns, self)

    @property
    def problems(self) -> tuple[LoadProblem, ...]:
        """Everything the loader could not use as it stands; read anew each time, as it may be thousands."""
        return self._compiled.all_problems

    @property
    def system_id(self) -> str:
        """Id of the game system."""
        return self._system.id

    @property
    def system_name(self) -> str:
        """Name of the game system."""
        return self._system.title

    @property
    def system_revision(self) -> int:
        """Revision of the game system file."""
        return self._system.revision

    @property
    def system(self) -> FileHead:
        """The game system's own file."""
        return self._system

    @cached_property
    def catalogues(self) -> tuple[CatalogueInfo, ...]:
        """Every catalogue, by name."""
        found = [
            CatalogueInfo(head.id, head.title, head.revision, head.library, head.name)
            for head in self.heads
            if not head.is_system
        ]
        return tuple(sorted(found, key=lambda info: info.name.casefold()))

    def head(self, catalogue_id: str) -> FileHead:
        """What the file of a catalogue (or the game system) says of itself.

        Raises:
            UnknownId: there is none with this id.
        """
        at = self._file_by_id.get(catalogue_id)
        if at is None:
            known = ", ".join(info.name for info in self.catalogues[:8])
            raise UnknownId(
                f"The data has no catalogue with the id {catalogue_id!r}. It has: {known}.",
                russian=f"В данных игры нет каталога «{catalogue_id}». Есть: {known}.",
            )
        return self.heads[at]

    def census(self, catalogue_id: str) -> Census:
        """How many entries, links, constraints and so on the file of a catalogue (or the game system) holds.

        Raises:
            UnknownId: there is no such catalogue.
        """
        self.head(catalogue_id)
        file = self.columns.files[self._file_by_id[catalogue_id]]
        counts = np.bincount(self.columns.columns["kind"][file.first : file.last], minlength=len(NodeKind)).tolist()
        return Census(
            entries=counts[NodeKind.SELECTION_ENTRY] + counts[NodeKind.SHARED_ENTRY],
            groups=counts[NodeKind.GROUP] + counts[NodeKind.SHARED_GROUP],
            links=counts[NodeKind.ENTRY_LINK],
            info_links=counts[NodeKind.INFO_LINK],
            profiles=counts[NodeKind.PROFILE] + counts[NodeKind.SHARED_PROFILE],
            rules=counts[NodeKind.RULE] + counts[NodeKind.SHARED_RULE],
            constraints=counts[NodeKind.CONSTRAINT],
            modifiers=counts[NodeKind.MODIFIER],
            conditions=counts[NodeKind.CONDITION] + counts[NodeKind.REPEAT],
        )

    @cached_property
    def fills_itself(self) -> bool:
        """Whether any constraint fills its minimum by itself (§13)."""
        columns = self.columns
        if not (columns.columns["key"] == Key.AUTOMATIC).any():
            return False
        string = columns.number_of("true")
        return string is not None and bool((columns.strings_of(Key.AUTOMATIC) == string).any())

    @cached_property
    def changing_amounts(self) -> frozenset[int]:
        """Nodes on which modifiers of default amounts are written (§13)."""
        return self._nodes_modified_in("defaultAmount")

    @cached_property
    def hiding_nodes(self) -> frozenset[int]:
        """Nodes on which modifiers are written that hide or show."""
        return self._nodes_modified_in("hidden")

    def _nodes_modified_in(self, field: str) -> frozenset[int]:
        columns = self.columns
        string = columns.number_of(field)
        found = np.flatnonzero(columns.strings_of(Key.FIELD) == string).tolist() if string is not None else []
        return frozenset(columns.owner_of(node) for node in found)

    @cached_property
    def reaches(self) -> bool:
        """Whether any modifier changes other nodes than its own (§13)."""
        columns = self.columns
        if (columns.columns["key"] == Key.AFFECTS).any():
            return True
        return bool((columns.strings_of(Key.SCOPE)[columns.columns["kind"] == NodeKind.MODIFIER] != NONE).any())

    @cached_property
    def reaching_profiles(self) -> dict[int, tuple[int, ...]]:
        """The profiles of a node on which modifiers are written that change other nodes (§13)."""
        columns = self.columns
        found: dict[int, tuple[int, ...]] = {}
        if not (columns.columns["key"] == Key.AFFECTS).any():
            return found
        for node in np.flatnonzero(columns.strings_of(Key.AFFECTS) != NONE).tolist():
            owner = columns.owner_of(node)
            if columns.kind[owner] == NodeKind.PROFILE:
                holder = columns.parent[owner]
                found[holder] = tuple(dict.fromkeys((*found.get(holder, ()), owner)))
        return found

    @cached_property
    def associations(self) -> Mapping[int, tuple[Association, ...]]:
        """What the selections of a node must belong to (§13), by node."""
        return read_associations(self)

    @cached_property
    def _ids(self) -> dict[int, frozenset[str]]:
        """Ids by kind of node, for the kinds that queries name; read in one pass."""
        columns = self.columns
        strings = columns.strings_of(Key.ID)
        kinds = columns.columns["kind"]
        return {
            kind: frozenset(columns.text(string) for string in set(strings[kinds == kind].tolist()) if string != NONE)
            for kind in (
                NodeKind.CATEGORY_ENTRY,
                NodeKind.FORCE_ENTRY,
                NodeKind.SHARED_FORCE_ENTRY,
                NodeKind.FORCE_LINK,
                NodeKind.GROUP,
                NodeKind.SHARED_GROUP,
                NodeKind.COST_TYPE,
            )
        }

    def name_of(self, wanted: str) -> str | None:
        """The name of whatever has this id, a link by what it points at; None when nothing has both.

        Found by searching the string table, as explanations ask for few and an index of all ids would cost megabytes.
        """
        if wanted not in self._labels:
            columns = self.columns
            string = columns.number_of(wanted)
            nodes = np.flatnonzero(columns.strings_of(Key.ID) == string).tolist() if string is not None else []
            found = None
            for node in nodes:
                there = self.target[node]
                found = found or columns.get(there if there != NONE else node, Key.NAME)
            self._labels[wanted] = found
        return self._labels[wanted]

    @cached_property
    def category_ids(self) -> frozenset[str]:
        """Ids of all category entries."""
        return self._ids[NodeKind.CATEGORY_ENTRY]

    @cached_property
    def force_entry_ids(self) -> frozenset[str]:
        """Ids of all force entries."""
        return self._ids[NodeKind.FORCE_ENTRY] | self._ids[NodeKind.SHARED_FORCE_ENTRY]

    @cached_property
    def ids_of_forces(self) -> frozenset[str]:
        """Every id by which a scope can mean a force: of force entries, of links to them, of catalogues."""
        return self.force_entry_ids | self._ids[NodeKind.FORCE_LINK] | {head.id for head in self.heads}

    @cached_property
    def group_ids(self) -> frozenset[str]:
        """Ids of all groups."""
        return self._ids[NodeKind.GROUP] | self._ids[NodeKind.SHARED_GROUP]

    @cached_property
    def cost_type_ids(self) -> frozenset[str]:
        """Ids of all cost types."""
        return self._ids[NodeKind.COST_TYPE]

    def _roots_of_kind(self, kind: int, closure: Sequence[int] | None = None) -> list[int]:
        """Root nodes of a kind, in the files of a closure (all files, game system first, without one)."""
        columns = self.columns
        if closure is None:
            order = sorted(range(len(self.heads)), key=lambda at: not self.heads[at].is_system)
        else:
            order = list(closure)
        return [node for at in order for node in columns.children(self.heads[at].root) if columns.kind[node] == kind]

    @cached_property
    def cost_types(self) -> tuple[CostType, ...]:
        """Every cost type, the game system's first."""
        found: dict[str, CostType] = {}
        for node in self._roots_of_kind(NodeKind.COST_TYPE):
            row = self.columns.attributes(node)
            limit = number(row.get(Key.DEFAULT_COST_LIMIT), -1)
            type_id = row.get(Key.ID, "")
            found.setdefault(
                type_id,
                CostType(
                    type_id,
                    row.get(Key.NAME, ""),
                    Decimal(limit) if limit >= 0 else None,
                    row.get(Key.HIDDEN) == "true",
                ),
            )
        return tuple(found.values())

    @cached_property
    def cost_type_by_id(self) -> dict[str, CostType]:
        """Cost types by id."""
        return {cost_type.id: cost_type for cost_type in self.cost_types}

    @cached_property
    def system_cost_type_ids(self) -> tuple[str, ...]:
        """The cost types of the game system itself."""
        at = self._file_by_id[self._system.id]
        return tuple(self.columns.get(node, Key.ID) or "" for node in self._roots_of_kind(NodeKind.COST_TYPE, (at,)))

    @cached_property
    def categories(self) -> tuple[CategoryInfo, ...]:
        """Every category entry, the game system's first, each id once."""
        return tuple(
            CategoryInfo(
                category_id,
                self.columns.get(node, Key.NAME) or "",
                self.columns.get(node, Key.HIDDEN) == "true",
            )
            for category_id, node in self._category_nodes.items()
        )

    @cached_property
    def _category_nodes(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for node in self._roots_of_kind(NodeKind.CATEGORY_ENTRY):
            found.setdefault(self.columns.get(node, Key.ID) or "", node)
        return found

    @cached_property
    def ambiguous_categories(self) -> frozenset[str]:
        """Ids of categories that several files define: which of them is meant, each catalogue sees in its own way."""
        ids = Counter(self.columns.get(node, Key.ID) or "" for node in self._roots_of_kind(NodeKind.CATEGORY_ENTRY))
        return frozenset(category_id for category_id, number in ids.items() if number > 1)

    def category_node(self, catalogue_id: str, category_id: str) -> int | None:
        """The node of a category as a catalogue sees it; None when nothing in reach defines it."""
        at = self._file_by_id.get(catalogue_id)
        if at is None:
            return self._category_nodes.get(category_id)
        nodes = self._categories.get(at)
        if nodes is None:
            nodes = {}
            for node in self._roots_of_kind(NodeKind.CATEGORY_ENTRY, self.heads[at].closure):
                nodes.setdefault(self.columns.get(node, Key.ID) or "", node)
            self._categories[at] = nodes
        return nodes.get(category_id, self._category_nodes.get(category_id))

    @cached_property
    def profile_types(self) -> dict[str, ProfileTypeInfo]:
        """Profile types by id."""
        columns = self.columns
        found: dict[str, ProfileTypeInfo] = {}
        for node in self._roots_of_kind(NodeKind.PROFILE_TYPE):
            parts = tuple(
                (columns.get(child, Key.ID) or "", columns.get(child, Key.NAME) or "")
                for child in columns.children(node)
                if columns.kind[child] == NodeKind.CHARACTERISTIC_TYPE
            )
            type_id = columns.get(node, Key.ID) or ""
            found.setdefault(type_id, ProfileTypeInfo(type_id, columns.get(node, Key.NAME) or "", parts))
        return found

    @cached_property
    def publications(self) -> dict[str, str]:
        """Names of all publications by id."""
        found: dict[str, str] = {}
        for node in self._roots_of_kind(NodeKind.PUBLICATION):
            found.setdefault(self.columns.get(node, Key.ID) or "", self.columns.get(node, Key.NAME) or "")
        return found

    @cached_property
    def shared_rules(self) -> dict[str, str]:
        """Texts of the rules that files share with every entry, by name in small letters; the game system's first."""
        columns = self.columns
        found: dict[str, str] = {}
        for node in self._roots_of_kind(NodeKind.SHARED_RULE):
            texts = (
                columns.get(child, Key.VALUE)
                for child in columns.children(node)
                if columns.kind[child] == NodeKind.DESCRIPTION
            )
            found.setdefault((columns.get(node, Key.NAME) or "").casefold(), next(texts, None) or "")
        return found

    def publications_of(self, catalogue_id: str) -> tuple[tuple[str, str], ...]:
        """Publications of a catalogue, then of the game system: (id, name)."""
        found = self._publications.get(catalogue_id)
        if found is None:
            files = dict.fromkeys((self._file_by_id[catalogue_id], self._file_by_id[self._system.id]))
            found = self._publications[catalogue_id] = tuple(
                (self.columns.get(node, Key.ID) or "", self.columns.get(node, Key.NAME) or "")
                for node in self._roots_of_kind(NodeKind.PUBLICATION, tuple(files))
            )
        return found

    def force_entries(self, catalogue_id: str) -> tuple[ForceEntryInfo, ...]:
        """The force entries a catalogue can be used with: the game system's, then those in its own reach.

        Raises:
            UnknownId: there is no such catalogue.
        """
        return tuple(self._force_info(spec, ()) for spec in self.root_forces(catalogue_id))

    def root_forces(self, catalogue_id: str) -> tuple[Spec, ...]:
        """The force entries of `force_entries` themselves.

        Raises:
            UnknownId: there is no such catalogue.
        """
        known = self._forces.get(catalogue_id)
        if known is None:
            known = self._forces[catalogue_id] = tuple(self._read_root_forces(catalogue_id))
        return known

    def _read_root_forces(self, catalogue_id: str) -> Iterable[Spec]:
        found: dict[str, Spec] = {}
        for at in reversed(self.head(catalogue_id).closure):
            for node in self.columns.children(self.heads[at].root):
                kind = self.columns.kind[node]
                if kind == NodeKind.FORCE_ENTRY:
                    spec = self.spec(node)
                elif kind == NodeKind.FORCE_LINK and self.target[node] != NONE:
                    spec = self.spec(self.target[node], node)
                else:
                    continue
                found.setdefault(spec.path, spec)
        return sorted(found.values(), key=self.sort_index)

    def sort_index(self, spec: Spec) -> int:
        """The place an author gave it among its like (§13); what has none comes after those, in the data's order."""
        stated = (self.columns.get(node, Key.SORT_INDEX) for node in reversed(spec.nodes))
        return next((int(text) for text in stated if text and text.lstrip("-").isdecimal()), LAST_OF_ALL)

    def is_flat(self, spec: Spec) -> bool:
        """Whether its author wants what is in a group to stand where the group stands, without its name (§13)."""
        return any(self.columns.get(node, Key.FLATTEN) == "true" for node in spec.nodes)

    def _force_info(self, spec: Spec, above: tuple[Spec, ...]) -> ForceEntryInfo:
        """What may be told of a force entry; `above` are those it stands below, so that a cycle of links ends."""
        columns = self.columns
        categories = []
        for link in spec.category_link_nodes:
            entry = self.target[link]
            name = columns.get(entry, Key.NAME) if entry != NONE else columns.get(link, Key.NAME)
            limits: dict[str, Decimal] = {}
            for constraint in self.view.constraints(link):
                if constraint.field == 0 and not constraint.percent and constraint.value >= 0:
                    limits[constraint.kind] = Decimal(constraint.value)
            target_id = columns.get(link, Key.TARGET_ID) or ""
            categories.append(CategoryLinkInfo(target_id, name or "", limits.get("min"), limits.get("max")))
        below = [self.spec(target, link) for target, link in spec.force_nodes]
        forces = tuple(self._force_info(one, (*above, spec)) for one in below if one not in above and one is not spec)
        return ForceEntryInfo(spec.path, spec.name, spec.hidden, tuple(categories), forces)

    def force_spec(self, catalogue_id: str, force_entry_id: str) -> Spec | None:
        """A force entry, nested ones included, as a catalogue sees it; None when there is none.

        Args:
            force_entry_id: its path; failing that, its own id or its link's, or that of a shared one nothing links to.
        """
        index = self._force_index.get(catalogue_id)
        if index is None:
            shared = tuple(self._roots_of_kind(NodeKind.SHARED_FORCE_ENTRY, self.head(catalogue_id).closure))
            offered = (self.root_forces(catalogue_id), shared)
            index = self._force_indexes.get(offered)
            if index is None:  # most catalogues offer the very same forces
                index = self._force_indexes[offered] = self._indexed_forces(*offered)
            self._force_index[catalogue_id] = index
        return index.get(force_entry_id)

    def _indexed_forces(self, roots: tuple[Spec, ...], shared: tuple[int, ...]) -> dict[str, Spec]:
        known = list(roots)
        reached = set(known)
        for spec in known:  # grows while it is read, each once, so cycles end
            below = [one for node in spec.force_nodes if (one := self.spec(*node)) not in reached]
            known += below
            reached.update(below)
        index: dict[str, Spec] = {}
        for spec in known:
            index.setdefault(spec.path, spec)
        for spec in known:
            index.setdefault(spec.id, spec)
            if spec.link_id:
                index.setdefault(spec.link_id, spec)
        for node in shared:
            index.setdefault(self.columns.get(node, Key.ID) or "", self.spec(node))
        return index

    def spec(self, target: int, link: int = NONE) -> Spec:
        """A node seen through a link (§4.3), or by itself; made once."""
        key = (target, link)
        spec = self._specs.get(key)
        if spec is None:
            spec = self._specs.setdefault(key, Spec(self, target, link))
        return spec

    @cached_property
    def barring(self) -> Barring:
        """What may bar each entry."""
        return Barring(self)

    def barring_specs(self, node: int) -> tuple[Spec, ...]:
        """Entries and groups directly below a node that may bar it."""
        return tuple(self.spec(*nodes) for nodes in self.barring.ways(node))

    def info_source(self, node: int) -> InfoSource:
        """The profiles, rules and info links that a root, category or force entry carries itself."""
        found = self._info.get(node)
        if found is None:
            found = self._info[node] = InfoSource(self, (node,))
        return found

    def roots(self, catalogue_id: str) -> tuple[Place, ...]:
        """What a force of this catalogue can take (§4.2): root entries, and groups that stand among them.

        Raises:
            UnknownId: there is no such catalogue.
        """
        places = self._roots.get(catalogue_id)
        if places is None:
            head = self.head(catalogue_id)
            with self.lock:
                places = self._roots.get(catalogue_id)
                if places is None:
                    places = expand_roots(self, head)
                    self._roots[catalogue_id] = places
        return places

    def root_place(self, spec: Spec) -> Place:
        """The place of what stands at the root: one for all catalogues that offer it, as nothing in it is theirs."""
        place = self._root_places.get(spec)
        if place is None:
            place = self._root_places[spec] = Place(self, spec, "", None, None)
            self._places += 1
        return place

    def count_places(self, more: int) -> None:
        """Places were expanded; beyond MAX_PLACES the expansion is begun anew (rosters in work keep theirs)."""
        self._places += more
        if self._places > MAX_PLACES:
            self._places = 0
            self._roots = {}
            self._root_places = {}
            self._root_index = {}
            self.reads, self.reads_below = {}, {}

    def file_at(self, file_id: str) -> int:
        """Position of a file by the id of its root."""
        return self._file_by_id[file_id]

    def find_root(self, catalogue_id: str, wanted: str) -> Place | None:
        """The root entry of a catalogue by full path, failing that by entry or link id; None when there is none."""
        index = self._root_index.get(catalogue_id)
        if index is None or index[2] is not self._roots.get(catalogue_id):
            places = self.roots(catalogue_id)
            by_path, by_id = indexed(root_entries(places))
            index = self._root_index[catalogue_id] = (by_path, by_id, places)
        return index[0].get(wanted) or index[1].get(wanted)

    def demanding_roots(self, catalogue_id: str) -> tuple[Place, ...]:
        """Root places of a catalogue whose limits may be broken by what is not taken; groups of such included."""
        places = self.roots(catalogue_id)
        found = self._demanding.get(catalogue_id)
        if found is None or found[0] is not places:
            found = self._demanding[catalogue_id] = (places, demanding(places))
        return found[1]
