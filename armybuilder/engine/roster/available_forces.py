"""Forces that may be added below one of a roster: regiments of an army, its allies."""

from typing import TYPE_CHECKING

from armybuilder.engine.gamedata.model import Field
from armybuilder.engine.roster.limits import force_count, limits_of
from armybuilder.engine.roster.model import Force
from armybuilder.engine.roster.nodes import ForceNode
from armybuilder.engine.roster.state import ForceOffer

if TYPE_CHECKING:
    from armybuilder.engine.roster.evaluation import Evaluation


def forces_below(evaluation: "Evaluation", force: ForceNode) -> tuple[ForceOffer, ...]:
    """Those that are neither hidden there nor as many as the roster allows, in the order of the data."""
    found = []
    for nodes in force.spec.force_nodes:
        spec = evaluation.library.spec(*nodes)
        model = Force(id="", entry_id=spec.path, catalogue_id=force.model.catalogue_id, name=spec.name)
        ghost = ForceNode(model, spec, force, evaluation.top)
        if not evaluation.flag(spec, ghost) and not _is_full(evaluation, ghost):
            found.append(ForceOffer(spec.path, evaluation.shown(ghost)))
    return tuple(found)


def _is_full(evaluation: "Evaluation", ghost: ForceNode) -> bool:
    for constraint in ghost.spec.constraints:
        if constraint.field is not Field.FORCES:
            continue
        _, most = limits_of(constraint, ghost, evaluation.counting)
        count = force_count(evaluation.counting, constraint, ghost)
        if most is not None and count is not None and count >= most:
            return True
    return False
