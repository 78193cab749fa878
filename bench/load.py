"""Rows "load, cold" and "load, warm": XML to a linked library, and the same from the compiled cache."""

import json
import shutil
import tempfile
from pathlib import Path
from statistics import median

from bench import data_sets
from bench.row import cannot_run, report

COLD = "load, cold"
WARM = "load, warm"
ROUNDS = 5

OURS = """
import gc, json, sys, time
from pathlib import Path
from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.roster.evaluate import evaluate
import bench.data_sets
folder, cache = Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2] else None
files = [SourceFile(path.name, path.read_bytes()) for path in sorted(folder.glob("*.*t"))]
gc.disable()
start = time.perf_counter()
library = load_library(files, cache_dir=cache)
loaded = time.perf_counter()
catalogue = next(info for info in library.catalogues if not info.library)
roster, _ = bench.data_sets.roster_of(library, catalogue.name, 1)
evaluate(library, roster)
print(json.dumps({"load": loaded - start, "all": time.perf_counter() - start, "nodes": len(library.columns)}))
"""


def main() -> None:
    """Measure both data sets in fresh processes, in turn with the limit scripts."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(COLD, reason)
        return
    for name in (data_sets.HERESY, data_sets.EPIC):
        cold(name)
        warm(name)


def cold(name: str) -> None:
    """From XML, links resolved; the limit is an lxml tree of the same files."""
    folder = str(data_sets.unpacked(name))
    ours, limits = [], []
    for _ in range(ROUNDS):
        ours.append(data_sets.in_fresh_process(OURS, folder, "")["load"])
        limits.append(json.loads(data_sets.limit_script("xml_load.py", folder, "lxml tree"))["s"])
    ratio = median(ours) / median(limits)
    report(
        f"{COLD} ({name})",
        f"{median(ours):.2f} s, {ratio:.1f} × L (lxml {median(limits):.2f} s)",
        must="≤ 10 × L",
        target="≤ 4 × L",
        met=ratio <= 10,
    )


def warm(name: str) -> None:
    """From the compiled cache, the first validation of one catalogue included; the limit loads bare arrays."""
    folder = str(data_sets.unpacked(name))
    cache = tempfile.mkdtemp(prefix="armybuilder-bench-")
    try:
        data_sets.in_fresh_process(OURS, folder, cache)
        data_sets.limit_script("columnar_load.py", folder, "build")
        ours, limits = [], []
        for _ in range(ROUNDS):
            ours.append(data_sets.in_fresh_process(OURS, folder, cache)["all"])
            limits.append(json.loads(data_sets.limit_script("columnar_load.py", folder, "arrays"))["s"])
        bound = 2 * median(limits) + 0.010
        report(
            f"{WARM} ({name})",
            f"{median(ours) * 1e3:.0f} ms, first validation included (target here {bound * 1e3:.0f} ms)",
            must="≤ 150 ms",
            target="≤ 2 × L + 10 ms",
            met=median(ours) <= 0.150,
        )
    finally:
        shutil.rmtree(Path(cache), ignore_errors=True)


if __name__ == "__main__":
    main()
