"""Shooting: which weapons may fire, how they aim, what their hits bring with them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Literal

from armybuilder.engine.combat.dice import Dice, Reroll, parse
from armybuilder.engine.combat.sequence import Several
from armybuilder.engine.combat.steps.to_hit import ballistic_roll, ballistic_second_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.combat import psychic
from armybuilder.engine.systems.horus_heresy.combat.aiming import Aim
from armybuilder.engine.systems.horus_heresy.combat.firing import Firing
from armybuilder.engine.systems.horus_heresy.combat.gets_hot import Overheating
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.special_rules import BLASTS, SpecialRules, mentioned_enemy
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, AttackLine
from armybuilder.engine.systems.horus_heresy.combat.wounding import OF_MODELS_TOO, Hit, rules_of_hit
from armybuilder.engine.systems.horus_heresy.matchup import Group, Weapon, roll_needed
from armybuilder.engine.systems.matchups import MAX_SHOTS, refuse_above

TEMPLATE_REACH = 8
HELLSTORM_REACH = 16
NIGHT_SIGHT = 24
TEMPLATE_MODELS = 3
"""Inches a template reaches (L226), and the models assumed under it when the document gives no number [decision]."""

SHOTS_OF_A_MODEL = 100

MEGA_BLAST_ZONES = (25, 24, 51)
"""Shares of the area of a marker of 10" within 5", from there to 7", and beyond (L226-L235)."""

DEFENSIVE_STRENGTH = 6
"""Vehicles react with defensive weapons only: those up to this Strength, or said to be (L1972, L1980)."""


