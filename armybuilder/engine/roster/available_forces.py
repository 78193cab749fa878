"""Forces that may be added below one of a roster: regiments of an army, its allies."""

from collections.abc import Callable

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Field
from armybuilder.engine.roster.limits import force_count, limits_of
from armybuilder.engine.roster.model import Force
from armybuilder.engine.roster.nodes import ForceNode
from armybuilder.engine.roster.scopes import Counting
from armybuilder.engine.roster.state import ForceOffer


def forces_below(
    library: Library,
    force: ForceNode,
    counting: Counting,
    *,
    hidden: Callable[[ForceNode], bool],
    shown: Callable[[ForceNode], str],
) -> tuple[ForceOffer, ...]:
    """Those that are neither hidden there nor as many as the roster allows, in the order of the data.

    Args:
        hidden, shown: what the evaluation says of a force that is not taken, and calls it.
    """
    found = []
    for nodes in force.spec.force_nodes:
        spec = library.spec(*nodes)
        model = Force(id="", entry_id=spec.path, catalogue_id=force.model.catalogue_id, name=spec.name)
        ghost = ForceNode(model, spec, force, counting.top)
        if not hidden(ghost) and not _is_full(ghost, counting):
            found.append(ForceOffer(spec.path, shown(ghost)))
    return tuple(found)


def _is_full(ghost: ForceNode, counting: Counting) -> bool:
    for constraint in ghost.spec.constraints:
        if constraint.field is not Field.FORCES:
            continue
        _, most = limits_of(constraint, ghost, counting)
        count = force_count(counting, constraint, ghost)
        if most is not None and count is not None and count >= most:
            return True
    return False
