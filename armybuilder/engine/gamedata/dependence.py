"""What the answers about a catalogue depend on: a key that changes whenever one of them might.

A data set is looked at in blocks: what stands directly under the root of a file, with everything in it. Most armies
import libraries of which they offer only a part, so a key is made of the blocks that are reached, not of whole files.
"""

import hashlib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import msgspec
import numpy as np

from armybuilder.engine.gamedata.columns import NONE, Array, Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.roots import RootNodes
from armybuilder.engine.gamedata.specs import Spec

_READ_BY_NAME = (
    NodeKind.CATEGORY_ENTRY,
    NodeKind.FORCE_ENTRY,
    NodeKind.SHARED_FORCE_ENTRY,
    NodeKind.COST_TYPE,
    NodeKind.PROFILE_TYPE,
)
"""Kinds of nodes that are read wherever in the set they stand, if something names their id."""

_TOLD_BY_NAME = (*_READ_BY_NAME, NodeKind.GROUP, NodeKind.SHARED_GROUP, NodeKind.FORCE_LINK)
"""Kinds of nodes that give an id its meaning: what a query with this id asks for."""

_OF_EVERY_FILE = (*_READ_BY_NAME, NodeKind.FORCE_LINK, NodeKind.CATALOGUE_LINK)
"""Kinds of blocks that are read of all files in reach, in their order."""

_SAYS_NOTHING = (Key.REVISION, Key.BATTLE_SCRIBE_VERSION, Key.AUTHOR_NAME, Key.AUTHOR_CONTACT)
"""What a root says that no evaluation reads."""

_ENTRIES = (NodeKind.SELECTION_ENTRY, NodeKind.SHARED_ENTRY)

_TEXTS = (NodeKind.CHARACTERISTIC, NodeKind.DESCRIPTION)
"""Kinds of nodes whose value is shown and nothing else."""

_DIGEST_BYTES = 16