class Shooting(Firing):
    """One shooting attack: every listed weapon of the attacker is fired once at the defender."""

    def alternatives(self) -> list[Alternative]:
        """The lines of the attack; several alternatives when psychic checks come first."""
        plain: list[AttackLine] = []
        psykers: list[tuple[int, AttackLine, AttackLine | None]] = []
        for index, group, weapon, bearers, at in self._weapons():
            line = self.line(index, group, weapon, bearers, at)
            if line is None:
                continue
            rules = SpecialRules(weapon.rules)
            if "psychic focus" in rules:
                psykers.append((index, line, None))
            elif "force" in rules and self.attacker.side.psychic_check == "attempted":
                stronger = replace(
                    line, hit=replace(line.hit, strength=weapon_strength(weapon, group, self._place(index), multiply=2))
                )
                psykers.append((index, stronger, line))
            else:
                plain.append(line)
        return after_checks(self.attacker, plain, psykers)

    def _weapons(self) -> Iterator[tuple[int, Group, Weapon, int, str]]:
        """Every weapon that could be fired, with its bearers and its place."""
        for index, group in enumerate(self.attacker.groups):
            for number, weapon in enumerate(group.weapons):
                bearers = group.count if weapon.count is None else min(weapon.count, group.count)
                if weapon.kind != "Melee" and bearers:
                    yield index, group, weapon, bearers, f"{self.attacker.place}/models/{index}/weapons/{number}"

    def _place(self, index: int) -> str:
        return f"{self.attacker.place}/models/{index}"

    def line(self, index: int, group: Group, weapon: Weapon, bearers: int, at: str) -> AttackLine | None:
        rules, own = SpecialRules(weapon.rules), self.attacker.rules[index]
        if not self._in_reach(index, weapon, rules):
            return None
        hit = self._hit(index, group, weapon, rules)
        if self.is_reaction and group.type == "vehicle" and not _is_defensive(weapon, rules, hit):
            return None
        shots = self._shots(weapon)
        refuse_above(
            shots.highest,
            SHOTS_OF_A_MODEL,
            "shots of one model",
            f"{at}/type" if weapon.shots is None else f"{at}/shots",
        )
        refuse_above(shots.highest * bearers, MAX_SHOTS, "shots", at)
        line = AttackLine(
            bearers=bearers,
            aim=lambda then: then,
            hit=hit,
            facing=self._facing(rules),
            weapon=weapon.name,
            pinning=(rules.number("shell shock", 1) or own.number("shell shock", 1) or 0)
            if "pinning" in rules or "pinning" in own
            else None,
            concussive=rules.number("concussive", 1) or own.number("concussive", 1),
            blind="blind" in rules or "blind" in own,
            hallucinates="hallucinations" in rules,
            rad="rad-phage" in rules or "rad-phage" in own,
            picks="all" if group.type == "primarch" else "none",
        )
        override = weapon.override
        if override is not None and override.wounds is not None and not self.defender.is_vehicle:
            number = parse(override.wounds)
            return replace(
                line, bearers=1, aim=lambda then: Several(number, then), hit=replace(hit, wounds_itself=True)
            )
        if override is not None and (hits := override.wounds if override.hits is None else override.hits) is not None:
            shots, aim, bearers = parse(hits), Aim(1), 1
            line = replace(line, bearers=1)
        else:
            found = self._aim(index, group, weapon, rules)
            if found is None:
                return None
            aim = found
        if "gets hot" in rules and (override is None or override.hits is None):
            self.overheating.append(Overheating(index, bearers, aim, shots, weapon.ap))
        if line.picks == "none" and not self._is_snap(index, group, weapon, rules):
            aim, picks = _allocated_by_the_attacker(aim, rules, own)
            line = replace(line, picks=picks)
        dice = shots.highest * (1 if aim.covered is None else max(1, aim.covered.highest))
        refuse_above(dice * bearers, MAX_SHOTS, "hits", at)
        return replace(line, aim=partial(aim.tree, shots), dice=dice)

    def _in_reach(self, index: int, weapon: Weapon, rules: SpecialRules) -> bool:
        """Range, line of sight at night. Source: HH L226-L235, L3363, L3966 [text]."""
        distance = self.conditions.distance
        if distance is None:
            return True
        blind = self.conditions.night_fighting and distance > NIGHT_SIGHT and not self._sees_at_night
        if blind and "barrage" not in rules and "guided fire" not in rules:
            return False
        if is_template(weapon, rules):
            if self.is_reaction or self._is_snap(index, self.attacker.groups[index], weapon, rules):
                return distance <= TEMPLATE_REACH or self.defender.side.charged
            reach = HELLSTORM_REACH if is_hellstorm(weapon, rules) else TEMPLATE_REACH
            return distance <= reach + (rules.number("torrent", 0) or 0)
        least = rules.number("minimum range", 0)
        if least is not None and distance <= least:
            return False
        return weapon.reach_inches is None or distance <= weapon.reach_inches

    def _aim(self, index: int, group: Group, weapon: Weapon, rules: SpecialRules) -> Aim | None:
        """How each shot hits; None when the weapon may not be fired."""
        if not self._may_fire_moving(index, group, weapon):
            return None
        snap = self._is_snap(index, group, weapon, rules)
        blast = blast_of(weapon, rules)
        if is_template(weapon, rules):
            if snap or self.is_reaction:
                self._note_wall()
                wall = Dice(1, 6) if is_hellstorm(weapon, rules) else Dice(1, 3)
                return self._covering(group, weapon, rules, wall)
            return self._marked(group, weapon, rules, TEMPLATE_MODELS)
        if blast is not None:
            usual = BLASTS[blast] + ("crawling fire" in rules)
            return None if snap else self._marked(group, weapon, rules, usual)
        if snap and weapon.kind == "Ordnance":
            return None
        return self._rolled_aim(index, group, weapon, rules, snap)

    def _marked(self, group: Group, weapon: Weapon, rules: SpecialRules, usual: int) -> Aim | None:
        """Markers and templates, which cover as many models as are stated, at most those of the target."""
        aim = self._covering(group, weapon, rules, self._covered(weapon, usual))
        return None if aim is None else replace(aim, room=self.defender.models)

    def _covering(self, group: Group, weapon: Weapon, rules: SpecialRules, covered: Dice) -> Aim | None:
        """Markers, templates and Wall of Death; none of them hits a zooming Flyer. Source: HH L2395, L3055 [text]."""
        if self.defender.is_zooming:
            return None
        if "gets hot" not in rules:
            return Aim(1, covered=covered)
        skill = group.profile.ballistic_skill or 0
        once = "master-crafted" in rules and weapon.dice.highest == 1
        again = "twin-linked" in rules or once or ballistic_second_roll(skill) or self._preferred(self.attacker)
        return Aim(1, Reroll.ONES if again else Reroll.NONE, covered=covered, overheats=True)

    def _rolled_aim(self, index: int, group: Group, weapon: Weapon, rules: SpecialRules, snap: bool) -> Aim | None:
        """Source: HH L683-L711, L3171, L3239, L3337, L3389 [text]."""
        own = self.attacker.rules[index]
        override = roll_needed(weapon.override.to_hit) if weapon.override is not None else None
        skill = group.profile.ballistic_skill
        if override is None and skill is None:
            at = f"{self.attacker.place}/models/{index}/profile/BS"
            raise BadDocument("Ballistic Skill is needed to shoot.", at)
        skill = skill or 0
        if override is None and skill == 0:
            return None
        if self.conditions.night_fighting and not self._sees_at_night:
            skill -= 1
        strafing = own.number("strafing run", 1)
        if strafing is not None and not any(g.is_a("flyer") for g in self.defender.groups):
            skill += strafing
        if snap and group.type != "primarch":
            skill = 1
        need = override if override is not None else ballistic_roll(skill)
        if need is None:
            return None
        crafted = "master-crafted" in rules
        if "twin-linked" in rules:
            return Aim(need, Reroll.FAILURES)
        if self._preferred(self.attacker):
            return Aim(need, Reroll.ONES, master_crafted=crafted)
        second = ballistic_second_roll(skill) if override is None else None
        return Aim(need, Reroll.ONES if second else Reroll.NONE, second, master_crafted=crafted)

    def _preferred(self, unit: Unit) -> bool:
        return prefers(unit, self.defender, "preferred enemy")

    def _covered(self, weapon: Weapon, assumed: int) -> Dice:
        """Models under one marker or template, never more than the target has."""
        given = self.conditions.models_covered
        if given is None:
            number = min(assumed, self.defender.models)
            self.notes.approximate(
                weapon.name,
                Text(
                    f"models of the target assumed under each marker or template: {number}",
                    f"принято моделей цели под каждым маркером или шаблоном: {number}",
                ),
            )
            return Dice(0, 0, number)
        return parse(given)

    def _note_wall(self) -> None:
        self.notes.assume(NOTES["templates_make_snap"])

    def _facing(self, rules: SpecialRules) -> str:
        """Source: HH L1992-L2000, L2811, L2901 [text]."""
        if "barrage" in rules or "apocalyptic barrage" in rules or "apocalyptic mega-blast" in rules:
            return "side"
        return self.conditions.facing or "front"

    def _hit(self, index: int, group: Group, weapon: Weapon, rules: SpecialRules) -> Hit:
        own = self.attacker.rules[index]
        template = is_template(weapon, rules)
        twin = "twin-linked" in rules
        override = roll_needed(weapon.override.to_wound) if weapon.override is not None else None
        strength = weapon_strength(weapon, group, self._place(index))
        further = {
            "armourbane": self._armourbane(rules, weapon) or self._armourbane(own, weapon),
            "monster hunter": self.attacker.any_model_has("monster hunter"),
            "night vision": self.attacker.any_model_has("night vision"),
            "preferred enemy": self._preferred(self.attacker),
            "shred": twin and template,
            "twin-linked": twin and template,
        }
        return Hit(
            strength=strength,
            ap=weapon.ap,
            blast=blast_of(weapon, rules) is not None,
            template=template,
            kind=weapon.kind if weapon.kind in ("Destroyer", "Ordnance") else "",
            rules=rules_of_hit(rules, own, of_models=(*OF_MODELS_TOO, "ignores cover"), further=further),
            poisoned=rules.roll("poisoned", 4),
            rending=rules.roll("rending", 6),
            breaching=rules.roll("breaching", 6),
            brutal=rules.number("brutal", 2) or 1,
            murderous=best_roll(rules.roll("murderous strike", 6), own.roll("murderous strike", 6)),
            exoshock=rules.roll("exoshock", 6),
            wounds_on=override,
            zones=_zones(rules, strength, weapon.ap),
        )

    def _armourbane(self, rules: SpecialRules, weapon: Weapon) -> bool:
        """Source: HH L2791-L2799 [text]."""
        for value in rules.values("armourbane"):
            kind = (value or "").casefold()
            if kind == "melta":
                if self._within_half(weapon):
                    return True
            elif kind != "melee":
                return True
        return False


