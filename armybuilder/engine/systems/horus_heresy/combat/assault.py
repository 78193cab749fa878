"""Close combat: what blows hit on, and what each hit brings with it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from armybuilder.engine.combat.dice import Dice, Reroll, parse
from armybuilder.engine.combat.sequence import Both, Node, Several
from armybuilder.engine.combat.steps.to_hit import weapon_skill_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.aiming import Aim
from armybuilder.engine.systems.horus_heresy.combat.melee_attackers import CLOSE_COMBAT_WEAPON, MeleeAttackers, Party
from armybuilder.engine.systems.horus_heresy.combat.shooting import after_checks, best_roll, prefers, weapon_strength
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules, mentioned_enemy
from armybuilder.engine.systems.horus_heresy.combat.target_state import KNIGHTS
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, AttackLine
from armybuilder.engine.systems.horus_heresy.combat.wounding import OF_MODELS_TOO, Hit, rules_of_hit
from armybuilder.engine.systems.horus_heresy.matchup import roll_needed

DESOLATION = "pyromantic desolation"
UNDER_THE_MARKER = 3
"""The rule of the blade that burns everybody around its bearer, and the enemies assumed under its marker."""

TOO_BIG_TO_STOMP = 8
"""Models with this many Wounds are not stomped on (L2342)."""


class Blows(MeleeAttackers):
    """Their blows: what they hit on, and what each hit brings with it."""

    @property
    def _facing(self) -> str:
        """Rear armour; the front of Knights and Titans (L2087, L2338)."""
        walks = self.target.is_vehicle and self.target.first_vehicle.is_a(*KNIGHTS)
        return "front" if walks else "rear"

    def alternatives(self, parties: Sequence[Party], rampage: Sequence[int], *, position: int = 0) -> list[Alternative]:
        """The blows of these parties after their psychic checks.

        Args:
            position: of the striking unit in its own row before the checks.
        """
        plain: list[AttackLine] = []
        psykers: list[tuple[int, AttackLine, AttackLine | None]] = []
        for party in parties:
            line = self.line(party, rampage[party.group])
            if line is None:
                continue
            rules = SpecialRules(party.weapon.rules)
            if "psychic focus" in rules:
                psykers.append((party.group, line, self.line(self.without_focus(party), rampage[party.group])))
            elif "force" in rules and self.striker.side.psychic_check == "attempted":
                stronger = replace(line, hit=self.hit(party, multiply=2))
                psykers.append((party.group, stronger, line))
            else:
                plain.append(line)
        return after_checks(self.striker, plain, psykers, position=position)

    def without_focus(self, party: Party) -> Party:
        """The party with what it strikes with when its psychic check has failed. Source: HH L4453 [text]."""
        group = self.striker.groups[party.group]
        others = [w for w in group.weapons if w.kind == "Melee" and w is not party.weapon]
        return replace(party, weapon=others[0] if others else CLOSE_COMBAT_WEAPON)

    def line(self, party: Party, rampage: int = 0) -> AttackLine | None:
        """The blows of a party; None when it cannot strike."""
        override = party.weapon.override
        group = self.striker.groups[party.group]
        if override is None and group.has_armour_value and not group.is_a(*KNIGHTS):
            return None  # vehicles and buildings do not strike (L2087)
        hit = self.hit(party)
        rules, own = SpecialRules(party.weapon.rules), self.striker.rules[party.group]
        line = AttackLine(
            party.models,
            lambda then: then,
            hit,
            self._facing,
            party.weapon.name,
            concussive=rules.number("concussive", 1) or own.number("concussive", 1),
            blind="blind" in rules or "blind" in own,
            rad="rad-phage" in rules or "rad-phage" in own,
            picks="all" if group.type == "primarch" else "none",
        )
        if override is not None and override.wounds is not None and not self.target.is_vehicle:
            number = parse(override.wounds)
            return replace(
                line, bearers=1, aim=lambda then: Several(number, then), hit=replace(hit, wounds_itself=True)
            )
        if override is not None and (hits := override.wounds if override.hits is None else override.hits) is not None:
            return replace(line, bearers=1, aim=partial(Aim(1).tree, parse(hits)), dice=parse(hits).highest)
        blows = self.attacks(party, rampage)
        aim = self.aim(party)
        if aim is None or not blows or not self.possible:
            return None
        precision = best_roll(rules.roll("precision strikes", 6), own.roll("precision strikes", 6))
        if precision is not None and line.picks == "none" and aim.rolls:
            aim, line = replace(aim, picks=precision), replace(line, picks="some")
        struck = partial(aim.tree, Dice(0, 0, blows))
        if DESOLATION in rules:
            around = self._around
            return replace(line, aim=partial(_with_flames, struck, around), dice=blows + around.highest)
        return replace(line, aim=struck, dice=blows)

    @property
    def _around(self) -> Dice:
        """Enemies under a marker of 3" around a striker. Source: HH L4483 [text]; how many is assumed [decision]."""
        covered = self.conditions.models_covered
        number = parse(UNDER_THE_MARKER if covered is None else covered)
        return number if number.fixed is None else Dice(0, 0, min(number.fixed, self.target.models))

    def aim(self, party: Party, *, skill: int | None = None) -> Aim | None:
        """The roll to hit. Source: HH L1208-L1231, L2963, L3073-L3075, L3239 [text]."""
        rules, own = SpecialRules(party.weapon.rules), self.striker.rules[party.group]
        override = None if party.weapon.override is None else roll_needed(party.weapon.override.to_hit)
        need = override if override is not None else self._chart(party, rules, skill)
        if need is None or need <= 1:
            return None if need is None else Aim(1)
        if self.conditions.combat_round == 1 and self._hates(own):
            return Aim(need, Reroll.FAILURES)
        if "twin-linked" in rules:
            return Aim(need, Reroll.FAILURES)
        crafted = "master-crafted" in rules
        ones = Reroll.ONES if prefers(self.striker, self.target, "preferred enemy") else Reroll.NONE
        return Aim(need, ones, master_crafted=crafted)

    def _hates(self, own: SpecialRules) -> bool:
        return any(mentioned_enemy(value, self.target.words) for value in own.values("hatred"))

    def _chart(self, party: Party, rules: SpecialRules, skill: int | None) -> int | None:
        group = self.striker.groups[party.group]
        own = group.profile.weapon_skill if skill is None else skill
        if "cumbersome" in rules:
            own = 1
        if own is None:
            if group.type == "vehicle":
                return None
            at = f"{self.striker.place}/models/{party.group}/profile/WS"
            raise BadDocument("Weapon Skill is needed in close combat.", at)
        if self.target.weapon_skill is None:
            raise BadDocument("The target's Weapon Skill is needed.", f"{self.target.place}/models/0/profile/WS")
        double = 6 if self.options.double_ws_needs == "6+" else 5
        return weapon_skill_roll(own, self.target.weapon_skill, double_needs=double)

    def hit(self, party: Party, *, multiply: int = 1) -> Hit:
        """What a blow brings with it: rules of the weapon and of the model."""
        group, own = self.striker.groups[party.group], self.striker.rules[party.group]
        rules = SpecialRules(party.weapon.rules)
        place = f"{self.striker.place}/models/{party.group}"
        side = self.striker.side
        furious = own.number("furious charge", 1) if side.charged and not side.disordered_charge else None
        override = None if party.weapon.override is None else roll_needed(party.weapon.override.to_wound)
        free = override is not None or (party.weapon.override is not None and party.weapon.override.wounds is not None)

        def roll(name: str, default: int) -> int | None:
            return best_roll(rules.roll(name, default), own.roll(name, default))

        strength = (
            None
            if free and group.profile.strength is None
            else weapon_strength(party.weapon, group, place, multiply=multiply, add=furious or 0)
        )
        further = {
            "armourbane": _armourbane(rules) or _armourbane(own),
            "monster hunter": self.striker.any_model_has("monster hunter"),
            "preferred enemy": prefers(self.striker, self.target, "preferred enemy"),
        }
        return Hit(
            strength=strength,
            ap=party.weapon.ap,
            melee=True,
            rules=rules_of_hit(rules, own, of_models=(*OF_MODELS_TOO, "fleshbane", "shred"), further=further),
            wielder_strength=group.profile.strength,
            poisoned=roll("poisoned", 4),
            rending=roll("rending", 6),
            breaching=roll("breaching", 6),
            brutal=rules.number("brutal", 2) or own.number("brutal", 2) or 1,
            murderous=roll("murderous strike", 6),
            exoshock=roll("exoshock", 6),
            wounds_on=override,
        )

    @property
    def every_line(self) -> tuple[AttackLine, ...]:
        """All blows at full strength, as far as they tell what the target needs to be."""
        alive = [group.count for group in self.striker.groups]
        struck = (self.line(party) for party in every_party(self, alive))
        return (*self.hammer_lines(alive), *(line for line in struck if line is not None))

    def hammer_lines(self, alive: Sequence[int]) -> list[AttackLine]:
        """Hammer of Wrath of charging models, before all blows. Source: HH L3067-L3069 [text].

        Args:
            alive: models left of each group.
        """
        lines: list[AttackLine] = []
        side = self.striker.side
        if not side.charged or side.disordered_charge or not self.possible:
            return lines
        contact = self.conditions.models_in_contact
        for index, models in enumerate(alive):
            hits = self.striker.rules[index].dice("hammer of wrath", 1)
            bearers = models if contact is None else min(models, contact)
            group = self.striker.groups[index]
            strikes = not group.has_armour_value or group.is_a(*KNIGHTS)
            if not hits or not bearers or not strikes:
                continue
            if contact is not None:
                contact -= bearers
            if group.profile.strength is None:
                raise BadDocument("Hammer of Wrath needs Strength.", f"{self.striker.place}/models/{index}/profile/S")
            best = max(hits, key=lambda dice: dice.highest)
            facing = "front" if self._facing == "front" else self.conditions.facing or "rear"
            hit = Hit(group.profile.strength, melee=True)
            picks: Literal["all", "none"] = "all" if group.type == "primarch" else "none"
            lines.append(AttackLine(bearers, partial(Aim(1).tree, best), hit, facing, "Hammer of Wrath", picks=picks))
        return lines

    def stomp_lines(self, alive: Sequence[int]) -> list[AttackLine]:
        """Stomps of Knights and Titans at the last step. Source: HH L2342 [text]."""
        lines: list[AttackLine] = []
        groups = [self.target.groups[i] for i in self.target.present]
        giants = ("flyer", "super_heavy", *KNIGHTS)
        big = any(g.is_a(*giants) or (g.profile.wounds or 1) >= TOO_BIG_TO_STOMP for g in groups)
        for index, models in enumerate(alive):
            group = self.striker.groups[index]
            if big or not models or not group.is_a(*KNIGHTS) or not group.profile.attacks:
                continue
            party = Party(index, CLOSE_COMBAT_WEAPON, models)
            aim = self.aim(party)
            if aim is not None:
                blows = Dice(1, 3, group.profile.attacks)
                hit = Hit(group.profile.strength, 2, melee=True)
                lines.append(AttackLine(models, partial(aim.tree, blows), hit, self._facing, "Stomp"))
        return lines


def _with_flames(struck: Callable[..., Node], around: Dice, then: Node, chosen: Node | None = None) -> Node:
    """Blows, and the automatic hits with the same profile before them."""
    return Both(Aim(1).tree(around, then), struck(then, chosen))


def _armourbane(rules: SpecialRules) -> bool:
    """Armourbane in close combat: neither the Ranged nor the Melta version (L2791-L2799)."""
    return any((value or "").casefold() not in ("ranged", "melta") for value in rules.values("armourbane"))


def every_party(blows: Blows, alive: Sequence[int]) -> list[Party]:
    """All models of all groups, by weapon."""
    return [party for index, models in enumerate(alive) if models for party in blows.parties(index, models)]
