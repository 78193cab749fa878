"""What the data writes on groups: rows and rules of all that is taken from them, which no selection shows itself."""

from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import SelectionNode
from armybuilder.engine.roster.state import ProfileState, RosterState, RuleState

GroupInfo = tuple[tuple[ProfileState, ...], tuple[RuleState, ...]]


def info_of_groups(state: RosterState, selection_id: str) -> GroupInfo:
    """The rows and rules of the groups around a selection, the innermost first.

    Returns:
        Nothing where the state was not evaluated here.
    """
    evaluation = state.evaluation
    node = evaluation.node(selection_id) if isinstance(evaluation, Evaluation) else None
    if not isinstance(evaluation, Evaluation) or not isinstance(node, SelectionNode):
        return (), ()
    return evaluation.group_info(node)