_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Keeps what two sums say apart that are added."""


_LED_TO = (
    *_ENTRIES,
    NodeKind.ENTRY_LINK,
    NodeKind.SHARED_GROUP,
    NodeKind.SHARED_RULE,
    NodeKind.SHARED_PROFILE,
    NodeKind.SHARED_INFO_GROUP,
)
"""Kinds of blocks that are read where a link leads to them, or as one of the roots that a force offers."""


class Dependence:
    """What the answers about the catalogues of a library depend on; of one whose files are not known, nothing is told.

    Args:
        worked_out_by: names the code that gives the answers; another code has other keys.
    """

    def __init__(self, library: Library, *, worked_out_by: str = "") -> None:
        self._library = library
        if not all(file.digest for file in library.columns.files):
            self._files: list[_File] = []
            return
        self._blocks = _Blocks.of(library)
        self._common = worked_out_by.encode() + _of_the_whole_set(library)
        self._files = [_File.of(library, self._blocks, head) for head in library.heads]
        self._roots = RootNodes(library)

    def of_catalogues(self, *, price: str | None) -> dict[str, str]:
        """For each catalogue a key of everything that is read when its units are worked out.

        That is: its own file and the game system; of the files it links to, the roots that it offers and what stands
        there for all, in the order in which it is looked up; all blocks that links in these lead to, or ids that they
        write name; what else the ids they write mean anywhere in the set; and what holds for the whole set. Of upgrades
        at the root that have no price, nor anything below them, no name and no text is read: they are no units.

        Args:
            price: id of the cost type that makes a unit of an upgrade; None where there is none.
        """
        if not self._files:
            return {}
        library, blocks = self._library, self._blocks
        priced = blocks.leading_to(_priced(library, blocks.of_node, price)) if price is not None else set()
        system = self._files[library.file_at(library.system_id)]
        keys = {}
        for own, head in zip(self._files, library.heads, strict=True):
            if head.is_system:
                continue
            offered = self._offered(head)
            nameless = {block for node, block in offered if _is_upgrade(library, node) and block not in priced}
            start: list[int] = []
            for file in (self._files[at] for at in head.closure):
                start += file.blocks if file is own or file is system else file.for_all
            start += [block for _, block in offered]
            keys[head.id] = self._begun(head, blocks.digest(start, nameless)).hexdigest()
        return keys

    def without_names(self, catalogue_id: str) -> str:
        """A key of what decides which units a catalogue has; empty where there is none.

        That is all that `of_catalogues` tells, but for the names and texts of its roots and of what they lead to: those
        are read by the units that lead to them, and give the order of these (`UnitKeys.of_all`).
        """
        if not self._files:
            return ""
        own, system = (self._library.file_at(one) for one in (catalogue_id, self._library.system_id))
        head = self._library.heads[own]
        around = self._around(head)
        roots = [*self._files[own].blocks, *self._files[system].blocks, *(block for _, block in self._offered(head))]
        return self._begun(head, self._blocks.digest([*around, *roots], set(roots) - set(around))).hexdigest()

    def of_units(self, catalogue_id: str) -> "UnitKeys | None":
        """Keys of the units of a catalogue, each by itself."""
        if not self._files:
            return None
        library, blocks = self._library, self._blocks
        head = library.heads[library.file_at(catalogue_id)]
        asked = [block for place in library.demanding_roots(catalogue_id) for block in blocks.of_place(place)]
        key = self._begun(head, blocks.nameless[asked].tobytes())
        return UnitKeys(blocks, key, np.zeros(len(blocks.digests), bool)).reaching(self._around(head))

    def _around(self, head: FileHead) -> list[int]:
        """The blocks that are read for every unit of a catalogue."""
        whole = {self._library.file_at(one) for one in (head.id, self._library.system_id)}
        files = ((at, self._files[at]) for at in head.closure)
        return [block for at, file in files for block in (file.around if at in whole else file.for_all)]

    def _offered(self, head: FileHead) -> list[tuple[int, int]]:
        """The root entries of a catalogue as nodes, and the block in which each, or the link to it, is written."""
        return [(node, self._blocks.at[link if link != NONE else node]) for node, link in self._roots.of(head)]

    def _begun(self, head: FileHead, digest: bytes) -> "hashlib._Hash":
        key = hashlib.sha256(self._common + head.id.encode("utf-8", "surrogatepass"))
        for at in head.closure:
            key.update(self._files[at].said)
        key.update(digest)
        return key


class UnitKeys:
    """Keys of everything that is read when a unit of a catalogue is taken, alone, in a new force.

    That is what holds for all, what the force starts with, and what the unit itself leads to; of the other roots of the
    catalogue only what those say that a force might have to start with: whether it does, and that it does not. Of what
    stands beside a unit no names and texts are read.
    """

    def __init__(self, blocks: "_Blocks", key: "hashlib._Hash", reached: Array) -> None:
        self._blocks = blocks
        self._key = key
        self._reached = reached

    def reaching(self, start: Sequence[int], *paths: str) -> "UnitKeys":
        """Keys for what reads these blocks too, and all they lead to; and what is told by these paths."""
        reached = self._reached.copy()
        reached[self._blocks.led_to(start)] = True
        return UnitKeys(self._blocks, self._key_of(start, paths), reached)

    def _key_of(self, start: Sequence[int], paths: Iterable[str]) -> "hashlib._Hash":
        key, digests = self._key.copy(), self._blocks.digests
        key.update(msgspec.msgpack.encode([path.encode("utf-8", "surrogatepass") for path in paths]))
        beyond = self._blocks.led_to(start)
        key.update(digests[list(start)].tobytes() + digests[beyond[~self._reached[beyond]]].tobytes())
        return key

    def in_force(self, forces: Iterable[Spec], taken: Iterable[Place]) -> "UnitKeys":
        """Keys for units of a force.

        Args:
            forces: the force, and those it stands below.
            taken: what stands in it from the start, and what was tried to.
        """
        standing, blocks = list(taken), self._blocks
        begun = self.reaching((), *(spec.path for spec in forces), "", *(place.path for place in standing))
        start = [block for place in standing for block in blocks.of_place(place)]
        beside = blocks.led_to(start)
        beside = beside[~self._reached[beside]]
        begun._key.update(blocks.nameless[start].tobytes() + blocks.nameless[beside].tobytes())
        return begun

    def of(self, place: Place) -> str:
        """The key of an entry at the root of the force, or in a group there."""
        return self.of_all([place])

    def of_all(self, places: Sequence[Place]) -> str:
        """One key of several such entries."""
        blocks = [block for place in places for block in self._blocks.of_place(place)]
        return self._key_of(blocks, [place.path for place in places]).hexdigest()


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the set: what its root says, and its blocks.

    Attributes:
        for_all: blocks that are read of all files in reach; `around`: those that no link and no force must lead to.
    """

    said: bytes
    blocks: list[int]
    for_all: list[int]
    around: list[int]

    @classmethod
    def of(cls, library: Library, blocks: "_Blocks", head: FileHead) -> "_File":
        nodes = library.columns.children(head.root)
        kind = library.columns.kind
        return cls(
            _of_root(library, head),
            [blocks.at[node] for node in nodes],
            [blocks.at[node] for node in nodes if kind[node] in _OF_EVERY_FILE],
            [blocks.at[node] for node in nodes if kind[node] not in _LED_TO],
        )


def _is_upgrade(library: Library, node: int) -> bool:
    columns = library.columns
    return columns.kind[node] in _ENTRIES and columns.get(node, Key.TYPE) == "upgrade"


