"""`python -m bench.data_set_table`: what the community's data sets hold, and what loading them takes."""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from bench import data_sets

SETS = (
    ("horus-heresy-2023-10-07", ""),
    ("horus-heresy", ""),
    ("whfb", "8th"),
    ("whfb", "7th"),
    ("whfb", "4th"),
    ("wh40k-epic-armageddon", ""),
    ("wh40k-7th-edition", ""),
    ("wh40k-6th-1.14b", ""),
    ("phalanx-sample", ""),
)
ROUNDS = 3
HEAD = (
    "data set",
    "XML, MB",
    "catalogues",
    "entries",
    "links",
    "unresolved",
    "not whole",
    "cold, s",
    "warm, ms",
    "memory",
)

LOAD = """
import gc, json, sys, time
from pathlib import Path
from armybuilder.engine.battlescribe_files.library import group_by_system, load_library
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.roster.evaluate import evaluate
import bench.data_sets

folder, system, cache = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]) if sys.argv[3] else None
load_library(bench.data_sets.small_set())

def private():
    rows = dict(line.split(":") for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:] if ":" in line)
    return sum(int(rows[key].split()[0]) * 1024 for key in ("Private_Dirty", "Swap"))

def sources():
    found = [SourceFile(path.name, path.read_bytes()) for path in sorted(folder.glob("*.*t"))]
    return list(next(group.files for group in group_by_system(found) if system in group.name))

gc.collect()
before = private()
files = sources()
size = sum(len(file.data) for file in files)
start = time.perf_counter()
library = load_library(files, cache_dir=cache)
first = next(info for info in library.catalogues if not info.library)
evaluate(library, bench.data_sets.roster_of(library, first.name, 1)[0])
seconds = time.perf_counter() - start
del files
gc.collect()
census = [library.census(info.id) for info in library.catalogues] + [library.census(library.system_id)]
unresolved = [problem for problem in library.problems if problem.kind == "unresolved-link"]
print(json.dumps({
    "seconds": seconds, "memory": private() - before, "size": size, "catalogues": len(library.catalogues),
    "entries": sum(one.entries for one in census), "links": sum(one.links + one.info_links for one in census),
    "unresolved": len(unresolved), "broken": len({problem.catalogue_id for problem in unresolved}),
}))
"""
"""Loads one game of a folder and validates a first unit; from XML, or from the compiled cache when it has one."""


def main() -> None:
    """Print the table, a line a game; every load in a process of its own."""
    reason = data_sets.missing()
    if reason is not None:
        print(reason)
        return
    rows = [HEAD, *(row(folder, system) for folder, system in SETS)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEAD))]
    for line in rows:
        print("  ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                        for at, (cell, width) in enumerate(zip(line, widths, strict=True))))  # fmt: skip


def row(folder: str, system: str) -> tuple[str, ...]:
    """The figures of one game; memory is private, when loaded from the cache, as a share of the XML too."""
    path = str(data_sets.unpacked(folder))
    cold = [data_sets.in_fresh_process(LOAD, path, system, "") for _ in range(ROUNDS)]
    cache = tempfile.mkdtemp(prefix="armybuilder-bench-")
    try:
        data_sets.in_fresh_process(LOAD, path, system, cache)
        warm = [data_sets.in_fresh_process(LOAD, path, system, cache) for _ in range(ROUNDS)]
    finally:
        shutil.rmtree(Path(cache), ignore_errors=True)
    known, memory = cold[0], median(one["memory"] for one in warm)
    return (
        f"{folder} {system}".strip(),
        f"{known['size'] / 1e6:.1f}",
        f"{known['catalogues']:.0f}",
        f"{known['entries']:.0f}",
        f"{known['links']:.0f}",
        f"{known['unresolved']:.0f}",
        f"{known['broken']:.0f}",
        f"{median(one['seconds'] for one in cold):.2f}",
        f"{median(one['seconds'] for one in warm) * 1e3:.0f}",
        f"{memory / 1e6:.1f} MB ({memory / known['size']:.2f} ×)",
    )


if __name__ == "__main__":
    main()
