"""Community data sets beside the checkout for the benchmarks, unpacked once, and rosters built on them."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from zipfile import ZipFile

from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
LIMITS = SHARED / "limits"
DATA = SHARED / "battlescribe" / "data"
HERESY = "horus-heresy-2023-10-07"
EPIC = "wh40k-epic-armageddon"
TENTH = "wh40k-10e"
SIGMAR = "age-of-sigmar-4th"
OLD_WORLD = "warhammer-the-old-world"
MODERN = frozenset({TENTH, SIGMAR, OLD_WORLD})
"""Sets that lie zipped whole, below `modern`."""


def missing() -> str | None:
    """Why nothing can be measured here; None when the data is there."""
    return None if DATA.is_dir() and LIMITS.is_dir() else f"no community data at {DATA}"


def unpacked(name: str) -> Path:
    """A folder with the plain files of a data set, kept between runs."""
    folder = Path(tempfile.gettempdir()) / "armybuilder-bench" / name
    done = folder / ".done"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for file_name, data in _files(name):
            path = Path(file_name)
            if path.suffix in {".gst", ".cat", ".gstz", ".catz"}:
                plain = folder / (path.stem + path.suffix.removesuffix("z"))
                plain.write_bytes(unzipped(data, file_name=path.name))
        done.touch()
    return folder


def _files(name: str) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the files of a set, as they lie there."""
    if name in MODERN:
        with ZipFile(DATA / "modern" / f"{name}.zip") as archive:
            for member in archive.namelist():
                yield Path(member).name, archive.read(member)
    else:
        for path in sorted((DATA / name).iterdir()):
            if path.is_file():
                yield path.name, path.read_bytes()


def sources(name: str) -> list[SourceFile]:
    """The plain files of a data set."""
    return [SourceFile(path.name, path.read_bytes()) for path in sorted(unpacked(name).glob("*.*t"))]


def in_fresh_process(code: str, *arguments: str) -> dict[str, float]:
    """Run a piece of Python by itself, in the checkout; the JSON object it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def limit_script(*arguments: str) -> str:
    """What a limit script prints."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=LIMITS, timeout=300
    )
    if done.returncode:
        raise RuntimeError(f"{arguments[0]}: {done.stderr.strip().splitlines()[-1] if done.stderr else 'failed'}")
    return done.stdout


def roster_of(library: Library, catalogue_name: str, size: int, *, seed: int = 4) -> tuple[Roster, str]:
    """A random roster of `size` selections or a few more, built like a player does; its force's id."""
    rng = random.Random(seed)
    numbers = count(1)

    def new_id() -> str:
        return f"n{next(numbers)}"

    catalogue = next(info for info in library.catalogues if catalogue_name in info.name)
    forces = library.force_entries(catalogue.id)
    force = max(forces, key=lambda entry: len(entry.categories))
    roster = edits.new_roster(library, name="Bench", new_id=new_id).roster
    edit = edits.add_force(library, roster, force_entry_id=force.id, catalogue_id=catalogue.id, new_id=new_id)
    roster, force_id = edit.roster, edit.node_id or ""
    for entry_id, parent_id in _forces_below(library, roster):
        edit = edits.add_force(
            library, roster, force_entry_id=entry_id, catalogue_id=catalogue.id, parent_id=parent_id, new_id=new_id
        )
        added = evaluate(library, edit.roster).node(edit.node_id or "")
        if added is not None and not added.hidden:
            roster, force_id = edit.roster, edit.node_id or ""
            break
    while sum(1 for _ in roster.all_selections()) < size:
        units = _open(offers(library, evaluate(library, roster), node_id=force_id))
        if not units:
            break
        unit = rng.choice(units)
        edit = edits.select(library, roster, parent_id=force_id, entry_id=unit.entry_id, new_id=new_id)
        roster, unit_id = edit.roster, edit.node_id or ""
        for _ in range(2):
            options = _open(offers(library, evaluate(library, roster), node_id=unit_id))
            if options:
                chosen = rng.choice(options).entry_id
                roster = edits.select(library, roster, parent_id=unit_id, entry_id=chosen, new_id=new_id).roster
    return roster, force_id


def _forces_below(library: Library, roster: Roster) -> Iterator[tuple[str, str]]:
    """Forces that may be added below those of a roster which hold no unit themselves: (force entry, parent)."""
    state = evaluate(library, roster)
    for force in state.forces:
        rows = _open(offers(library, state, node_id=force.id))
        if any(row.type in {"unit", "model"} for row in rows):
            continue
        for entry in library.force_entries(force.catalogue_id):
            if entry.id == force.entry_id:
                yield from ((below.id, force.id) for below in entry.forces)


def _open(rows: "tuple[Offer | OfferGroup, ...]") -> list[Offer]:
    found: list[Offer] = []
    for row in rows:
        if isinstance(row, OfferGroup):
            found += [] if row.hidden else _open(row.offers)
        elif row.available:
            found.append(row)
    return found


def small_set() -> list[SourceFile]:
    """A data set of a few kilobytes, so that imports and first allocations are not counted as the large one's."""
    folder = DATA / "phalanx-sample"
    return [SourceFile(path.name, path.read_bytes()) for path in sorted(folder.glob("*.*t"))]
