"""Row "evaluate": full validation of a 60-selection roster on real data, roster parsed, library loaded.

In seconds of the processor: what else runs on the machine is not the validation's, nor the flat evaluator's.
"""

import re
from statistics import median
from time import process_time

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.roster.evaluate import evaluate
from bench import data_sets
from bench.row import cannot_run, report, timed

ROW = "evaluate"
ROSTERS = (("Solar Auxilia", "2022 - LI - Solar Auxilia.cat"), ("Imperialis Militia", "2022 - Imperialis Militia.cat"))
OTHERS = (
    (data_sets.EPIC, "Codex Astartes"),
    (data_sets.TENTH, "Xenos - Orks"),
    (data_sets.SIGMAR, "Cities of Sigmar"),
    (data_sets.OLD_WORLD, "Empire of Man"),
)
"""Data sets without a flat evaluator to compare with, and an army list of each."""
_FLAT = re.compile(r"flat tuples, one loop\s+([\d.]+) (us|ms)")
_OPS = re.compile(r"full validation: (\d+)")


def main() -> None:
    """Measure two armies of Horus Heresy in turn with the flat evaluator on as many checks."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    library = load_library(data_sets.sources(data_sets.HERESY))
    figures = []
    for name, file in ROSTERS:
        roster, _ = data_sets.roster_of(library, name, 60)
        evaluate(library, roster)
        ours = timed(lambda roster=roster: evaluate(library, roster), rounds=15, clock=process_time)
        floor, checks = floor_of(file)
        figures.append((ours, floor))
        size = sum(1 for _ in roster.all_selections())
        ratio = f"{ours / floor:.1f} × L ({floor * 1e6:.0f} µs for {checks} checks)" if floor else "L not measured"
        report(
            f"{ROW} ({name}, {size} selections)",
            f"{ours * 1e3:.2f} ms, {ratio}",
            must="≤ 10 ms",
            target="≤ 4 × L",
            met=ours <= 0.010,
        )
    for folder, name in OTHERS:
        seconds, size = of_set(folder, name)
        report(
            f"{ROW} ({folder}, {name}, {size} selections)",
            f"{seconds * 1e3:.2f} ms",
            must="≤ 10 ms",
            target="≤ 4 ms",
            met=seconds <= 0.010,
        )
    worst = median(ours for ours, _ in figures)
    report(ROW, f"{worst * 1e3:.2f} ms", must="≤ 10 ms", target="≤ 4 × L", met=worst <= 0.010)


def of_set(folder: str, name: str) -> tuple[float, int]:
    """Seconds of the full validation of a roster of a data set, and how many selections it has."""
    library = load_library(data_sets.sources(folder))
    roster, _ = data_sets.roster_of(library, name, 60)
    evaluate(library, roster)
    return timed(lambda: evaluate(library, roster), rounds=15, clock=process_time), sum(
        1 for _ in roster.all_selections()
    )


def floor_of(file: str) -> tuple[float, int]:
    """Seconds of the flat evaluator on the checks of a 60-selection roster of a catalogue, and how many they are."""
    folder = data_sets.unpacked(data_sets.HERESY)
    try:
        text = data_sets.limit_script("roster_floor.py", str(folder), "2022 - Horus Heresy.gst", file)
    except (RuntimeError, OSError) as error:
        cannot_run(f"{ROW}, limit", str(error))
        return 0.0, 0
    flat, ops = _FLAT.search(text), _OPS.search(text)
    if flat is None or ops is None:
        return 0.0, 0
    return float(flat[1]) * (1e-6 if flat[2] == "us" else 1e-3), int(ops[1])


if __name__ == "__main__":
    main()
