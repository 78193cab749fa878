"""What the answers about a catalogue depend on: a key that changes whenever one of them might.

A data set is looked at in blocks: what stands directly under the root of a file, with everything in it. Most armies
import libraries of which they offer only a part, so a key is made of the blocks that are reached, not of whole files.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from armybuilder.engine.gamedata.columns import NONE, Array, Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.roots import root_nodes

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

_DIGEST_BYTES = 16


def catalogue_keys(library: Library) -> dict[str, str]:
    """For each catalogue a key of everything that is read when one of its forces is evaluated.

    That is: its own file and the game system; of the files it links to, the roots that it offers and what stands
    there for all, in the order in which it is looked up; all blocks that links in these lead to, or ids that they
    write name; what else the ids they write mean anywhere in the set; and what holds for the whole set. Catalogues of
    a library whose files' content is not known have no key.
    """
    if not all(file.digest for file in library.columns.files):
        return {}
    blocks = _Blocks.of(library)
    common = _of_the_whole_set(library)
    keys = {}
    for head in library.heads:
        if head.is_system:
            continue
        start = list(_start(library, blocks, head))
        key = hashlib.sha256(common + head.id.encode("utf-8", "surrogatepass"))
        for at in head.closure:
            key.update(_of_root(library, library.heads[at]))
        key.update(blocks.digests[start].tobytes())
        key.update(blocks.digests[np.flatnonzero(blocks.reached(np.array(start, np.int64)))].tobytes())
        keys[head.id] = key.hexdigest()
    return keys


def _start(library: Library, blocks: "_Blocks", head: FileHead) -> Iterator[int]:
    """The blocks that a catalogue reads by itself, in order."""
    kind = library.columns.kind
    whole = {head.root, library.system.root}
    for root in [library.heads[at].root for at in head.closure]:
        for node in library.columns.children(root):
            if root in whole or kind[node] in _OF_EVERY_FILE:
                yield blocks.at[node]
    for node, link in root_nodes(library, head):
        yield blocks.at[link if link != NONE else node]


def _of_root(library: Library, head: FileHead) -> bytes:
    """What the root of a file says."""
    said = library.columns.attributes(head.root).items()
    return msgspec.msgpack.encode([(key, value) for key, value in said if key not in _SAYS_NOTHING])


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a data set.

    Attributes:
        digests: of what each says; `at`: which block begins at a node.
        first, to: block `i` leads to the blocks `to[first[i]:first[i + 1]]`.
    """

    digests: Array
    at: dict[int, int]
    first: Array
    to: Array

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
        first = np.searchsorted(edges[:, 0], np.arange(len(begins) + 1))
        digests = _digests(library, begins, meaning)
        return cls(digests, {node: number for number, node in enumerate(starts)}, first, edges[:, 1])

    def reached(self, start: Array) -> Array:
        """For each block whether a way leads there from one of these."""
        known = np.zeros(len(self.digests), bool)
        new = np.unique(start)
        while len(new):
            known[new] = True
            lengths = self.first[new + 1] - self.first[new]
            ends = np.cumsum(lengths)
            there = np.repeat(self.first[new] - ends + lengths, lengths) + np.arange(int(ends[-1]))
            found = self.to[there]
            new = np.unique(found[~known[found]])
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


def _digests(library: Library, begins: Array, meaning: Array) -> Array:
    """For each block a digest of what is written in it and of what the ids in it mean."""
    columns = library.columns.columns
    blob, offset = columns["blob"].tobytes(), columns["offset"].tolist()
    texts = [
        hashlib.blake2b(blob[offset[at] : offset[at + 1]], digest_size=_DIGEST_BYTES).digest()
        for at in range(len(offset) - 1)
    ]
    first, values = columns["first"].astype(np.int64), columns["value"]
    nodes = np.zeros(len(columns["kind"]), [("kind", "u1"), ("below", "u4"), ("attributes", "u4")])
    nodes["kind"] = columns["kind"]
    nodes["below"] = columns["end"] - np.arange(len(nodes))
    nodes["attributes"] = first[1:] - first[:-1]
    written = np.zeros(len(values), [("key", "u1"), ("meaning", "u1"), ("text", f"V{_DIGEST_BYTES}")])
    written["key"] = columns["key"]
    written["meaning"] = meaning[values]
    written["text"] = np.frombuffer(b"".join(texts), f"V{_DIGEST_BYTES}")[values]
    roots = {head.root for head in library.heads}
    found = []
    for start, stop in zip(begins.tolist(), [*begins.tolist()[1:], len(nodes)], strict=True):
        if start in roots:
            found.append(bytes(_DIGEST_BYTES))
            continue
        block = hashlib.blake2b(nodes[start:stop].data, digest_size=_DIGEST_BYTES)
        block.update(written[first[start] : first[stop]].data)
        found.append(block.digest())
    return np.frombuffer(b"".join(found), f"V{_DIGEST_BYTES}")


def _of_the_whole_set(library: Library) -> bytes:
    """What evaluations ask of the whole set: its cost and profile types, and which rare constructs it has at all."""
    rare = (library.fills_itself, library.reaches)
    return msgspec.msgpack.encode((library.cost_types, library.profile_types, rare))
