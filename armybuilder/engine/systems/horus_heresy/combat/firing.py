"""A side that fires: what it has done before, at which range it is, and which of its weapons make snap shots."""

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.systems.horus_heresy.combat.gets_hot import Overheating
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules
from armybuilder.engine.systems.horus_heresy.combat.target_state import GIANTS, Unit
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, Conditions, Group, Weapon
from armybuilder.engine.systems.matchups import ModelNotes


class Firing:
    """One side that fires at the other, where it stands and as it has moved."""

    def __init__(self, attacker: Unit, defender: Unit, conditions: Conditions, notes: ModelNotes) -> None:
        """Put both sides together; assumptions go to the notes."""
        self.attacker = attacker
        self.defender = defender
        self.conditions = conditions
        self.notes = notes
        self.overheating: list[Overheating] = []

    @property
    def is_reaction(self) -> bool:
        """Overwatch, or Return Fire where lists meet. Source: HH L478-L480, L488 [text]."""
        conditions = self.conditions
        return self.defender.side.charged or (
            isinstance(conditions, AttackConditions) and conditions.reaction == "return_fire"
        )

    def _shots(self, weapon: Weapon) -> Dice:
        """Source: HH L901-L905, L958-L962 [text]."""
        shots = weapon.dice
        if weapon.kind == "Rapid Fire" and self._within_half(weapon):
            return Dice(shots.count * 2, shots.sides, shots.plus * 2)
        return shots

    def _within_half(self, weapon: Weapon) -> bool:
        if self.conditions.half_range is not None:
            return self.conditions.half_range
        distance, reach = self.conditions.distance, weapon.reach_inches
        return distance is not None and reach is not None and distance <= reach / 2

    @property
    def _moved(self) -> bool:
        """Whoever reacts counts as stationary (L480, L488)."""
        return self.attacker.side.moved and not self.is_reaction

    @property
    def _sees_at_night(self) -> bool:
        """Source: HH L3969 [text]."""
        return self.attacker.any_model_has("night vision") or any(g.type == "primarch" for g in self.attacker.groups)

    def _is_snap(self, index: int, group: Group, weapon: Weapon, rules: SpecialRules) -> bool:
        """Whether the weapon makes snap shots. Source: HH L705-L711, L933, L2391-L2395, L3313 [text]."""
        own = self.attacker.rules[index]
        skyfire = "skyfire" in rules or "skyfire" in own or (group.is_zooming and self.defender.is_zooming)
        aerial = any(g.is_a("flyer", "skimmer") for g in self.defender.groups)
        if self.conditions.snap_shots or (skyfire and not aerial) or (self.defender.is_zooming and not skyfire):
            return True
        if not self._moved:
            return False
        if group.type == "vehicle":
            return self._hurried(index, weapon)
        return weapon.kind == "Heavy" and not self._steady(index, group)

    def _steady(self, index: int, group: Group) -> bool:
        """Counts as stationary with Heavy and Ordnance weapons. Source: HH L1589, L1611, L1657, L3259, L3317."""
        rules = self.attacker.rules[index]
        types = ("dreadnought", "monstrous", "primarch", "fortification")
        return "relentless" in rules or "slow and purposeful" in rules or group.is_a(*types)

    def _hurried(self, index: int, weapon: Weapon) -> bool:
        """Snap shots of a vehicle that moved: at combat speed, beside one Ordnance or Destroyer weapon.

        Source: HH L1855-L1859, L2228, L2258, L2312 [text]; the speed is assumed [decision].
        """
        group = self.attacker.groups[index]
        if self._always_stationary(group):
            return False
        if self._cruises(group):
            return weapon is not next((w for w in group.weapons if w.kind not in ("Ordnance", "Destroyer")), None)
        big = [w for w in group.weapons if w.kind in ("Ordnance", "Destroyer")]
        return bool(big) and weapon is not big[0]

    def _may_fire_moving(self, index: int, group: Group, weapon: Weapon) -> bool:
        """Ordnance and Destroyer weapons after moving. Source: HH L940, L1855-L1859 [text]."""
        if not self._moved or weapon.kind not in ("Ordnance", "Destroyer"):
            return True
        if group.type != "vehicle":
            return weapon.kind == "Destroyer" or self._steady(index, group)
        if self._always_stationary(group):
            return True
        if not (isinstance(self.conditions, AttackConditions) and self.conditions.cruising):
            self.notes.assume(NOTES["vehicle_moved_did"])
        first = next(w for w in group.weapons if w.kind in ("Ordnance", "Destroyer"))
        return not self._cruises(group) and weapon is first

    def _cruises(self, group: Group) -> bool:
        """At cruising speed one weapon is aimed, the others make snap shots. Source: HH L1859, L2228, L2234 [text]."""
        cruises = isinstance(self.conditions, AttackConditions) and self.conditions.cruising
        return group.is_a("slow") or (cruises and not group.is_a("fast"))

    @staticmethod
    def _always_stationary(group: Group) -> bool:
        """Super-heavies and giants; zooming Flyers shoot as if they were (L2391)."""
        return group.is_a(*GIANTS) or group.is_zooming
