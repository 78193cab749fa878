"""Who strikes in close combat, with which weapon, how often and at which Initiative step."""

from dataclasses import dataclass, replace
from itertools import product

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.morale import ignores_terrain
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules
from armybuilder.engine.systems.horus_heresy.combat.target_state import KNIGHTS, Unit
from armybuilder.engine.systems.horus_heresy.matchup import Conditions, MatchupOptions, Weapon

CLOSE_COMBAT_WEAPON = Weapon(name="close combat weapon", type="Melee", strength="User")
"""What every model has that lists no Melee weapon (L911-L918)."""

FIRST_STEP, LAST_STEP = 10, 1


@dataclass(frozen=True, slots=True)
class Party:
    """Models of a group that fight with the same weapon."""

    group: int
    weapon: Weapon
    models: int


class MeleeAttackers:
    """One side that strikes the other in one fight sub-phase."""

    def __init__(
        self,
        striker: Unit,
        target: Unit,
        conditions: Conditions,
        options: MatchupOptions,
        *,
        in_challenge: bool = False,
    ) -> None:
        """Read both sides.

        Args:
            in_challenge: the striker is the duellist of a challenge, the target the other one.
        """
        self.in_challenge = in_challenge
        self.striker = striker
        self.target = target
        self.conditions = conditions
        self.options = options

    @property
    def is_challenge(self) -> bool:
        """Whether two lone Characters meet: who is challenged cannot refuse. Source: HH L1713-L1737 [text]."""
        return self.in_challenge or (self.striker.side.is_lone_character and self.target.side.is_lone_character)

    def parties(self, index: int, alive: int) -> list[Party]:
        """The models of a group by the weapon they use; rarer weapons fall last."""
        group = self.striker.groups[index]
        left, found = group.count, []
        for weapon in [*(w for w in group.weapons if w.kind == "Melee"), CLOSE_COMBAT_WEAPON]:
            users = left if weapon.count is None else min(weapon.count, left)
            if users:
                found.append(Party(index, weapon, users))
                left -= users
        standing = []
        for party in sorted(found, key=lambda party: party.models):
            users = min(alive, party.models)
            alive -= users
            if users:
                standing.append(replace(party, models=users))
        return standing

    def extra_weapons(self, party: Party) -> int:
        """Bonus attacks for further weapons: one at most, except for Knights and Titans.

        Source: HH L1196-L1200, L911-L922, L2340, L3325, L3401 [text].
        """
        group = self.striker.groups[party.group]
        used = SpecialRules(party.weapon.rules)
        carried = [
            weapon
            for weapon in group.weapons
            if weapon is not party.weapon
            and weapon.kind in ("Melee", "Pistol")
            and (weapon.count is None or weapon.count >= group.count)
        ]
        if group.is_a(*KNIGHTS):
            return sum(weapon.kind == "Melee" for weapon in carried)
        if "two-handed" in used:
            return 0
        single = [SpecialRules(weapon.rules) for weapon in carried]
        single = [rules for rules in single if "two-handed" not in rules]
        if "specialist weapon" in used:
            single = [rules for rules in single if "specialist weapon" in rules]
        return 1 if single else 0

    def attacks(self, party: Party, rampage: int = 0) -> int:
        """Blows of one model. Source: HH L1194-L1200, L2949, L2963, L3249, L3253 [text]."""
        group, rules = self.striker.groups[party.group], self.striker.rules[party.group]
        if "cumbersome" in SpecialRules(party.weapon.rules):
            return 1
        own = 1 if group.profile.attacks is None else group.profile.attacks
        if not own:
            return 0
        side = self.striker.side
        charging = side.charged and not side.disordered_charge
        total = own + self.extra_weapons(party) + (max(1, rules.number("rage", 1) or 0) if charging else 0)
        if self.target.side.charged and self.conditions.combat_round == 1:
            total += rules.number("counter-attack", 1) or 0
        return total + (rampage if "rampage" in rules else 0)

    def rampages(self) -> list[tuple[float, tuple[int, ...]]]:
        """Additional attacks of Rampage, one number for each group, with their chances.

        Each version of the rule is rolled once for the whole unit. Source: HH L3253-L3255, L2931 [text].
        """
        groups = range(len(self.striker.groups))
        if self.striker.side.disordered_charge or _bulk(self.striker) >= _bulk(self.target):
            return [(1.0, tuple(0 for _ in groups))]
        versions = sorted({dice for i in groups for dice in self.striker.rules[i].dice("rampage", 1)}, key=str)
        rolls: list[Distribution] = [dice.distribution() for dice in versions]
        outcomes = []
        for values in product(*(roll.as_dict().items() for roll in rolls)):
            chance = 1.0
            for _, share in values:
                chance *= share
            drawn = dict(zip(versions, (value for value, _ in values), strict=True))
            each = tuple(
                max((drawn[dice] for dice in self.striker.rules[i].dice("rampage", 1)), default=0) for i in groups
            )
            outcomes.append((chance, each))
        return outcomes

    def step_of(self, party: Party) -> int:
        """The Initiative step of a party. Source: HH L1159-L1167, L2523, L2979, L3179, L3405 [text].

        Reach and Sudden Strike add to the Initiative [carried].

        Raises:
            BadDocument: Initiative is missing.
        """
        group = self.striker.groups[party.group]
        unwieldy = "unwieldy" in SpecialRules(party.weapon.rules) or "unwieldy" in self.striker.rules[party.group]
        if unwieldy and not group.is_a("dreadnought", "monstrous"):
            return LAST_STEP
        slowed = self.conditions.difficult_terrain and self.striker.side.charged
        if slowed and self.conditions.combat_round == 1 and not ignores_terrain(self.striker):
            return LAST_STEP
        if group.profile.initiative is None:
            at = f"{self.striker.place}/models/{party.group}/profile/I"
            raise BadDocument("Initiative is needed for the order of blows.", at)
        rules, own = SpecialRules(party.weapon.rules), self.striker.rules[party.group]
        sooner = rules.number("reach", 1) or 0
        if self.is_challenge:
            sooner += rules.number("duellist's edge", 1) or 0
        if self.striker.side.charged and not self.striker.side.disordered_charge:
            sooner += rules.number("sudden strike", 1) or own.number("sudden strike", 1) or 0
        return min(FIRST_STEP, max(LAST_STEP, group.profile.initiative + sooner))

    @property
    def possible(self) -> bool:
        """Zooming Flyers cannot be charged (L2401)."""
        return not self.target.is_zooming


def _bulk(unit: Unit) -> int:
    """Models as they count for outnumbering. Source: HH L545, L551, L1607, L2931 [text]."""
    total = 0
    for index in unit.present:
        group, rules = unit.groups[index], unit.rules[index]
        own = rules.number("bulky", 1) or 0
        if "jump pack" in rules or "jet pack" in rules:
            own = 3 if own == 2 else max(own, 2)
        total += group.count * max(1, own, 4 if group.type == "primarch" else 0)
    return total
