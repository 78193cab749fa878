"""Names that the words on a line of a typed list may become: units of its detachments, or options of a unit."""

from collections.abc import Iterable, Iterator

from armybuilder.armylists.imports.name_matching import normal
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place, root_entries
from armybuilder.reference.names import Names, names_for

OFFERED = 10
LEVELS = 5
"""How deep below a unit options are looked for."""
MOST = 4_000
"""Options of one unit that are looked at."""


def completions(army_list: ArmyList, words: str, *, unit: str = "") -> tuple[str, ...]:
    """Names in the language of the reader that go on with some words, or have them within; those that begin so first.

    Args:
        unit: the line of the unit whose options are meant; empty for units.
    """
    wanted = normal(words)
    if army_list.document_kind != DocumentKind.ROSTER or not wanted:
        return ()
    library = library_of(army_list.release_id)
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    roots = list(_roots(army_list, library))
    known = _options(_called(roots, unit, names), names) if unit else (names(one.spec.name) for one in roots)
    return _fitting(known, wanted)


def _roots(army_list: ArmyList, library: Library) -> Iterator[Place]:
    roster = list_type_of(army_list).read(army_list.document).roster
    for catalogue_id in dict.fromkeys(force.catalogue_id for force in roster.all_forces()):
        yield from (one for one in root_entries(library.roots(catalogue_id)) if not one.spec.hidden)


def _called(roots: Iterable[Place], line: str, names: Names) -> Place | None:
    """The unit of a line: by its name, or by that in brackets behind a name of the player's own."""
    title = line.partition(": ")[0].strip()
    wanted = {normal(title), normal(title.rpartition(" (")[2].removesuffix(")"))}
    return next((one for one in roots if wanted & {normal(one.spec.name), normal(names(one.spec.name))}), None)


def _options(place: Place | None, names: Names) -> Iterator[str]:
    level, seen = [place] if place is not None else [], 0
    for _ in range(LEVELS):
        below = []
        for one in level:
            for entry in one.entries:
                seen += 1
                if seen > MOST:
                    return
                if not entry.spec.hidden:
                    yield names(entry.spec.name)
                    below.append(entry)
        level = below


def _fitting(names: Iterable[str], wanted: str) -> tuple[str, ...]:
    found: dict[str, int] = {}
    for name in names:
        at = f" {normal(name)}".find(f" {wanted}")
        if at >= 0:
            found.setdefault(name, at)
    return tuple(sorted(found, key=lambda name: (found[name] > 0, len(name), name))[:OFFERED])
