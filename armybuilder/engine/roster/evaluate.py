"""Evaluates a whole roster: what it comes to, then what its data objects to (§8, §9)."""

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.constraints import Checks
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.renewal import Renewal, renewed
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.roster.state_layout import StateLayout


def evaluate(library: Library, roster: Roster, previous: RosterState | None = None) -> RosterState:
    """What a roster is worth and what the data objects to.

    Selections that the library does not know are kept, marked `missing`, and reported.

    Args:
        previous: a state of this library, of the roster before an edit. What the edit does not touch is taken from it
            (`renewal`); the answer is the same without it, and takes longer.
    """
    if previous is not None and previous.evaluation_of(library):
        if previous.roster == roster:
            return previous
        before = previous.evaluation
        renewal = renewed(library, roster, before) if isinstance(before, Evaluation) else None
        if renewal is not None:
            state = _settled(renewal.after, renewal)
            if not renewal.after.costs.looping and (renewal.restless or not renewal.after.counting.provisional):
                return state
    return _settled(Evaluation(library, roster))


def _settled(evaluation: Evaluation, renewal: Renewal | None = None) -> RosterState:
    state = StateLayout(evaluation).roster()
    state.errors = tuple(Checks(evaluation, renewal).run())
    evaluation.finish()
    return state