def _priced(library: Library, block_of: Array, price: str) -> Array:
    """The blocks in which something has a price of this type, or may come to have one."""
    columns = library.columns
    string = columns.number_of(price)
    if string is None:
        return np.empty(0, np.int64)
    kinds = columns.columns["kind"]
    values = columns.strings_of(Key.VALUE)
    costs = (kinds == NodeKind.COST) & (columns.strings_of(Key.TYPE_ID) == string) & (values != NONE)
    free = [number for number in np.unique(values[costs]).tolist() if not columns.text(number).strip("0.")]
    changed = (kinds == NodeKind.MODIFIER) & (columns.strings_of(Key.FIELD) == string)
    return np.unique(block_of[(costs & ~np.isin(values, free)) | changed])


def _of_root(library: Library, head: FileHead) -> bytes:
    """What the root of a file says."""
    said = library.columns.attributes(head.root).items()
    return msgspec.msgpack.encode([(key, value) for key, value in said if key not in _SAYS_NOTHING])


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a data set.

    Attributes:
        digests: of what each says; `nameless`: of that without names and texts.
        at: which block begins at a node; `of_node`: in which block each node is.
        ways: where each leads; `back`: from where a way leads to it.
    """

    digests: Array
    nameless: Array
    at: dict[int, int]
    of_node: Array
    ways: "_Ways"
    back: "_Ways"
    _led_to: dict[tuple[int, ...], Array] = field(default_factory=dict)

    @classmethod
    def of(cls, library: Library) -> "_Blocks":
        """The blocks of a library, in the order of its nodes."""
        columns = library.columns.columns
        starts = [node for head in library.heads for node in library.columns.children(head.root)]
        starts = sorted({*starts, *(head.root for head in library.heads)})  # a root itself is a block without anything
        begins = np.array(starts, np.int64)
        block_of = np.searchsorted(begins, np.arange(len(columns["kind"])), side="right") - 1
        meaning = _meanings(library)
        edges = _edges(library, block_of, meaning)
        digests, nameless = _digests(library, begins, meaning)
        at = {node: number for number, node in enumerate(starts)}
        back = edges[np.lexsort((edges[:, 0], edges[:, 1]))][:, ::-1]
        ways, ways_back = (_Ways.of(some, len(begins)) for some in (edges, back))
        return cls(digests, nameless, at, block_of, ways, ways_back)

    def digest(self, start: Sequence[int], nameless: AbstractSet[int]) -> bytes:
        """A digest of these blocks, in order, and of all that they lead to.

        Args:
            nameless: those of them of which no names and texts are read, nor of what only they lead to.
        """
        whole = self.ways.reached(np.array([block for block in start if block not in nameless], np.int64))
        reached = self.ways.reached(np.array(list(nameless), np.int64), known=whole)
        said = np.where(whole, self.digests, self.nameless)
        return hashlib.sha256(said[list(start)].tobytes() + said[np.flatnonzero(reached)].tobytes()).digest()

    def led_to(self, start: Sequence[int]) -> Array:
        """These blocks and all that they lead to, in the order of the blocks; many armies ask for the same."""
        found = self._led_to.get(key := tuple(start))
        if found is None:
            found = self._led_to[key] = np.flatnonzero(self.ways.reached(np.array(start, np.int64)))
        return found

    def of_place(self, place: Place) -> list[int]:
        """The blocks in which something at the root is written: itself, its link, and the groups it stands in."""
        nodes = (node for one in (place, *place.groups) for node in one.spec.nodes)
        return list(dict.fromkeys(int(self.of_node[node]) for node in nodes))

    def leading_to(self, ends: Array) -> AbstractSet[int]:
        """The blocks from which a way leads to one of these, themselves included."""
        return set(np.flatnonzero(self.back.reached(ends)).tolist())


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where blocks lead: block `i` to the blocks `to[first[i]:first[i + 1]]`."""

    first: Array
    to: Array

    @classmethod
    def of(cls, edges: Array, blocks: int) -> "_Ways":
        """From sorted rows (block, block that it leads to)."""
        return cls(np.searchsorted(edges[:, 0], np.arange(blocks + 1)), edges[:, 1])

    def reached(self, start: Array, *, known: Array | None = None) -> Array:
        """For each block whether a way leads there from one of these, or it was known to be reached."""
        known = np.zeros(len(self.first) - 1, bool) if known is None else known.copy()
        place = np.empty(len(known), np.int64)
        found = start
        while len(found := found[~known[found]]):
            at = np.arange(len(found))
            place[found] = at
            new = found[place[found] == at]  # each once: sorting them takes longer
            known[new] = True
            lengths = self.first[new + 1] - self.first[new]
            ends = np.cumsum(lengths)
            found = self.to[np.repeat(self.first[new] - ends + lengths, lengths) + np.arange(int(ends[-1]))]
        return known


