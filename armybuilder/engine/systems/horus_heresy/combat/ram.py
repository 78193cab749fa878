"""Tank shock and ramming: what a moving vehicle does to whom it runs into, and Death or Glory."""

from functools import partial

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Floats
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.combat import vehicle_damage
from armybuilder.engine.systems.horus_heresy.combat.aiming import Aim
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows
from armybuilder.engine.systems.horus_heresy.combat.attacks import Attack
from armybuilder.engine.systems.horus_heresy.combat.followup_tests import FollowupTests
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules
from armybuilder.engine.systems.horus_heresy.combat.morale import test_chance
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.reactions import may_react
from armybuilder.engine.systems.horus_heresy.combat.shooting import Shooting
from armybuilder.engine.systems.horus_heresy.combat.target_state import KNIGHTS, Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, AttackLine, Struck, TargetState
from armybuilder.engine.systems.horus_heresy.combat.wounding import Hit
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, Conditions, HeresyMatchup, MatchupOptions
from armybuilder.engine.systems.list_matchups import NoAttack
from armybuilder.engine.systems.matchups import ModelNotes

CANNOT = Text("only vehicles that drive can ram", "таранить может только едущая техника")
GIANT_HITS, USUAL_HITS = Dice(2, 6), Dice(1, 6)
HEAVY, HARDER, HARDEST = 4, 1, 10
"""Added to the Strength of a heavy vehicle or building, of one with more hull points; the most it can be (L1881)."""

STUNNED, IMMOBILISED = 4, 6
"""Results of the damage table, the second one and beyond, that save whoever stood for Death or Glory (L1905)."""


def ram_attack(matchup: HeresyMatchup, notes: ModelNotes) -> Attack:
    """A successful ram: the attacker has reached the defender. Source: HH L1869-L1909 [text].

    Raises:
        NoAttack: the attacker is none that rams.
    """
    assert matchup.attacker is not None and matchup.defender is not None
    note_rules(matchup, notes)
    rammer, target = Unit(matchup.attacker, "/attacker"), Unit(matchup.defender, "/defender")
    if not rammer.is_vehicle or not _rams(rammer):
        raise NoAttack(CANNOT, "/attacker")
    if target.is_zooming:
        raise NoAttack(Text("nobody rams a Flyer in the air", "летящую технику не таранят"), "/defender")
    target.note_mixture(notes)
    facing = matchup.conditions_in_force.facing or "front"
    notes.assume(NOTES["ram_reaches_target"])
    standing = TargetState(target, matchup.options)
    line = _line(_strength(rammer, "front", target), _hits(rammer, target), facing)
    alternatives = [Alternative(1.0, (line,))]
    after = RamTests(standing, alternatives, matchup, rammer, notes)
    return Attack(matchup, standing, alternatives, followups=after)


def _rams(unit: Unit) -> bool:
    groups = [unit.groups[i] for i in unit.present]
    stands = any(g.type == "fortification" or g.immobilised or g.profile.movement == 0 for g in groups)
    return not stands and not any(g.is_a("flyer", *KNIGHTS) for g in groups)


def _is_super_heavy(unit: Unit) -> bool:
    return unit.first_vehicle.is_a("super_heavy", "super_heavy_vehicle")


