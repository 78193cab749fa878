"""Resolves every id of a data set once, while it is compiled: link targets by closure, and what stays open."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np

from armybuilder.engine.gamedata.columns import NONE, Array, Builder, Columns, FileInfo, Key, NodeKind
from armybuilder.engine.gamedata.model import ENTRY_TYPES, GROUP_KINDS, OPS, SCOPE_WORDS, is_reach
from armybuilder.engine.gamedata.numbers import is_number

MAX_PROBLEMS: Final = 20_000
"""Most problems that are listed; a broken set repeats itself."""


class LoadProblem(msgspec.Struct, frozen=True):
    """Something in the data that could not be used as it stands; loading went on.

    Attributes:
        catalogue_id: id of the file's root; empty when it has none.
        kind: `unresolved-link`, `open-reference`, `duplicate-id`, `bad-number`, `unknown-element`, `unsupported`,
            `wrong-game-system`, `duplicate-file`, `unreadable-file` or `too-many`.
        node_id: id of the node that has the problem, or of the nearest one above.
        target_id: the id that nothing has, or the text that is no number.
        line: in the file, where it is known.
    """

    file_name: str
    catalogue_id: str
    kind: str
    node_id: str
    target_id: str
    message: str
    line: int | None = None


class FileHead(msgspec.Struct, frozen=True):
    """What a file says of itself.

    Attributes:
        closure: positions of the files in which its ids are looked up, in that order (§4.1).
    """

    name: str
    root: int
    is_system: bool
    id: str
    title: str
    revision: int
    library: bool
    system_id: str
    closure: tuple[int, ...] = ()


class Compiled(msgspec.Struct):
    """What is stored beside the columns."""

    heads: tuple[FileHead, ...]
    problems: msgspec.Raw

    @property
    def all_problems(self) -> tuple[LoadProblem, ...]:
        """The problems themselves: thousands in some sets, and hardly ever asked for."""
        return msgspec.msgpack.decode(self.problems, type=tuple[LoadProblem, ...])


_CLASSES: Final = {
    NodeKind.SELECTION_ENTRY: "entry",
    NodeKind.SHARED_ENTRY: "entry",
    NodeKind.GROUP: "group",
    NodeKind.SHARED_GROUP: "group",
    NodeKind.RULE: "rule",
    NodeKind.SHARED_RULE: "rule",
    NodeKind.PROFILE: "profile",
    NodeKind.SHARED_PROFILE: "profile",
    NodeKind.INFO_GROUP: "infoGroup",
    NodeKind.SHARED_INFO_GROUP: "infoGroup",
    NodeKind.CATEGORY_ENTRY: "category",
    NodeKind.FORCE_ENTRY: "force",
    NodeKind.SHARED_FORCE_ENTRY: "force",
}
_REACHABLE: Final = frozenset(
    {
        NodeKind.SHARED_ENTRY,
        NodeKind.SHARED_GROUP,
        NodeKind.SHARED_RULE,
        NodeKind.SHARED_PROFILE,
        NodeKind.SHARED_INFO_GROUP,
    }
)
_TARGET_CLASS: Final = {
    "selectionEntry": "entry",
    "selectionEntryGroup": "group",
    "profile": "profile",
    "rule": "rule",
    "infoGroup": "infoGroup",
}
_LINKS: Final = (NodeKind.ENTRY_LINK, NodeKind.INFO_LINK, NodeKind.CATEGORY_LINK, NodeKind.FORCE_LINK)
_NUMERIC: Final = (NodeKind.COST, NodeKind.CONSTRAINT, NodeKind.CONDITION, NodeKind.REPEAT)
_WORDS: Final = (
    SCOPE_WORDS
    | ENTRY_TYPES
    | {"any", "(No Category)"}
    | {"name", "hidden", "category", "description", "page", "selections", "forces", "costs", "annotation", "error"}
    | {"warning", "info", "defaultAmount", "defaultSelectionEntryId", "tracked", "readme", "no child"}
)
_MODIFIER_KINDS: Final = frozenset(
    {"set", "increment", "decrement", "append", "prepend", "add", "remove", "set-primary", "unset-primary"}
    | {"multiply", "divide", "modulo", "power", "exponent", "triangular", "floor", "ceil", "replace"}
)


class _Problems:
    """Problems as they are found, never more than MAX_PROBLEMS: hostile data could have millions."""

    def __init__(self, first: Iterable[LoadProblem]) -> None:
        self.rows = list(first)

    def append(self, problem: LoadProblem) -> None:
        if len(self.rows) < MAX_PROBLEMS:
            self.rows.append(problem)
        elif self.rows[-1].kind != "too-many":
            message = f"More than {MAX_PROBLEMS} problems; the rest is not listed."
            self.rows.append(msgspec.structs.replace(problem, kind="too-many", message=message))


def compile_data(builder: Builder, problems: Iterable[LoadProblem]) -> Columns:
    """Resolve all links of the files in a builder and freeze everything.

    Raises:
        ValueError: no file at all.
    """
    draft = builder.freeze()
    found = _Problems(problems)
    heads = _with_closures(draft, _heads(draft), found)
    ids = draft.strings_of(Key.ID)
    target = _targets(draft, heads, ids, found)
    _open_references(draft, heads, ids, found)
    _numbers(draft, heads, found)
    _constructs(draft, heads, found)
    note = msgspec.msgpack.encode(Compiled(tuple(heads), msgspec.Raw(msgspec.msgpack.encode(found.rows))))
    return Columns(draft.columns | {"target": target}, draft.files, note)


def _heads(columns: Columns) -> list[FileHead]:
    heads = []
    for file in columns.files:
        root = columns.attributes(file.first)
        is_system = columns.kind[file.first] == NodeKind.GAME_SYSTEM
        revision = root.get(Key.REVISION, "1")
        heads.append(
            FileHead(
                name=file.name,
                root=file.first,
                is_system=is_system,
                id=root.get(Key.ID, ""),
                title=root.get(Key.NAME, ""),
                revision=int(revision) if revision.isdecimal() and len(revision) < 10 else 1,
                library=root.get(Key.LIBRARY) == "true",
                system_id=root.get(Key.ID, "") if is_system else root.get(Key.GAME_SYSTEM_ID, ""),
            )
        )
    return heads


def _with_closures(columns: Columns, heads: list[FileHead], problems: _Problems) -> list[FileHead]:
    by_id = {head.id: at for at, head in enumerate(heads)}
    system = next((at for at, head in enumerate(heads) if head.is_system), None)
    linked: list[list[int]] = []
    for head in heads:
        targets = []
        for node in columns.children(head.root):
            if columns.kind[node] != NodeKind.CATALOGUE_LINK:
                continue
            target_id = columns.get(node, Key.TARGET_ID) or ""
            if target_id in by_id:
                targets.append(by_id[target_id])
            else:
                name = columns.get(node, Key.NAME) or target_id
                message = f"The catalogue {name!r} ({target_id}) that this catalogue links to is not in the set."
                problems.append(_problem(head, "unresolved-link", columns.get(node, Key.ID) or "", target_id, message))
        linked.append(targets)
    closed = []
    for at, head in enumerate(heads):
        order = [at]
        for here in order:  # grows while it is read: breadth first, each file once, so cycles end
            order.extend(dict.fromkeys(there for there in linked[here] if there not in order))
        if system is not None and system not in order:
            order.append(system)
        closed.append(msgspec.structs.replace(head, closure=tuple(order)))
    return closed


def _targets(columns: Columns, heads: Sequence[FileHead], ids: Array, problems: _Problems) -> Array:
    """For every link the node it points at (§4.1), or NONE."""
    kinds = columns.columns["kind"]
    index = _definitions(columns, heads, ids, problems)
    target = np.full(len(columns), NONE, np.uint32)
    wanted = columns.strings_of(Key.TARGET_ID)
    types = columns.strings_of(Key.TYPE)
    fixed = {int(NodeKind.CATEGORY_LINK): "category", int(NodeKind.FORCE_LINK): "force"}
    type_class: dict[int, str] = {}
    links = np.flatnonzero(np.isin(kinds, _LINKS))
    file_of = np.searchsorted(np.array([file.first for file in columns.files]), links, side="right") - 1
    tables = [[index[other] for other in head.closure] for head in heads]
    rows = zip(
        links.tolist(),
        kinds[links].tolist(),
        wanted[links].tolist(),
        types[links].tolist(),
        file_of.tolist(),
        strict=True,
    )
    for node, kind, target_id, type_id, at in rows:
        group = fixed.get(kind)
        if group is None:
            group = type_class.get(type_id)
            if group is None:
                default = "entry" if kind == NodeKind.ENTRY_LINK else "rule"
                text = columns.text(type_id) if type_id != NONE else ""
                group = type_class[type_id] = _TARGET_CLASS.get(text, default)
        for table in tables[at]:
            there = table[group].get(target_id)
            if there is not None:
                target[node] = there
                break
        else:
            text = columns.text(target_id) if target_id != NONE else ""
            if text == "(No Category)":
                continue
            name = columns.get(node, Key.NAME) or text
            node_id = columns.get(node, Key.ID) or ""
            message = f"The link {node_id} to the {group} {name!r} points at {text}, which no file in reach defines."
            problems.append(_problem(heads[at], "unresolved-link", node_id, text, message))
    return target


def _definitions(
    columns: Columns, heads: Sequence[FileHead], ids: Array, problems: _Problems
) -> list[dict[str, dict[int, int]]]:
    """Per file: node by id (its string number), for each class of things that links point at."""
    kinds = columns.columns["kind"]
    index: list[dict[str, dict[int, int]]] = []
    for file, head in zip(columns.files, heads, strict=True):
        tables: dict[str, dict[int, int]] = {name: {} for name in set(_CLASSES.values())}
        part = kinds[file.first : file.last]
        nodes = np.flatnonzero(np.isin(part, list(_CLASSES))) + file.first
        shared = np.isin(kinds[nodes], list(_REACHABLE))
        for node in [*nodes[shared].tolist(), *nodes[~shared].tolist()]:  # shared nodes are what links mean
            table = tables[_CLASSES[NodeKind(columns.kind[node])]]
            string = int(ids[node])
            if string == NONE:
                continue
            first = table.setdefault(string, node)
            if first != node and columns.parent[first] == columns.parent[node] == file.first:
                text = columns.text(string)
                message = f"The id {text} stands twice among the root nodes of this file; the first one counts."
                problems.append(_problem(head, "duplicate-id", text, text, message))
        index.append(tables)
    return index


def _open_references(columns: Columns, heads: Sequence[FileHead], ids: Array, problems: _Problems) -> None:
    """Scopes, child ids, fields and defaults that name nothing in reach: such conditions count 0."""
    kinds = columns.columns["kind"]
    strings = len(columns.columns["offset"]) - 1
    own = [ids[file.first : file.last] for file in columns.files]
    used = _string_numbers(columns)
    words = [used[text] for text in _WORDS if text in used]
    roots = ids[[file.first for file in columns.files]]
    words += roots[roots != NONE].tolist()  # which army list it is, may be asked by any file
    reach = []
    for head in heads:  # one flag a string: whether an id in reach of this file, or a word of the format
        known = np.zeros(strings + 1, bool)
        known[words] = True
        for at in head.closure:
            known[np.minimum(own[at], strings)] = True
        reach.append(known)
    asked = {
        Key.CHILD_ID: (NodeKind.CONDITION, NodeKind.REPEAT, NodeKind.ASSOCIATION),
        Key.SCOPE: (NodeKind.CONDITION, NodeKind.REPEAT, NodeKind.CONSTRAINT, NodeKind.ASSOCIATION),
        Key.FIELD: (NodeKind.CONDITION, NodeKind.REPEAT, NodeKind.CONSTRAINT, NodeKind.MODIFIER),
        Key.DEFAULT_SELECTION_ENTRY_ID: (NodeKind.GROUP, NodeKind.SHARED_GROUP, NodeKind.ENTRY_LINK),
    }
    for key, where in asked.items():
        values = columns.strings_of(key)
        relevant = np.isin(kinds, where) & (values != NONE)
        for file, head, known in zip(columns.files, heads, reach, strict=True):
            nodes = np.flatnonzero(relevant[file.first : file.last]) + file.first
            for node in nodes[~known[values[nodes]]].tolist():
                text = columns.text(int(values[node]))
                if text.startswith("limit::") or "::" in text or not text:
                    continue
                node_id = _nearest_id(columns, node)
                message = f"Near {node_id}: nothing in reach has the id {text}; it counts as nothing."
                problems.append(_problem(head, "open-reference", node_id, text, message))


def _numbers(columns: Columns, heads: Sequence[FileHead], problems: _Problems) -> None:
    """Values that are no numbers, not finite or absurdly long: they count as 0."""
    kinds = columns.columns["kind"]
    values = columns.strings_of(Key.VALUE)
    nodes = np.flatnonzero(np.isin(kinds, _NUMERIC) & (values != NONE))
    bad = [string for string in np.unique(values[nodes]).tolist() if not is_number(columns.text(string))]
    for node in nodes[np.isin(values[nodes], bad)].tolist() if bad else ():
        text = columns.text(int(values[node]))[:40]
        head = heads[columns.file_of(node)]
        node_id = _nearest_id(columns, node)
        message = f"Near {node_id}: {text!r} is not a number that can be counted with; it counts as 0."
        problems.append(_problem(head, "bad-number", node_id, text, message))


def _constructs(columns: Columns, heads: Sequence[FileHead], problems: _Problems) -> None:
    """Constructs that the engine keeps but does not carry out, named one by one."""
    kinds = columns.columns["kind"]
    types = columns.strings_of(Key.TYPE)
    checks = (
        (NodeKind.MODIFIER, "modifier", _MODIFIER_KINDS),
        (NodeKind.CONDITION, "condition", frozenset(OPS)),
        (NodeKind.CONSTRAINT, "constraint", frozenset({"min", "max", "exactly"})),
        (NodeKind.CONDITION_GROUP, "condition group", GROUP_KINDS),
    )
    for kind, name, known in checks:
        nodes = np.flatnonzero((kinds == kind) & (types != NONE))
        odd = [string for string in np.unique(types[nodes]).tolist() if columns.text(string) not in known]
        for node in nodes[np.isin(types[nodes], odd)].tolist() if odd else ():
            _unsupported(columns, heads, node, f"{name} type {columns.text(int(types[node]))}", problems)
    for node in np.flatnonzero(kinds == NodeKind.ASSOCIATION).tolist():
        if not (columns.get(node, Key.SCOPE) and columns.get(node, Key.CHILD_ID)) or _is_shared(columns, node):
            _unsupported(columns, heads, node, "association", problems)
    for node in np.flatnonzero(kinds == NodeKind.COST).tolist():
        if columns.kind[columns.parent[node]] in {NodeKind.CATEGORY_ENTRY, NodeKind.CATEGORY_LINK}:
            _unsupported(columns, heads, node, "cost of a category", problems)
    if (affects := _keyed(columns, Key.AFFECTS)).size:
        for node in affects.tolist():
            owner = columns.owner_of(node)
            if columns.kind[owner] == NodeKind.PROFILE:  # what such a profile says, its entry does
                owner = columns.parent[owner]
            if is_reach(columns.get(node, Key.AFFECTS) or "") and columns.kind[owner] not in _INFO:
                continue
            _unsupported(columns, heads, node, "modifier that affects other nodes", problems)


def _is_shared(columns: Columns, node: int) -> bool:
    """Whether it stands at the root of its file, for others to point at."""
    return columns.kind[columns.parent[node]] in {NodeKind.GAME_SYSTEM, NodeKind.CATALOGUE}


_INFO: Final = frozenset(
    {
        NodeKind.PROFILE,
        NodeKind.SHARED_PROFILE,
        NodeKind.RULE,
        NodeKind.SHARED_RULE,
        NodeKind.INFO_GROUP,
        NodeKind.SHARED_INFO_GROUP,
    }
    | {NodeKind.INFO_LINK, NodeKind.CATEGORY_ENTRY, NodeKind.CATEGORY_LINK}
)
"""Nodes whose modifiers change nothing but themselves."""


def _keyed(columns: Columns, key: int) -> Array:
    return (
        np.flatnonzero(columns.strings_of(key) != NONE) if (columns.columns["key"] == key).any() else np.array([], int)
    )


def _unsupported(columns: Columns, heads: Sequence[FileHead], node: int, what: str, problems: _Problems) -> None:
    node_id = _nearest_id(columns, node)
    message = f"Near {node_id}: {what} is kept but not carried out."
    problems.append(_problem(heads[columns.file_of(node)], "unsupported", node_id, what, message))


def _nearest_id(columns: Columns, node: int) -> str:
    while node != NONE:
        node_id = columns.get(node, Key.ID)
        if node_id and columns.kind[node] not in {NodeKind.CONSTRAINT, NodeKind.MODIFIER, NodeKind.CONDITION}:
            return node_id
        node = columns.parent[node]
    return ""


def _string_numbers(columns: Columns) -> dict[str, int]:
    """Numbers of all strings that name a child, scope or field."""
    wanted: dict[str, int] = {}
    used = np.unique(np.concatenate([columns.strings_of(key) for key in (Key.CHILD_ID, Key.SCOPE, Key.FIELD)]))
    for string in used.tolist():
        if string != NONE:
            wanted[columns.text(string)] = string
    return wanted


def _problem(head: FileHead, kind: str, node_id: str, target_id: str, message: str) -> LoadProblem:
    return LoadProblem(head.name, head.id, kind, node_id, target_id, message)


def by_catalogue(problems: Iterable[LoadProblem]) -> dict[str, list[LoadProblem]]:
    """Problems grouped by the id of the catalogue they stand in."""
    grouped: defaultdict[str, list[LoadProblem]] = defaultdict(list)
    for problem in problems:
        grouped[problem.catalogue_id].append(problem)
    return dict(grouped)


__all__ = ["Compiled", "FileHead", "FileInfo", "LoadProblem", "by_catalogue", "compile_data"]
