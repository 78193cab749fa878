"""What the answers about a catalogue depend on: a key that changes whenever one of them might."""

import hashlib

import msgspec
import numpy as np

from armybuilder.engine.gamedata.columns import NONE, Array, Key, NodeKind
from armybuilder.engine.gamedata.links import Library

_NAMED = (
    NodeKind.CATEGORY_ENTRY,
    NodeKind.FORCE_ENTRY,
    NodeKind.SHARED_FORCE_ENTRY,
    NodeKind.GROUP,
    NodeKind.SHARED_GROUP,
    NodeKind.COST_TYPE,
    NodeKind.PROFILE_TYPE,
)
"""Kinds of nodes that a query or link may name wherever in the set they stand."""


def catalogue_keys(library: Library) -> dict[str, str]:
    """For each catalogue a key of everything that is read when one of its forces is evaluated.

    That is: the content of its own file and of those it links to, in the order in which ids are looked up in them;
    the files elsewhere that define a category, force, group, cost or profile type whose id they write; and what
    holds for the whole set. Catalogues of a library whose files' content is not known have no key.
    """
    files = library.columns.files
    if not all(file.digest for file in files):
        return {}
    written, defined = _strings(library)
    common = _of_the_whole_set(library)
    keys = {}
    for head in library.heads:
        if head.is_system:
            continue
        wanted = np.zeros(len(library.columns.columns["offset"]), bool)
        for at in head.closure:
            wanted[written[at]] = True
        for at in head.closure:
            wanted[defined[at]] = False
        far = [at for at in range(len(files)) if at not in head.closure and bool(wanted[defined[at]].any())]
        beyond = dict.fromkeys(other for at in far for other in library.heads[at].closure if other not in head.closure)
        key = hashlib.sha256(common + head.id.encode("utf-8", "surrogatepass"))
        for at in head.closure:
            key.update(b"in reach" + files[at].name.encode("utf-8", "surrogatepass") + files[at].digest)
        for at in beyond:
            key.update(b"beyond" + files[at].name.encode("utf-8", "surrogatepass") + files[at].digest)
        keys[head.id] = key.hexdigest()
    return keys


def _strings(library: Library) -> tuple[list[Array], list[Array]]:
    """By file, numbers of strings: all that are written in it, and the ids that it defines."""
    columns = library.columns.columns
    ids = library.columns.strings_of(Key.ID)
    naming = np.isin(columns["kind"], _NAMED) & (ids != NONE)
    first, values = columns["first"], columns["value"]
    flags = np.zeros(len(columns["offset"]), bool)
    written, defined = [], []
    for file in library.columns.files:
        flags[values[first[file.first] : first[file.last]]] = True
        written.append(np.flatnonzero(flags))
        flags[written[-1]] = False
        nodes = slice(file.first, file.last)
        defined.append(np.unique(ids[nodes][naming[nodes]]))
    return written, defined


def _of_the_whole_set(library: Library) -> bytes:
    """What evaluations ask of the whole set: its cost and profile types, and which rare constructs it has at all."""
    rare = (library.fills_itself, library.reaches)
    return msgspec.msgpack.encode((library.cost_types, library.profile_types, rare))
