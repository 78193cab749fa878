"""Row "publish": processor seconds of `import_gamedata` of a whole set, then again with one catalogue changed.

Once it has a new revision only, and once an entry of it has another name, too: then all that reach it are read again.
"""

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
    """Publish each set into a database of its own, then twice with one catalogue changed."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    for name in SETS:
        place = Path(tempfile.mkdtemp(prefix="armybuilder-bench-"))
        try:
            first, revised, renamed = published(name, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        report(f"{ROW} ({name})", f"{first:.1f} s of processor", must="≤ 10 s", target="≤ 4 s", met=first <= 10)
        for change, again in (("one catalogue changed", revised), ("an entry renamed", renamed)):
            report(
                f"{ROW} ({name}, {change})",
                f"{again:.1f} s of processor, {again / first:.2f} × the first",
                must="≤ 0.3 ×",
                target="≤ 0.1 ×",
                met=again <= 0.3 * first,
            )


def published(name: str, place: Path) -> tuple[float, float, float]:
    """Processor seconds of the three imports of a set."""
    files = place / "files"
    shutil.copytree(data_sets.unpacked(name), files)
    environment = os.environ | {"VAR_DIR": str(place / "var"), "PYTHONPYCACHEPREFIX": str(place / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a site has its bytecode: nobody compiles it for each import
    (place / "var").mkdir()
    processor_seconds(["migrate", "--verbosity=0"], environment)
    processor_seconds(["import_gamedata", "--help"], environment)
    first = processor_seconds(["import_gamedata", str(files)], environment)
    catalogue = min((path for path in files.glob("*.cat") if b"<selectionEntries>" in path.read_bytes()), key=_size)
    text = re.sub(r' revision="\d+"', ' revision="9999"', catalogue.read_text("utf-8-sig"), count=1)
    catalogue.write_text(text, "utf-8")
    revised = processor_seconds(["import_gamedata", str(files)], environment)
    catalogue.write_text(re.sub(r'(<selectionEntry [^>]*?\bname=")', r"\1New ", text, count=1), "utf-8")
    return first, revised, processor_seconds(["import_gamedata", str(files)], environment)


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
