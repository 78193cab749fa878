"""Automatic hits of close combat: impact hits, Stomp and Thunderstomp, breath weapons."""

from collections.abc import Iterator
from dataclasses import dataclass

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat.attacks import Attack
from armybuilder.engine.systems.fantasy_8th.combat.formation import fighting
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import (
    FightingSide,
    MeleeAttacker,
    PartName,
    blow_rules,
    characteristic,
    dice_again,
    finished,
    harms,
    melee_arm,
    target_toughness,
    wound_bonus,
)
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import (
    LIKE_INFANTRY,
    effects_of,
    group_rules,
    unit_items,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import Against, Mode
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import Rules, dice, in_force, merge, number
from armybuilder.engine.systems.fantasy_8th.combat.weapons import HAND_WEAPON
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, Group, Side, number_of

FLAMES = 4
"""Strength of a Burning Barricade. Source: L1268-1269 [text]."""

KEPT = ("flaming_attacks", "magical_attacks", "ethereal")
"""Rules of the model that its automatic hits have too."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """The group that makes the hits."""

    fighting_side: FightingSide
    index: int
    at: str

    @property
    def group(self) -> Group:
        """Its models."""
        return self.fighting_side.side.models[self.index]


def impact_hits(fighting_side: FightingSide, enemy: FightingSide) -> Iterator[MeleeAttacker]:
    """Hits of a completed charge. Source: L498-506, L744-753 [text]."""
    if not fighting_side.charging or fighting_side.combat_round != 1 or fighting_side.building:
        return
    for index, group, rules, at in _groups(fighting_side):
        if "impact_hits" not in rules:
            continue
        if not (rules["impact_hits"] or "").strip() and "scythes" in rules:
            rules["impact_hits"] = "D6+1"
        hits = dice(rules, "impact_hits", at)
        assert hits is not None
        strength = characteristic(fighting_side, group.ramming, "S", group, at)
        yield MeleeAttacker(
            index, "rider", hits, 0, 0, _hits(Bearer(fighting_side, index, at), enemy, strength, "rider")
        )


def flames(fighting_side: FightingSide, enemy: FightingSide, *, places: int | None = None) -> Iterator[MeleeAttacker]:
    """Hits on those who charge the defenders of a Burning Barricade, one on each model in contact (L1268-1269).

    Args:
        fighting_side: the defenders.
        places: how many infantry models may fight at all; None for a fight in ranks.
    """
    if "Burning Barricade" not in set(effects_of(fighting_side.side)) or not enemy.charging or enemy.combat_round != 1:
        return
    contact, _ = fighting(enemy, fighting_side.side, [group.count for group in enemy.side.models], places=places)
    barricade = Group(name="Burning Barricade", count=1)
    bearer = Bearer(
        FightingSide(Side(models=(barricade,)), fighting_side.name, fighting_side.options), 0, f"/{fighting_side.name}"
    )
    hit = _attack(bearer, enemy, {}, FLAMES, "hits")
    number_of_hits = Dice(0, 0, sum(contact))
    yield MeleeAttacker(fighting_side.side.main_index, "rider", number_of_hits, 0, 0, hit, number_of_hits)


def stomps(fighting_side: FightingSide, enemy: FightingSide) -> Iterator[MeleeAttacker]:
    """Stomp and Thunderstomp on infantry, war beasts and swarms. Source: L606-610, L741-742 [text]."""
    if enemy.target.troop_type not in LIKE_INFANTRY:
        return
    for index, group, rules, at in _groups(fighting_side):
        if group.troop_type == "chariot":
            continue
        if "thunderstomp" in rules:
            hits = Dice(1, 6)
        elif "stomp" in rules:
            hits = Dice(0, 0, 1)
        else:
            continue
        mounted = group.mount is not None and group.troop_type == "monstrous_cavalry"
        if mounted and fighting_side.building:  # nobody fights mounted in a building
            continue
        part: PartName = "mount" if mounted else "rider"
        profile = group.mount.profile if group.mount is not None and mounted else group.profile
        strength = characteristic(
            fighting_side, profile, "S", None if mounted else group, f"{at}/mount" if mounted else at
        )
        yield MeleeAttacker(index, part, hits, 0, 0, _hits(Bearer(fighting_side, index, at), enemy, strength, part))


def breath(fighting_side: FightingSide, enemy: FightingSide, conditions: Conditions) -> Iterator[MeleeAttacker]:
    """Breath weapons: 2D6 hits hand to hand, otherwise on the models under the template. Source: L401-413 [text].

    Raises:
        BadDocument: the number of models under the template is missing.
    """
    for index, group, rules, at in _groups(fighting_side):
        if "breath_weapon" not in rules:
            continue
        if conditions.in_close_combat:
            number_of_hits = Dice(2, 6)
        elif enemy.side.terrain == "building":  # a template, E-56
            number_of_hits = Dice(1, 6)
        elif conditions.models_covered is not None:
            number_of_hits = number_of(conditions.models_covered, "/conditions/models_covered")
        else:
            raise BadDocument(
                "Missing field 'models_covered': a template hits the models under it.", "/conditions/models_covered"
            )
        value = rules["breath_weapon"] or ""
        own = in_force(part.strip() for part in value.split(","))
        strength = number(value.split(",")[0])
        if strength is None:
            strength = characteristic(fighting_side, group.profile, "S", group, at)
        bearer = Bearer(fighting_side, index, at)
        hits = _attack(bearer, enemy, own, strength, "blow" if conditions.in_close_combat else "shooting")
        yield MeleeAttacker(index, "rider", number_of_hits, 0, 0, hits)


def _groups(fighting_side: FightingSide) -> Iterator[tuple[int, Group, Rules, str]]:
    for index, group in enumerate(fighting_side.side.models):
        if group.count:
            rules = in_force(fighting_side.side.rules)
            merge(rules, group_rules(group).items())
            if group.mount is not None:
                merge(rules, in_force(group.mount.rules).items())
            yield index, group, rules, f"/{fighting_side.name}/models/{index}"


def _hits(bearer: Bearer, enemy: FightingSide, strength: int, part: PartName) -> Attack:
    all_rules = blow_rules(bearer.fighting_side.side, bearer.group, part, melee_arm(bearer.group)[0])
    return _attack(bearer, enemy, {slug: all_rules[slug] for slug in KEPT if slug in all_rules}, strength, "hits")


def _attack(bearer: Bearer, enemy: FightingSide, rules: Rules, strength: int, mode: Mode) -> Attack:
    side = bearer.fighting_side.side
    wound = wound_roll(strength, target_toughness(enemy), hopeless_gap=None)
    assert wound is not None
    harmful = harms(side, bearer.group, rules, HAND_WEAPON, enemy)
    return finished(
        Attack(
            1,
            max(2, wound - wound_bonus(side, enemy.side)) if harmful else None,
            wound_again=frozenset(dice_again(set(effects_of(side)))),
        ),
        rules,
        strength=strength,
        enemy=enemy,
        against=Against(mode, front=side.attacks_from == "front", flaming="flaming_attacks" in rules),
        shards="The Other Trickster's Shard" in unit_items(side),
        at=bearer.at,
    )
