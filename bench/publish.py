"""Row "publish": processor seconds of `import_gamedata` of a whole set, then again with one catalogue changed."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import data_sets
from bench.row import cannot_run, report

ROW = "publish"
CHECKOUT = Path(__file__).resolve().parent.parent
SETS = (data_sets.TENTH, data_sets.SIGMAR, data_sets.EPIC)


def main() -> None:
    """Publish each set into a database of its own, twice, the second time with one catalogue changed."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    for name in SETS:
        place = Path(tempfile.mkdtemp(prefix="armybuilder-bench-"))
        try:
            first, second = published(name, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        report(f"{ROW} ({name})", f"{first:.1f} s of processor", must="≤ 10 s", target="≤ 4 s", met=first <= 10)
        report(
            f"{ROW} ({name}, one catalogue changed)",
            f"{second:.1f} s of processor, {second / first:.2f} × the first",
            must="≤ 0.3 ×",
            target="≤ 0.1 ×",
            met=second <= 0.3 * first,
        )


def published(name: str, place: Path) -> tuple[float, float]:
    """Processor seconds of both imports of a set."""
    files = place / "files"
    shutil.copytree(data_sets.unpacked(name), files)
    environment = os.environ | {"VAR_DIR": str(place / "var")}
    (place / "var").mkdir()
    processor_seconds(["migrate", "--verbosity=0"], environment)
    first = processor_seconds(["import_gamedata", str(files)], environment)
    catalogue = min((path for path in files.glob("*.cat") if b"<selectionEntries>" in path.read_bytes()), key=_size)
    text = catalogue.read_text("utf-8-sig")
    catalogue.write_text(re.sub(r' revision="\d+"', ' revision="9999"', text, count=1), "utf-8")
    return first, processor_seconds(["import_gamedata", str(files)], environment)


def _size(path: Path) -> int:
    return path.stat().st_size


def processor_seconds(command: list[str], environment: dict[str, str]) -> float:
    """What a management command takes of the processor, its start and its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=CHECKOUT,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
