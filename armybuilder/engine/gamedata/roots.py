"""What stands at the root of a catalogue: its own, and what it imports (§4.2)."""

from armybuilder.engine.gamedata.columns import NONE, Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.places import EntrySource, Place


def expand_roots(library: EntrySource, head: FileHead) -> tuple[Place, ...]:
    """Root entries of a catalogue, then of what it imports, then of the game system, which may keep some (§4.2)."""
    return tuple(library.root_place(library.spec(*nodes)) for nodes in root_nodes(library, head))


def root_nodes(library: EntrySource, head: FileHead) -> list[tuple[int, int]]:
    """The nodes of these, in this order: (entry or group, the link it is seen through or NONE)."""
    columns = library.columns
    found: list[tuple[int, int]] = []
    seen: set[int] = set()

    def add(at: int, *, direct: bool) -> None:
        if at in seen:
            return
        seen.add(at)
        root = library.heads[at].root
        for child in columns.children(root):
            if columns.kind[child] not in {NodeKind.SELECTION_ENTRY, NodeKind.ENTRY_LINK}:
                continue
            if not direct and columns.get(child, Key.IMPORT) == "false":
                continue
            if columns.kind[child] == NodeKind.SELECTION_ENTRY:
                found.append((child, NONE))
            elif library.target[child] != NONE:
                found.append((library.target[child], child))
        for child in columns.children(root):
            if columns.kind[child] == NodeKind.CATALOGUE_LINK and columns.get(child, Key.IMPORT_ROOT_ENTRIES) == "true":
                linked = columns.get(child, Key.TARGET_ID) or ""
                if any(other.id == linked for other in library.heads):
                    add(library.file_at(linked), direct=False)

    add(library.file_at(head.id), direct=True)
    add(library.file_at(library.system_id), direct=False)
    return found
