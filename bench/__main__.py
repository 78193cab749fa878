"""`python -m bench [row…]`: run the benchmarks of the performance table, each in a process of its own."""

import subprocess
import sys
from pathlib import Path

ROWS = {
    "evaluate": "evaluate",
    "edit": "edit",
    "check": "check",
    "load, cold and warm": "load",
    "publish": "publish",
    "memory": "memory",
    "first page": "first_page",
    "exact pair": "exact_pair",
    "matrix": "matrix",
    "trials": "trials",
    "API read": "api_read",
    "API check": "api_check",
    "bulk check": "bulk_check",
    "page": "page",
    "edit in the browser": "browser_edit",
    "task round trip": "task_round_trip",
    "workers": "workers",
    "crash": "crash",
    "start, memory": "start_memory",
}
"""Row of the table -> script in this folder."""

SECONDS_A_ROW = 600


def main(wanted: list[str]) -> int:
    """Run the wanted scripts (all by default) and return 1 if one failed."""
    here = Path(__file__).parent
    failed = 0
    for row, script in ROWS.items():
        if wanted and script not in wanted:
            continue
        if not (here / f"{script}.py").exists():
            print(f"{row} | not built yet", flush=True)
            continue
        try:
            command = [sys.executable, "-m", f"bench.{script}"]
            done = subprocess.run(command, cwd=here.parent, timeout=SECONDS_A_ROW, check=False)
            failed |= done.returncode != 0
        except subprocess.TimeoutExpired:
            print(f"{row} | not measured: no answer in {SECONDS_A_ROW} s", flush=True)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
