"""Every kind of 40k 6th edition simulation, by its name in the document."""

from collections.abc import Mapping

from armybuilder.engine.systems.matchups import Kind
from armybuilder.engine.systems.wh40k_6th import shooting
from armybuilder.engine.systems.wh40k_6th.matchup import Engagement

KINDS: Mapping[str, Kind] = {
    "shooting": Kind(
        Engagement, ("attacker", "defender"), shooting.shooting, shooting.roll_shooting, shooting.within_limits
    ),
    "run": Kind(Engagement, ("unit",), shooting.running, shooting.roll_running),
}
