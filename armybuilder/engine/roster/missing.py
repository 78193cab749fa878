"""What a roster holds and the library no longer knows, as states: kept as it was stored, marked `missing`."""

from armybuilder.engine.roster.model import Force, Selection
from armybuilder.engine.roster.state import ForceState, SelectionState


def missing_selection(selection: Selection) -> SelectionState:
    """A selection of which nothing is known but what the roster says."""
    answer = SelectionState(lambda: ((), ()))
    answer.id = selection.id
    answer.name = selection.name or selection.entry_id
    answer.entry_id = selection.entry_id
    answer.group_id = selection.group_id
    answer.group_names = ""
    answer.at_root = False
    answer.type = "upgrade"
    answer.amount = answer.number = selection.amount
    answer.hidden = False
    answer.missing = True
    answer.costs = ()
    answer.selections = tuple(missing_selection(child) for child in selection.selections)
    answer.categories = ()
    answer.page = answer.publication_id = answer.publication_name = None
    answer.custom_name = selection.custom_name
    answer.notes = selection.notes
    return answer


def missing_force(force: Force) -> ForceState:
    """A force of which nothing is known but what the roster says, and so of all in it."""
    answer = ForceState(lambda: ((), ()), lambda: 0)
    answer.id = force.id
    answer.name = force.name or force.entry_id
    answer.entry_id = force.entry_id
    answer.catalogue_id = answer.catalogue_name = force.catalogue_id
    answer.hidden = False
    answer.missing = True
    answer.selections = tuple(missing_selection(child) for child in force.selections)
    answer.forces = tuple(missing_force(child) for child in force.forces)
    answer.categories = ()
    answer.publications = ()
    answer.page = answer.publication_id = None
    answer.custom_name = force.custom_name
    answer.notes = force.notes
    return answer
