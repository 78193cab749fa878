"""Row "memory": private memory of a worker per loaded data set, indexes and a roster of every catalogue included."""

import shutil
import tempfile
from pathlib import Path

from bench import data_sets
from bench.row import cannot_run, report

ROW = "memory"

OURS = """
import gc, json, sys
from pathlib import Path
from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import SourceFile
import bench.data_sets
folder, cache = Path(sys.argv[1]), Path(sys.argv[2])

def private():
    rows = dict(line.split(":") for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:] if ":" in line)
    return sum(int(rows[key].split()[0]) * 1024 for key in ("Private_Dirty", "Swap"))

def xml():
    return [SourceFile(path.name, path.read_bytes()) for path in sorted(folder.glob("*.*t"))]

if len(sys.argv) > 3:
    load_library(xml(), cache_dir=cache)
    print("{}")
    sys.exit()
warm_up = load_library(bench.data_sets.small_set(), cache_dir=cache)
gc.collect()
before = private()
files = xml()
size = sum(len(file.data) for file in files)
library = load_library(files, cache_dir=cache)
del files
gc.collect()
loaded = private() - before
for info in library.catalogues:
    if not info.library:
        bench.data_sets.roster_of(library, info.name, 10)
gc.collect()
print(json.dumps({"loaded": loaded, "used": private() - before, "xml": size}))
"""


def main() -> None:
    """Load each set from its compiled cache in a fresh process, then build a small roster with every catalogue."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    if not Path("/proc/self/smaps_rollup").exists():
        cannot_run(ROW, "the kernel does not say how much memory is private")
        return
    for name in (data_sets.HERESY, data_sets.EPIC, data_sets.TENTH, data_sets.SIGMAR):
        folder = str(data_sets.unpacked(name))
        cache = tempfile.mkdtemp(prefix="armybuilder-bench-")
        try:
            data_sets.in_fresh_process(OURS, folder, cache, "compile")
            found = data_sets.in_fresh_process(OURS, folder, cache)
        finally:
            shutil.rmtree(Path(cache), ignore_errors=True)
        ratio, bare = found["used"] / found["xml"], found["loaded"] / found["xml"]
        report(
            f"{ROW} ({name})",
            f"{ratio:.2f} × XML after a roster of every catalogue, {bare:.2f} × when loaded",
            must="≤ 1.5 × XML",
            target="≤ 0.8 × XML",
            met=ratio <= 1.5,
        )


if __name__ == "__main__":
    main()