def _allocated_by_the_attacker(
    aim: Aim, rules: SpecialRules, own: SpecialRules
) -> tuple[Aim, Literal["none", "some", "all"]]:
    """Hits that the attacker allocates: with Sniper all, with Precision Shots those of high dice.

    Source: HH L3225-L3229, L3321 [text].
    """
    if not aim.rolls:
        return aim, "none"
    if "sniper" in rules or "sniper" in own:
        return aim, "all"
    precision = best_roll(rules.roll("precision shots", 6), own.roll("precision shots", 6))
    return (aim, "none") if precision is None else (replace(aim, picks=precision), "some")


def after_checks(
    unit: Unit, plain: list[AttackLine], psykers: list[tuple[int, AttackLine, AttackLine | None]], *, position: int = 0
) -> list[Alternative]:
    """The lines after all psychic checks: whoever passed uses the first line, whoever failed and lives the second.

    Perils are suffered before anybody strikes; other models of the unit fall first, then psykers that failed.
    Source: HH L1779, L1809, L3033, L4453 [text]; the order of the losses is the owner's choice [decision].
    """
    if not psykers:
        return [Alternative(1.0, tuple(plain), position)]
    row = unit.row.slain
    before = int(row[position])
    ways: list[tuple[float, tuple[AttackLine, ...], int]] = [(1.0, tuple(plain), position)]
    for index, passed_line, failed_line in psykers:
        group = unit.groups[index]
        if group.profile.leadership is None:
            raise BadDocument("A psychic check needs Leadership.", f"{unit.place}/models/{index}/profile/Ld")
        following: list[tuple[float, tuple[AttackLine, ...], int]] = []
        for weight, lines, at in ways:
            for chance, passed, after in psychic.checks(unit, passed_line.bearers, group.profile.leadership, at):
                failed = passed_line.bearers - passed
                fallen = max(0, int(row[after]) - (unit.models - passed_line.bearers))
                alive = max(0, passed - max(0, fallen - failed))
                left = max(0, failed - fallen)
                more = [replace(passed_line, bearers=alive)] if alive else []
                if failed_line is not None and left:
                    more.append(replace(failed_line, bearers=left))
                following.append((weight * chance, (*lines, *more), after))
        ways = following
    return [Alternative(weight, lines, at, int(row[at]) - before) for weight, lines, at in ways]


