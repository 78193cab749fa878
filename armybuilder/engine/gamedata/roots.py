"""What stands at the root of a catalogue: its own, and what it imports (§4.2)."""

from dataclasses import dataclass

from armybuilder.engine.gamedata.columns import NONE, Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.places import Place, PlaceSource
from armybuilder.engine.gamedata.specs import EntrySource


def expand_roots(library: PlaceSource, head: FileHead) -> tuple[Place, ...]:
    """Root entries of a catalogue, then of what it imports, then of the game system, which may keep some (§4.2)."""
    return tuple(library.root_place(library.spec(*nodes)) for nodes in RootNodes(library).of(head))


RootNode = tuple[int, int]
"""The node of an entry or group, and the link it is seen through or NONE."""


@dataclass(frozen=True, slots=True)
class _FileRoots:
    """What stands at the root of one file: all of it, what others may import, and the files whose roots it imports."""

    own: tuple[RootNode, ...]
    lent: tuple[RootNode, ...]
    imports: tuple[int, ...]


class RootNodes:
    """The root entries of a library's catalogues as nodes; each file is looked at once for all of them."""

    def __init__(self, library: EntrySource) -> None:
        self._library = library
        self._ids = {head.id for head in library.heads}
        self._files: dict[int, _FileRoots] = {}

    def of(self, head: FileHead) -> list[RootNode]:
        """Those of a catalogue, in the order of `expand_roots`."""
        library = self._library
        found: list[RootNode] = []
        seen: set[int] = set()

        def add(at: int, *, direct: bool) -> None:
            if at in seen:
                return
            seen.add(at)
            file = self._file(at)
            found.extend(file.own if direct else file.lent)
            for other in file.imports:
                add(other, direct=False)

        add(library.file_at(head.id), direct=True)
        add(library.file_at(library.system_id), direct=False)
        return found

    def _file(self, at: int) -> _FileRoots:
        if at not in self._files:
            self._files[at] = self._read(at)
        return self._files[at]

    def _read(self, at: int) -> _FileRoots:
        library, columns = self._library, self._library.columns
        own: list[RootNode] = []
        lent: list[RootNode] = []
        imports: list[int] = []
        for child in columns.children(library.heads[at].root):
            kind = columns.kind[child]
            if kind == NodeKind.CATALOGUE_LINK and columns.get(child, Key.IMPORT_ROOT_ENTRIES) == "true":
                linked = columns.get(child, Key.TARGET_ID) or ""
                imports += [library.file_at(linked)] if linked in self._ids else []
            node = (library.target[child], child) if kind == NodeKind.ENTRY_LINK else (child, NONE)
            if kind in {NodeKind.SELECTION_ENTRY, NodeKind.ENTRY_LINK} and node[0] != NONE:
                own.append(node)
                lent += [node] if columns.get(child, Key.IMPORT) != "false" else []
        return _FileRoots(tuple(own), tuple(lent), tuple(imports))
