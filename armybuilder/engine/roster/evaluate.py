"""Evaluates a whole roster: what it comes to, then what its data objects to (§8, §9)."""

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.constraints import Checks
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import RosterState


def evaluate(library: Library, roster: Roster, previous: RosterState | None = None) -> RosterState:
    """What a roster is worth and what the data objects to.

    Selections that the library does not know are kept, marked `missing`, and reported.

    Args:
        previous: a state of this library; it is the answer when the roster is still the same. After a real edit
            everything is worked out again: a 60-selection roster of real data takes about 1 ms (bench/edit.py), and
            hidden flags, categories and costs of a unit may hang on any other.
    """
    if previous is not None and previous.roster == roster and previous.evaluation_of(library):
        return previous
    evaluation = Evaluation(library, roster)
    state = evaluation.state()
    state.errors = tuple(Checks(evaluation).run())
    return state
