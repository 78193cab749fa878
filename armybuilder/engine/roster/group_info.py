"""What the data writes on groups: rows and rules of all that is taken from them, which no selection shows itself."""

from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import SelectionNode
from armybuilder.engine.roster.shown_information import ShownInformation
from armybuilder.engine.roster.state import Info, RosterState


def info_of_groups(state: RosterState, selection_id: str) -> Info:
    """The rows and rules of the groups around a selection, the innermost first.

    Returns:
        Nothing where the state was not evaluated here.
    """
    evaluation = state.evaluation
    node = evaluation.node(selection_id) if isinstance(evaluation, Evaluation) else None
    if not isinstance(evaluation, Evaluation) or not isinstance(node, SelectionNode):
        return (), ()
    return ShownInformation(evaluation).of_groups(node)