def _strength(striker: Unit, facing: str, other: Unit) -> int:
    """Half of the armour that touches the other, more for heavy ones. Source: HH L1877, L1881-L1883 [text]."""
    half = -(-striker.armour(facing).value // 2)
    if not other.is_vehicle:
        return HARDEST if _is_super_heavy(striker) else half
    bigger = (striker.first_vehicle.profile.hull_points or 0) > (other.first_vehicle.profile.hull_points or 0)
    heavy = striker.first_vehicle.is_a("slow", "fortification") or _is_super_heavy(striker)
    return min(HARDEST, half + HARDER * bigger + HEAVY * heavy)


def _hits(striker: Unit, other: Unit) -> Dice:
    if other.is_vehicle:
        return Dice(0, 0, 1)
    return GIANT_HITS if _is_super_heavy(striker) else USUAL_HITS


def _line(strength: int, hits: Dice, facing: str) -> AttackLine:
    return AttackLine(1, partial(Aim(1).tree, hits), Hit(strength, melee=True), facing, "Ram", dice=hits.highest)


class RamTests(FollowupTests):
    """The morale check after a ram, Death or Glory, and what the ram does to the rammer."""

    def __init__(
        self,
        target: TargetState,
        alternatives: list[Alternative],
        matchup: HeresyMatchup,
        rammer: Unit,
        notes: ModelNotes,
    ) -> None:
        """Work out every chance."""
        conditions = matchup.conditions_in_force
        super().__init__(target, alternatives, conditions)
        unit = target.unit
        self.own: Floats | None = None
        self.rammer = TargetState(rammer, matchup.options)
        self.glory: float | None = None
        if target.is_vehicle:
            # the building or vehicle that is struck strikes with the side that is touched
            facing = alternatives[0].lines[0].facing
            back = _line(_strength(unit, facing, rammer), Dice(0, 0, 1), "front")
            self.own = self.rammer.reached([Alternative(1.0, (back,))])
            return
        if any(unit.groups[i].profile.leadership is not None for i in unit.present):
            self.stays = test_chance(unit, conditions, morale=True)
        stands = isinstance(conditions, AttackConditions) and conditions.reaction == "death_or_glory"
        if stands and may_react(unit, rammer):
            self.glory = self._glory(unit, rammer, matchup.options)
            notes.approximate("Death or Glory", NOTES["death_or_glory"])

    def enter(self, outcomes: Outcomes, struck: Struck) -> None:
        """Flight of the target, the rammer stopped by one model, the rammer's own damage."""
        left = outcomes.averaged(~self.target.destroyed[struck.state])
        stays: Values = 1.0
        if self.stays is not None:
            stays = outcomes.happens(self.stays)
            outcomes.add("p_flees", left * (1.0 - stays))
        if self.glory is not None:
            outcomes.add("p_stopped", left * stays * outcomes.happens(self.glory))
        if self.own is not None:
            lost, wrecked = outcomes.either(partial(self._expected_damage, self.own), partial(self._damage, self.own))
            outcomes.add("attacker_hull_points_lost", lost)
            outcomes.add("p_attacker_destroyed", wrecked)

    def _expected_damage(self, own: Floats) -> tuple[Values, Values]:
        """Hull points the rammer loses, and the chance that it is wrecked."""
        return float(own @ self.rammer.lost), float(own[self.rammer.destroyed].sum())

    def _damage(self, own: Floats, rng: np.random.Generator, trials: int) -> tuple[Values, Values]:
        """The same in every trial."""
        state = rng.choice(len(own), trials, p=own / own.sum())
        return self.rammer.lost[state], self.rammer.destroyed[state]

    def _glory(self, unit: Unit, rammer: Unit, options: MatchupOptions) -> float:
        """The best chance of one model to destroy, stun or immobilise with one attack. Source: HH L1905 [text]."""
        shooting = Shooting(unit, rammer, Conditions(distance=0), ModelNotes())
        blows = Blows(unit, rammer, Conditions(), options)
        best = 0.0
        for index in unit.present:
            group = unit.groups[index]
            place = f"{unit.place}/models/{index}"
            for weapon in group.weapons:
                if weapon.kind == "Melee":
                    continue
                line = shooting.line(index, group, weapon, 1, place)
                best = max(best, 0.0 if line is None else self._stopped(line.hit, rammer, options))
            for party in blows.parties(index, group.count):
                best = max(best, self._stopped(blows.hit(party), rammer, options))
        return best

    def _stopped(self, hit: Hit, rammer: Unit, options: MatchupOptions) -> float:
        """Chance that one hit on the front destroys, stuns or immobilises."""
        armour = rammer.armour("front")
        tree = vehicle_damage.penetration(hit, armour, options)
        if self.rammer.squadron_states.squadron.hull_points - self.rammer.squadron_states.squadron.lost == 1:
            packets = exact.packets(tree, (vehicle_damage.HULL,))
            return float(1.0 - packets[0])
        if armour.huge:
            return 0.0
        modifier = vehicle_damage.piercing_bonus(hit)
        saved = [face for face in range(1, 7) if face + modifier == STUNNED or face + modifier >= IMMOBILISED]
        chance = len(saved) / 6
        if armour.slow:
            pairs = [min(a, b) for a in range(1, 7) for b in range(1, 7)]
            chance = sum(face in saved for face in pairs) / 36
        points = exact.packets(tree, (vehicle_damage.SCORE,))
        return float(points[2:].sum()) * chance  # two points are a penetrating hit that nothing saved
