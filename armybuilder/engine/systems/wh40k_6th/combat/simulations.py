"""Every kind of 40k 6th edition simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.matchups import SimulationType
from armybuilder.engine.systems.outcome_models import simulation_type
from armybuilder.engine.systems.wh40k_6th.combat import shooting
from armybuilder.engine.systems.wh40k_6th.matchup import Wh40kMatchup

KINDS: Mapping[str, SimulationType] = {
    "shooting": simulation_type(Wh40kMatchup, ("attacker", "defender"), shooting.shooting, shooting.within_limits),
    "run": simulation_type(Wh40kMatchup, ("unit",), shooting.running),
}
