"""Row "edit": validation after one edit, with the state before it at hand; the answer equals a full run's."""

from itertools import count
from statistics import median
from time import process_time

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from bench import data_sets
from bench.evaluate import OTHERS
from bench.row import cannot_run, report

ROW = "edit"
ROUNDS = 45


def main() -> None:
    """Change an amount deep in the roster, again and again, and compare with the whole validation."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    for folder, name in ((data_sets.HERESY, "Solar Auxilia"), *OTHERS):
        library = load_library(data_sets.sources(folder))
        roster, _ = data_sets.roster_of(library, name, 60)
        after_edit, full = measured(library, roster)
        report(
            f"{ROW} ({folder}, {name})",
            f"{after_edit * 1e3:.2f} ms, {after_edit / full:.2f} × its own full validation ({full * 1e3:.2f} ms)",
            must="≤ 0.5 ×",
            target="≤ 0.15 ×",
            met=after_edit <= 0.5 * full,
        )


def measured(library: Library, roster: Roster) -> tuple[float, float]:
    """Median processor seconds of a validation after an edit, and of the full one of the same roster."""
    numbers = count(1)
    leaves = [node for node in roster.all_selections() if not node.selections]
    state = evaluate(library, roster)
    with_previous, without = [], []
    for at in range(ROUNDS):
        leaf = leaves[at * 7 % len(leaves)]
        amount = 1 + next(numbers) % 3
        before = roster
        roster = edits.set_amount(
            library, roster, selection_id=leaf.id, amount=amount, new_id=lambda: f"x{next(numbers)}"
        ).roster
        if roster == before:
            continue
        start = process_time()
        state = evaluate(library, roster, state)
        middle = process_time()
        whole = evaluate(library, roster)
        without.append(process_time() - middle)
        with_previous.append(middle - start)
        if state.errors != whole.errors or state.costs != whole.costs:
            raise AssertionError("a validation after an edit differs from the full one")
    return median(with_previous), median(without)


if __name__ == "__main__":
    main()
