"""Two lists of Epic meet: what players state about it, every pair of formations, and one pair in depth."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from armybuilder.engine.systems.epic.combat import matrix
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.matrix import ATTACKS, EpicAttacker, EpicTarget
from armybuilder.engine.systems.epic.combat.model_notes import note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup, Terrain
from armybuilder.engine.systems.list_matchups import Effect, MatchupConditions, Models

__all__ = [
    "ATTACKS",
    "CONDITIONS",
    "MATRIX",
    "OCCASIONS",
    "EpicConditions",
    "Fighter",
    "effects",
    "matchup",
    "note_rules",
]

MATRIX = ATTACKS
OCCASIONS = ()

Markers = Annotated[int, Meta(ge=0, le=50)]
Supporters = Annotated[int, Meta(ge=0, le=50)]


class EpicConditions(MatchupConditions, frozen=True, kw_only=True):
    """The circumstances under which two lists meet. The attacker is the first list.

    Attributes:
        distance: centimetres between the formations; decides which weapons reach.
        action: of whoever shoots; an assault is always an engage action.
        terrain, attacker_terrain: where the defender stands, and the attacker when he suffers in return.
        blast_markers, attacker_blast_markers: on each formation of the defender, and of the attacker.
        units_covered: units under one barrage template.
        crossfire: another formation stands on the far side of the target.
        charge_from: centimetres between both before a charge; None lets everybody get as near as he wants.
        joined: further formations of an assault that a Commander leads.
        supporting, defender_supporting: units of other formations that support the side in assaults.
        mounted, defender_mounted: formations ride in their own transports when they shoot or are shot at.
        popped_up: skimmers that shoot look over cover.
        jinks: aircraft that are shot at jink.
        beside_vehicles: infantry that is shot at touches armoured vehicles or war engines.
        engine_damage, attacker_engine_damage: points that each war engine of the defender, and of the attacker, has
            lost; one at least is left.
    """

    distance: Annotated[float, Meta(ge=0, le=400)] = 30
    action: Literal["advance", "double", "sustained_fire", "overwatch"] = "advance"
    terrain: Terrain = "open"
    attacker_terrain: Terrain = "open"
    blast_markers: Markers = 0
    attacker_blast_markers: Markers = 0
    units_covered: Models | None = None
    crossfire: bool = False
    charge_from: Annotated[int, Meta(ge=0, le=200)] | None = None
    joined: Annotated[int, Meta(ge=0, le=2)] = 0
    supporting: Supporters = 0
    defender_supporting: Supporters = 0
    mounted: bool = False
    defender_mounted: bool = False
    popped_up: bool = False
    jinks: bool = False
    beside_vehicles: bool = False
    engine_damage: Markers = 0
    attacker_engine_damage: Markers = 0


CONDITIONS = EpicConditions


def effects(
    attack: str,
    acting: Sequence[Fighter],
    suffering: Sequence[Fighter],
    *,
    circumstances: EpicConditions,
    is_forth: bool,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> list[list[Effect | None]]:
    """Every pair. Raises Cancelled."""
    return matrix.effects(
        attack,
        acting,
        suffering,
        acting=_acting(circumstances, is_forth=is_forth),
        suffering=_suffering(circumstances, is_forth=is_forth),
        progress=progress,
        should_stop=should_stop,
    )


def matchup(
    attack: str, acting: Fighter, suffering: Fighter, *, circumstances: EpicConditions, is_forth: bool
) -> EpicMatchup:
    """The matchup document behind one pair. Raises BadDocument where there is no such attack."""
    return matrix.request(
        attack,
        acting,
        suffering,
        acting=_acting(circumstances, is_forth=is_forth),
        suffering=_suffering(circumstances, is_forth=is_forth),
    )


def _acting(stated: EpicConditions, *, is_forth: bool) -> EpicAttacker:
    return EpicAttacker(
        action=stated.action,
        distance=stated.distance,
        blast_markers=stated.attacker_blast_markers if is_forth else stated.blast_markers,
        crossfire=stated.crossfire,
        units_covered=stated.units_covered,
        charge_from=stated.charge_from,
        joined=stated.joined,
        supporting=stated.supporting if is_forth else stated.defender_supporting,
        mounted=stated.mounted if is_forth else stated.defender_mounted,
        popped_up=stated.popped_up,
        engine_damage=stated.attacker_engine_damage if is_forth else stated.engine_damage,
    )


def _suffering(stated: EpicConditions, *, is_forth: bool) -> EpicTarget:
    return EpicTarget(
        terrain=stated.terrain if is_forth else stated.attacker_terrain,
        blast_markers=stated.blast_markers if is_forth else stated.attacker_blast_markers,
        supporting=stated.defender_supporting if is_forth else stated.supporting,
        mounted=stated.defender_mounted if is_forth else stated.mounted,
        jinks=stated.jinks,
        beside_vehicles=stated.beside_vehicles,
        engine_damage=stated.engine_damage if is_forth else stated.attacker_engine_damage,
    )
