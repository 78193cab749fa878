"""What is known before a battle begins: units, what they do to each enemy, and the terms they meet on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from armybuilder.engine.combat.distribution import Distribution, Floats, certain

STILL, MOVED, REPLY, CROSSED = 0, 2, 4, 6
OPEN, COVERED = 0, 1
"""Circumstances of a volley add up to an index: `volley.attacks[MOVED + COVERED]`; REPLY is shooting in reaction;
CROSSED is added to those of a volley at a target in a crossfire."""


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """Models of a unit that do the same to a target, each on its own.

    Attributes:
        models: how many of them the full unit has.
        chances: what one of them does: chance of s slaying packets and w unsaved wounds at index [s, w]. A slaying
            packet kills the model in front, a wound takes one wound from it; nothing spills over.
        after: models of the unit that fall later than all of these; so few are left when these are gone. Attacks of
            the same models (a tank's guns) have the same number.
        touch: chance that one of them hits at all, harmlessly too; extra: markers it leaves besides, on average.
            Both only count where the terms have markers.
    """

    models: int
    chances: Floats
    after: int = 0
    touch: float = 0.0
    extra: float = 0.0


Attacks = tuple[Attack, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Volley:
    """What a unit shoots at a target up to some distance.

    Attributes:
        reach: the largest distance of this band; it begins where the nearer band ends.
        attacks: by circumstances: standing still at an open target, at one in cover, then both after a move.
        replies: what it shoots in reaction, at an open target and at one in cover; None where it never reacts.
        pins: whether whoever is hurt by it may be pinned.
        crossed: the attacks at a target that stands between the unit and another of its army.
    """

    reach: float
    attacks: tuple[Attacks, Attacks, Attacks, Attacks]
    replies: tuple[Attacks, Attacks] | None = None
    pins: bool = False
    crossed: tuple[Attacks, Attacks, Attacks, Attacks] | None = None

    def at(self, case: int) -> Attacks:
        """The attacks under these circumstances."""
        if case < REPLY:
            return self.attacks[case]
        if case >= CROSSED:
            return () if self.crossed is None else self.crossed[case - CROSSED]
        return () if self.replies is None else self.replies[case - REPLY]


@dataclass(frozen=True, slots=True, eq=False)
class Blows:
    """What a unit does to an enemy in a round of close combat.

    Attributes:
        charging: in the round in which it has charged.
        fighting: in every later round.
        charged: in the round in which it has been charged; None is the same as fighting.
        support: from a distance, when the enemy fights somebody else of its army.
    """

    charging: Attacks = ()
    fighting: Attacks = ()
    charged: Attacks | None = None
    support: Attacks = ()

    @property
    def when_charged(self) -> Attacks:
        """In the round in which it has been charged."""
        return self.fighting if self.charged is None else self.charged


@dataclass(frozen=True, slots=True)
class Worth:
    """Victory points that the enemy has for a unit at the end of the battle.

    Attributes:
        destroyed: nothing of it is left, or it has fled from the table.
        fleeing: it is broken, with half of its models or more.
        fleeing_weak: it is broken, with less than half.
        halved: it is not broken, but has lost half of its models or more.
    """

    destroyed: float = 0.0
    fleeing: float = 0.0
    fleeing_weak: float = 0.0
    halved: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A unit on the battlefield.

    Attributes:
        wounds: of each model, in the order in which they fall.
        move: distance it moves in a turn.
        charge: distance of a charge; None for units that never charge.
        strikes_at: in close combat higher numbers strike first, equal ones at the same time.
        shelters: whether terrain can give it cover.
        hides: it is neither shot at nor charged while a unit that screens stands, outside close combat, in its army.
        screens: it is large enough to hide somebody.
        locks: close combat with it goes on round after round; both part after each round with one that does not.
        stands: chance to stand after losing a combat by 1, 2, 3...; the last holds for more, empty always stands.
        panics_at: share of its models whose loss to the shooting of one phase calls for a test; None is never tested.
        holds: chance to pass that test.
        rallies: chance to rally at the beginning of its turn when it is broken.
        flees: distance it falls back.
        combat_bonus: added to its combat result, by models left (index 0 is none left); empty is nothing.
        charge_bonus: added to its combat result in the round in which it charged.
        ranks: by models left; steadfast: chance to stand of a loser with more ranks than its enemy.
        crumbles: it loses as many wounds more as it has lost a combat by.
        terrifies: who is charged by it may flee; dreads: chance that this unit does.
        potion: wounds that a wounded model has back once, at the beginning of its side's turn; None has no potion.
        regains: chance that a wounded model has a wound back at the end of its side's turn.
        charges_after: whether it may charge what it has shot at in the same turn; it charges nothing else then. None
            is a unit whose shooting and charging have nothing to do with each other.
        surprises: whom it charges from no farther away has no time to shoot at it, unless that unit is `unsurprised`.
        scores: it can hold an objective; denies: the enemy holds none while it stands there.
        unpinned: chance that it is not pinned when it may be. Who is pinned does nothing until the end of its turn.
        dissolves: wounds it loses instead of breaking; None breaks.
        runs: distance it goes on instead of shooting; None for units that do not, and for those that charge.
        strength: what it counts for by models left; empty counts models. Markers that reach it break the unit.
        marks_a_model: markers that silence one of its models.
        acts: chance to pass the test for an action without markers, and with some.
        recovers: chance to rally at the end of a turn: unbroken, with an enemy near, broken, broken with one near.
        leaders: markers that it sheds besides; commands: its army has one failed test of a turn rolled again.
        resists: chance that it saves a hit that leaves others no save: of a lost assault, of markers when it is broken.
        shaken: markers it has at the beginning; ahead: distance it is set up further forward.
        arrives: it begins in reserve: chance to arrive in each turn of its side, the last holds for later ones.
        drops: it arrives beside an enemy and does not move in that turn; others come from their edge and do not charge.
        rides: id of the unit of its army that carries it at the beginning; empty walks.
        lands_charging: units that leave it may charge in the same turn.
        worth: what the enemy gains by it.
    """

    id: str
    name: str
    points: float
    wounds: tuple[int, ...]
    move: float
    charge: Distribution | None = None
    strikes_at: int = 0
    shelters: bool = True
    hides: bool = False
    screens: bool = False
    locks: bool = True
    stands: tuple[float, ...] = ()
    panics_at: float | None = None
    holds: float = 1.0
    rallies: float = 1.0
    flees: Distribution = field(default_factory=lambda: certain(6))
    combat_bonus: tuple[int, ...] = ()
    charge_bonus: int = 0
    ranks: tuple[int, ...] = ()
    steadfast: float = 1.0
    crumbles: bool = False
    terrifies: bool = False
    dreads: float = 0.0
    potion: Distribution | None = None
    regains: float = 0.0
    runs: Distribution | None = None
    charges_after: bool | None = None
    dissolves: Distribution | None = None
    surprises: float = 0.0
    unsurprised: bool = False
    unpinned: float = 1.0
    scores: bool = False
    denies: bool = False
    strength: tuple[int, ...] = ()
    marks_a_model: int = 1
    acts: tuple[float, float] = (1.0, 1.0)
    recovers: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    leaders: int = 0
    commands: bool = False
    resists: float = 0.0
    shaken: Distribution | None = None
    ahead: float = 0.0
    arrives: tuple[float, ...] = ()
    drops: bool = False
    rides: str = ""
    lands_charging: bool = False
    worth: Worth = Worth()

    @property
    def models(self) -> int:
        """How many models it has at the beginning."""
        return len(self.wounds)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game and its mission say about the table and the course of the battle.

    Attributes:
        width: of the table along the fronts; depth from one army's edge to the other's.
        front: width of the strip, centred, in which units are set up.
        line: distance of the foremost units from the centre line; units that shoot stand `behind` further back.
        turns: game turns that are always played; goes_on: chances of a further one, one after the other.
        cover: chance that a unit which can shelter finds cover where it stands or stops.
        alternates: the sides act unit by unit instead of army by army.
        reserves: units may begin in reserve or within others (`Unit.arrives`, `Unit.rides`).
        reactions: times in a phase of the enemy's turn that a side may shoot back at who shoots at it or charges it.
        at_chargers: such reactions are at who charges alone.
        charges_first: units charge at the beginning of their side's turn instead of moving and shooting in it; who does
            not reach moves `falls_short` only. Otherwise they charge after both.
        rallied_stand: who has rallied neither moves nor charges in that turn; rallied_hold_fire: nor shoots.
        objectives: places that units which score make for; near: distance within which one is held or denied;
            objective_points: victory points of one that is held at the end, equally likely.
        lasting: close combat goes on until one side breaks; otherwise it is one round, and both draw apart.
        markers: units act one by one under blast markers (`formations`): fire leaves some, they silence and break.
        pressed: distance of an enemy that makes rallying from markers harder.
        supports: distance from which units of either side support an assault; 0 is none.
        crossfire: longest line from a unit that shoots to another of its army which puts the target between them into
            a crossfire; 0 is none. breadth: how far from the line the middle of the target may be.
        most_survivors: victory points for the side with more units left.
        lead: victory points by which one must lead to win.
        loses_without_models: a side with nothing left on the table has lost, whatever the points.
    """

    width: float
    depth: float
    front: float
    line: float
    behind: float
    turns: int
    goes_on: tuple[float, ...] = ()
    cover: float = 0.0
    alternates: bool = False
    reserves: bool = False
    reactions: int = 0
    at_chargers: bool = False
    charges_first: bool = False
    falls_short: float = 0.0
    rallied_stand: bool = False
    rallied_hold_fire: bool = False
    objectives: tuple[tuple[float, float], ...] = ()
    near: float = 0.0
    objective_points: tuple[float, ...] = ()
    lasting: bool = True
    markers: bool = False
    pressed: float = 0.0
    supports: float = 0.0
    crossfire: float = 0.0
    breadth: float = 0.0
    most_survivors: float = 0.0
    lead: float = 0.0
    loses_without_models: bool = True

    @property
    def longest(self) -> int:
        """Game turns at most."""
        return self.turns + len(self.goes_on)


Volleys = Sequence[Sequence[tuple[Volley, ...]]]
"""By unit and enemy: its volleys, the nearest band first; empty where it cannot shoot at that enemy."""


@dataclass(frozen=True, slots=True, eq=False)
class Battle:
    """Two armies that are about to fight; index 0 is the first list, 1 the second.

    Attributes:
        volleys: by side, unit and enemy.
        blows: by side, unit and enemy.
        catches: by side, unit and enemy: chance that the unit destroys the enemy when that one breaks.
    """

    terms: Terms
    armies: tuple[tuple[Unit, ...], tuple[Unit, ...]]
    volleys: tuple[Volleys, Volleys]
    blows: tuple[Sequence[Sequence[Blows]], Sequence[Sequence[Blows]]]
    catches: tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]
