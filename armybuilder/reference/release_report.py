"""What reading a release came to, as JSON: counts, what is not understood and what leads nowhere, by catalogue."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from armybuilder.datafiles.release_diff import ReleaseDiff
from armybuilder.engine.gamedata.columns import Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead, LoadProblem
from armybuilder.engine.gamedata.links import Library

UNRESOLVED = frozenset({"unresolved-link", "open-reference"})
"""Kinds of problems that are ids nothing has."""
NOT_UNDERSTOOD = frozenset({"unsupported", "unknown-element"})
"""Kinds of problems that are constructs without effect."""

_COUNTED = {
    "entries": (NodeKind.SELECTION_ENTRY, NodeKind.SHARED_ENTRY),
    "groups": (NodeKind.GROUP, NodeKind.SHARED_GROUP),
    "links": (
        NodeKind.ENTRY_LINK,
        NodeKind.INFO_LINK,
        NodeKind.CATEGORY_LINK,
        NodeKind.CATALOGUE_LINK,
        NodeKind.FORCE_LINK,
    ),
    "constraints": (NodeKind.CONSTRAINT,),
    "modifiers": (NodeKind.MODIFIER,),
    "conditions": (NodeKind.CONDITION, NodeKind.REPEAT),
}

_WITHOUT_EFFECT = {
    "childName": Key.CHILD_NAME,
    "collapsible": Key.COLLAPSIBLE,
    "defaultValue": Key.DEFAULT_VALUE,
    "exportable": Key.EXPORTABLE,
    "kind": Key.KIND,
    "noindex": Key.NO_INDEX,
    "step": Key.STEP,
}
"""Attributes that are read and change nothing: they speak of the pages of another program, or of its editor."""


def release_report(library: Library, units: Mapping[str, int], diff: ReleaseDiff | None) -> dict[str, Any]:
    """The report that is stored with a release.

    Args:
        units: how many units each army list has, by catalogue id.
        diff: what changes against the release that was current; None for the first.
    """
    broken = {problem.catalogue_id for problem in library.problems if problem.kind == "unresolved-link"}
    by_file: dict[str, Counter[str]] = {head.id: Counter() for head in library.heads}
    for problem in library.problems:
        by_file.setdefault(problem.catalogue_id, Counter())[_sort(problem)] += 1
    files = [_file(library, head, at, by_file[head.id]) for at, head in enumerate(library.heads)]
    by_id = {file["id"]: file for file in files}
    catalogues = [
        by_id[info.id] | {"library": info.library, "units": units.get(info.id, 0), "whole": info.id not in broken}
        for info in library.catalogues
    ]
    return {
        "compiled": library.content_hash,
        "system": by_id[library.system_id],
        "catalogues": catalogues,
        "units": sum(units.values()),
        "entries": sum(file["entries"] for file in files),
        "contact": library.columns.get(library.system.root, Key.AUTHOR_CONTACT) or "",
        "without_effect": _without_effect(library),
        "problems": [
            {
                "file": problem.file_name,
                "catalogue": problem.catalogue_id,
                "kind": problem.kind,
                "message": problem.message,
                "node": problem.node_id,
                "line": problem.line,
            }
            for problem in library.problems
        ],
        "changes": None
        if diff is None
        else {"added": list(diff.added), "removed": list(diff.removed), "revised": [list(row) for row in diff.revised]},
    }


def _without_effect(library: Library) -> dict[str, int]:
    """How often each attribute is written that changes nothing; those that are there, by name."""
    counts = np.bincount(library.columns.columns["key"], minlength=len(Key))
    return {name: int(counts[key]) for name, key in _WITHOUT_EFFECT.items() if counts[key]}


def _sort(problem: LoadProblem) -> str:
    if problem.kind in UNRESOLVED:
        return "unresolved"
    return "unsupported" if problem.kind in NOT_UNDERSTOOD else "warnings"


def _file(library: Library, head: FileHead, at: int, problems: Counter[str]) -> dict[str, Any]:
    """Name, revision and counts of one file; `understood` are the constructs that have their effect."""
    end = library.heads[at + 1].root if at + 1 < len(library.heads) else len(library.columns)
    kinds = np.bincount(np.asarray(library.columns.kind[head.root : end], dtype=np.int64), minlength=len(NodeKind))
    return {
        "id": head.id,
        "name": head.title,
        "revision": str(head.revision),
        "file": head.name,
        **{name: int(sum(kinds[kind] for kind in counted)) for name, counted in _COUNTED.items()},
        "understood": int(kinds.sum()) - problems["unsupported"],
        "unsupported": problems["unsupported"],
        "unresolved": problems["unresolved"],
        "warnings": problems["warnings"],
        "problems": problems.total(),
    }