def prefers(unit: Unit, target: Unit, rule: str) -> bool:
    """Whether any model has Preferred Enemy (or another rule with an enemy) that speaks of this target."""
    return any(mentioned_enemy(value, target.words) for value in unit.values_of_models(rule))


def weapon_strength(weapon: Weapon, group: Group, at: str, *, multiply: int = 1, add: int = 0) -> int | None:
    """Strength of a hit: multiply, then add; a printed number stands above both (L50, L881).

    Args:
        at: place of the group, for messages.
        multiply: by rules such as Force, which also doubles a printed number (L3033).
        add: by rules such as Furious Charge; no effect on a printed number.
    """
    printed = weapon.strength
    if isinstance(printed, int):
        return printed * multiply
    if printed is None and weapon.kind == "Melee":
        printed = "User"
    if printed is None or printed in ("-", "–"):
        return None
    if group.profile.strength is None:
        raise BadDocument(f"{weapon.name}: the bearer's Strength is needed.", f"{at}/profile/S")
    own = group.profile.strength
    if printed.startswith(("x", "×")):
        return own * int(printed[1:]) * multiply + add
    return own * multiply + add + (int(printed) if printed.startswith("+") else 0)


def _is_defensive(weapon: Weapon, rules: SpecialRules, hit: Hit) -> bool:
    return "defensive" in rules or "pintle" in weapon.name.casefold() or (hit.strength or 0) <= DEFENSIVE_STRENGTH


def is_template(weapon: Weapon, rules: SpecialRules) -> bool:
    """Template and Hellstorm weapons, by range or by rule."""
    return weapon.range in ("Template", "Hellstorm") or "template" in rules or "hellstorm" in rules


def is_hellstorm(weapon: Weapon, rules: SpecialRules) -> bool:
    """Hellstorm weapons."""
    return weapon.range == "Hellstorm" or "hellstorm" in rules


def blast_of(weapon: Weapon, rules: SpecialRules) -> str | None:
    """The kind of blast marker a weapon uses; Barrage alone means the small one."""
    found = [name for name in BLASTS if name in rules]
    if found:
        return found[-1]
    return "blast" if "barrage" in rules or weapon.kind == "Bomb" else None


def _zones(rules: SpecialRules, strength: int | None, ap: int | None) -> tuple[tuple[int, int | None, int | None], ...]:
    """The zones of "Apocalyptic Mega-blast (10/8/6, 2/3/4)": Strengths and APs from the middle outwards.

    Source: HH L2895-L2901 [text]; a model is hit in each zone as often as the zone is large [decision].
    """
    if "apocalyptic mega-blast" not in rules:
        return ()
    found = [re.findall(r"\d+", part) for part in (rules.values("apocalyptic mega-blast")[0] or "").split(",")]
    rows = [[int(number) for number in row] for row in (*found, [], [])[:2]]
    last = (rows[0][-1] if rows[0] else strength, rows[1][-1] if rows[1] else ap)
    return tuple(zip(MEGA_BLAST_ZONES, [*rows[0], *[last[0]] * 3], [*rows[1], *[last[1]] * 3], strict=False))


def best_roll(*rolls: int | None) -> int | None:
    """The easiest of several rolls; None where there is none."""
    return min((roll for roll in rolls if roll is not None), default=None)
