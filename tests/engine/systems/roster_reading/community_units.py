"""Every unit that a set of community data offers, each alone in an otherwise empty force, as it comes."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.edits import select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.epic.army import Weapon as EpicWeapon
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

SUFFIXES = (".gst", ".cat", ".gstz", ".catz")
HERESY = "horus-heresy-2023-10-07"
FANTASY = ("Warhammer Fantasy 8th", "8thBRB")


class CommunityUnit(NamedTuple):
    """A unit of a catalogue, with the roster that holds nothing else."""

    catalogue: str
    name: str
    state: RosterState
    node: SelectionState


def library_in(folder: Path, *words: str) -> Library:
    """The files of a folder with one of these words in their name; all of them without any."""
    files = [path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES]
    chosen = [path for path in files if not words or any(word in path.name for word in words)]
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in chosen])


def units(library: Library, *catalogues: str, named: str = "") -> Iterator[CommunityUnit]:
    """Each entry that any detachment of a catalogue offers, once: Lords of War and fortifications have their own.

    Args:
        named: only those of this name, and no others are evaluated.
    """
    seen: set[str] = set()
    for catalogue in library.catalogues:
        wanted = not catalogues or any(word in catalogue.name for word in catalogues)
        for force in library.force_entries(catalogue.id) if wanted and not catalogue.library else ():
            yield from _offered_in(library, catalogue.id, catalogue.name, force.id, seen, named)


def _offered_in(
    library: Library, catalogue_id: str, catalogue: str, force_id: str, seen: set[str], named: str
) -> Iterator[CommunityUnit]:
    empty = ListBuilding(library)
    empty.detachment(force_id, catalogue_id)
    for added in empty.state.forces[0].selections:
        empty.drop(added.id)
    for offer, _ in list(empty.offered(empty.force_id)):
        if offer.hidden or offer.entry_id in seen or (named and offer.name != named):
            continue
        seen.add(offer.entry_id)
        try:
            edit = select(library, empty.roster, parent_id=empty.force_id, entry_id=offer.entry_id, new_id=empty.new_id)
        except GameError:  # what may not be taken at all
            continue
        state = evaluate(library, edit.roster)
        node = state.node(edit.node_id or "")
        if isinstance(node, SelectionState):
            yield CommunityUnit(catalogue, offer.name, state, node)


def described(fighter: Any) -> str:
    """The models of a fighter with their Attacks and what they carry, as the tables write it."""
    side = fighter.side
    return "; ".join(map(_group, side.models if hasattr(side, "models") else side.groups))


def _group(group: Any) -> str:
    attacks = next((getattr(group.profile, name) for name in ("attacks", "A") if hasattr(group.profile, name)), None)
    carried: Counter[tuple[str, int | None]] = Counter()
    for weapon in group.weapons:
        if isinstance(weapon, EpicWeapon):
            carried[weapon.name, None] += weapon.count
        elif isinstance(weapon, str):
            carried[weapon, None] += 1
        else:
            carried[weapon.name, getattr(weapon, "count", None)] += 1
    parts = [
        (f"{number} " if number > 1 else "") + name + (f" on {bearers}" if bearers else "")
        for (name, bearers), number in carried.items()
    ]
    for crew in getattr(group, "crews", ()):
        held = ", ".join(weapon if isinstance(weapon, str) else weapon.name for weapon in crew.weapons)
        parts.append(f"crew {crew.count} A{crew.profile.A}" + (f" ({held})" if held else ""))
    if mount := getattr(group, "mount", None):
        parts.append(f"{mount.name} A{mount.profile.A}")
    return f"{group.count} {group.name}" + (f" A{attacks}" if attacks is not None else "") + ": " + ", ".join(parts)


def weapons_of(fighter: Any) -> set[str]:
    groups = fighter.side.models if hasattr(fighter.side, "models") else fighter.side.groups
    return {weapon.name for group in groups for weapon in group.weapons}