def _meanings(library: Library) -> Array:
    """For each string, as bits, which kinds of nodes have it as their id."""
    columns = library.columns
    ids, kinds = columns.strings_of(Key.ID), columns.columns["kind"]
    found = np.zeros(len(columns.columns["offset"]), np.uint8)
    for bit, kind in enumerate(_TOLD_BY_NAME):
        found[ids[(kinds == kind) & (ids != NONE)]] |= 1 << bit
    return found


def _edges(library: Library, block_of: Array, meaning: Array) -> Array:
    """Rows (block, block that it leads to), sorted: by links, and by ids that are read wherever they stand."""
    columns = library.columns.columns
    target = columns["target"]
    linking = np.flatnonzero(target != NONE)
    blocks = int(block_of[-1]) + 1
    found = [block_of[linking] * blocks + block_of[target[linking]]]  # a pair as one number: sorted ten times as fast
    first = columns["first"].astype(np.int64)
    writing = np.repeat(block_of, first[1:] - first[:-1])
    ids = library.columns.strings_of(Key.ID)
    defining = np.flatnonzero(np.isin(columns["kind"], _READ_BY_NAME) & (ids != NONE))
    defining = defining[np.argsort(ids[defining], kind="stable")]
    by_name = ids[defining]
    named = np.flatnonzero(meaning[columns["value"]] & ((1 << len(_READ_BY_NAME)) - 1))
    strings = len(meaning)
    pairs = np.unique(writing[named] * strings + columns["value"][named])
    block, name = pairs // strings, pairs % strings
    low, high = np.searchsorted(by_name, name), np.searchsorted(by_name, name, side="right")
    for number in range(int((high - low).max(initial=0))):  # an id is hardly ever given twice
        there = low + number < high
        found.append(block[there] * blocks + block_of[defining[low[there] + number]])
    pairs = np.unique(np.concatenate(found))
    return np.stack([pairs // blocks, pairs % blocks], axis=1)


def _digests(library: Library, begins: Array, meaning: Array) -> tuple[Array, Array]:
    """For each block a digest of what is written in it and of what the ids in it mean; one without names and texts."""
    columns = library.columns.columns
    blob, offset = columns["blob"].tobytes(), columns["offset"].tolist()
    texts = [
        hashlib.blake2b(blob[offset[at] : offset[at + 1]], digest_size=_DIGEST_BYTES).digest()
        for at in range(len(offset) - 1)
    ]
    first, keys, values = columns["first"].astype(np.int64), columns["key"], columns["value"]
    kinds, ends = columns["kind"], np.append(begins, len(columns["kind"]))
    attributes = first[1:] - first[:-1]
    shape = _mixed((kinds, columns["end"] - np.arange(len(kinds)), attributes), ends)
    text = np.frombuffer(b"".join(texts), np.uint64).reshape(-1, 2)
    shown = (keys == Key.NAME) | ((keys == Key.VALUE) & np.isin(np.repeat(kinds, attributes), _TEXTS))
    written = [text[:, 0][values], text[:, 1][values], keys.astype(np.uint64) * 256 + meaning[values]]
    roots = np.isin(begins, [head.root for head in library.heads])
    found = []
    for hidden in (None, shown):
        if hidden is not None:
            written[0][hidden] = written[1][hidden] = 0
        said = shape * _ODD + _mixed(written, first[ends])
        said[roots] = 0
        found.append(said.view(f"V{_DIGEST_BYTES}").ravel())
    return found[0], found[1]


def _mixed(columns: Sequence[Array], ends: Array) -> Array:
    """Two numbers of 64 bits for each run of rows between two ends, in which every row counts with its place.

    Each is the sum of what stands there times numbers drawn for its place: one pass over all runs, where a hash of each
    took a twentieth of a second publish. Two runs that differ have the same numbers once in 2⁶⁰.
    """
    lengths = ends[1:] - ends[:-1]
    place = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    drawn = np.random.PCG64(0).random_raw(2 * len(columns) * int(lengths.max(initial=0)))
    found = np.empty((len(lengths), 2), np.uint64)
    for number, weights in enumerate(drawn.reshape(2, len(columns), -1)):
        sums = np.zeros(len(place) + 1, np.uint64)
        for column, weight in zip(columns, weights, strict=True):
            sums[1:] += column.astype(np.uint64) * weight[place]
        np.cumsum(sums, out=sums)
        found[:, number] = sums[ends[1:]] - sums[ends[:-1]]
    return found


def _of_the_whole_set(library: Library) -> bytes:
    """What evaluations ask of the whole set: its cost and profile types, and which rare constructs it has at all."""
    rare = (library.fills_itself, library.reaches)
    return msgspec.msgpack.encode((library.cost_types, library.profile_types, rare))
