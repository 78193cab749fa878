"""What players state about two lists of Epic that meet."""

from typing import Annotated, Literal

from msgspec import Meta

from armybuilder.engine.systems.epic.matchup import Terrain
from armybuilder.engine.systems.list_matchups import MatchupConditions, Models

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
