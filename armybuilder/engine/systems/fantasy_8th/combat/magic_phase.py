"""Dice of the magic phase: winds of magic, casting, dispelling, the miscast table, and what magic items do to them.

In these documents `attacker` is the caster's unit and `defender` the unit that holds the dispeller, the target or both:
what they carry and what is in effect on them counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, binomial, certain, of, uniform
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.systems.fantasy_8th.combat.experiments import D6, TWO_D6, Experiment, Ints
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide, characteristic
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import effects_of, note_rules, unit_items
from armybuilder.engine.systems.fantasy_8th.combat.saves import Against, modified, saves_of
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Side, Wizard
from armybuilder.engine.systems.fantasy_8th.reference import Spell, lores, spell_named
from armybuilder.engine.systems.matchups import ModelNotes

POOL = 12
"""The most dice a pool holds. Source: L111 [text]."""

DWARFS = frozenset({"dwarf", "dwarfs", "dwarves", "гном", "гномы", "дварф", "дварфы"})

MISCASTS: Mapping[int, str] = {0: "2-4", 1: "5-6", 2: "7", 3: "8-9", 4: "10-12", 5: "-"}
"""Rows of the miscast table; the last one is a miscast that is ignored. Source: L152-166 [text]."""

BEASTLY = frozenset(
    {"war_beast", "cavalry", "monstrous_beast", "monstrous_cavalry", "chariot", "monster", "swarm"}
)  # fmt: skip
"""Troop types on which the Lore of Beasts is cast more easily. Source: L1752-1756 [text]."""

D3 = uniform(range(1, 4))
BOUND_POWER = 3
"""Power level of the Ruby Ring of Ruin. Source: L2450-2453 [text]."""


@dataclass(frozen=True)
class Casting:
    """A casting attempt.

    Attributes:
        dice: all that are rolled; bonus: level and items; value: to be reached.
        fed: the target was hit by the same fire before: D3 more.
    """

    dice: int
    bonus: int
    value: int
    doubles: bool
    wand: bool
    fed: bool

    @property
    def rolls(self) -> tuple[Distribution, ...]:
        """The dice with their sixes, the die of the wand, the D3 of the lore."""
        return (
            casting_roll(self.dice, doubles=self.doubles),
            D6 if self.wand else certain(0),
            D3 if self.fed else certain(0),
        )

    def judged(self, faces: Sequence[Ints]) -> tuple[Ints, Ints, Ints]:
        """Cast, cast with irresistible force, and the total that must be dispelled. Source: L137-151 [text]."""
        total, sixes = np.divmod(faces[0], RADIX)
        irresistible = sixes == RADIX - 1
        more = self.bonus + faces[2]
        cast = irresistible | ((total >= 3) & (total + more >= self.value))
        if self.wand:  # only where the roll falls short
            irresistible = irresistible | (~cast & (sixes == 1) & (faces[1] == 6))
            total = np.where(cast, total, total + faces[1])
            cast = irresistible | ((total >= 3) & (total + more >= self.value))
        return cast.astype(np.int64), irresistible.astype(np.int64), total + more


@dataclass(frozen=True)
class Dispelling:
    """A dispel attempt.

    Attributes:
        bonus: level and items; scroll: no dice are needed.
    """

    dice: int
    bonus: int
    sceptre: bool
    scroll: bool

    @property
    def rolls(self) -> tuple[Distribution, ...]:
        """The dice with their sixes, the die of the sceptre."""
        return casting_roll(self.dice, doubles=False), D6 if self.sceptre else certain(0)

    def judged(self, faces: Sequence[Ints], total: Ints | int) -> Ints:
        """Whether a total is dispelled. Source: L167-180 [text]."""
        own, sixes = np.divmod(faces[0], RADIX)
        dispelled = (sixes == RADIX - 1) | ((own >= 3) & (own + self.bonus >= total))
        if self.sceptre:
            more = own + faces[1]
            dispelled |= ((sixes == 1) & (faces[1] == 6)) | ((more >= 3) & (more + self.bonus >= total))
        return np.asarray(dispelled | self.scroll, np.int64)


RADIX = 3
"""A roll of several dice is written as its total times this, plus its sixes (two stand for all more)."""


@lru_cache(maxsize=256)
def casting_roll(dice: int, *, doubles: bool) -> Distribution:
    """Total and sixes of some D6; with `doubles` any double counts as two sixes."""
    states: dict[tuple[int, int, frozenset[int]], float] = {(0, 0, frozenset()): 1.0}
    for _ in range(dice):
        following: dict[tuple[int, int, frozenset[int]], float] = {}
        for (total, sixes, seen), chance in states.items():
            for face in range(1, 7):
                now = min(RADIX - 1, sixes + (face == 6))
                if doubles and face in seen:
                    now = RADIX - 1
                faces = seen | {face} if doubles and now < RADIX - 1 else frozenset()
                key = (total + face, now, faces)
                following[key] = following.get(key, 0.0) + chance / 6
        states = following
    chances: dict[int, float] = {}
    for (total, sixes, _), chance in states.items():
        code = total * RADIX + sixes
        chances[code] = chances.get(code, 0.0) + chance
    return of(chances)


def casting(matchup: FantasyMatchup, notes: ModelNotes, *, dice: int, value: int) -> Casting:
    """The attempt a document describes."""
    spell = spell_named(matchup.spell) if matchup.spell else None
    carried = items_in(matchup.attacker)
    level = (matchup.caster.wizard_level if matchup.caster is not None else None) or 0
    bonus = level + ("Book of Ashur" in carried)
    if "Ruby Ring of Ruin" in carried and not level and (matchup.spell is None or _is(spell, "Fireball")):
        value, bonus = min(value, BOUND_POWER), 0
        notes.assume(NOTES["ring_casts_fireball"])
    if spell is not None and matchup.defender is not None and _easier(spell, matchup.defender):
        value = max(1, value - 1)
    if "Power Stone" in carried:
        dice += 2
    if "Wand of Jet" in carried:
        notes.assume(NOTES["wand_used_when"])
    return Casting(
        dice,
        bonus,
        value,
        doubles="Power Scroll" in carried,
        wand="Wand of Jet" in carried,
        fed=spell is not None and matchup.defender is not None and _fed(spell, matchup.defender),
    )


def dispelling(matchup: FantasyMatchup, notes: ModelNotes, *, dice: int) -> Dispelling:
    """The dispel attempt a document describes."""
    carried = items_in(matchup.defender)
    dispeller = matchup.dispeller or Wizard()
    if "Sceptre of Stability" in carried:
        notes.assume(NOTES["sceptre_used_when"])
    return Dispelling(
        dice,
        dispel_bonus(dispeller) + ("Book of Ashur" in carried),
        sceptre="Sceptre of Stability" in carried,
        scroll="Dispel Scroll" in carried,
    )


def cast_spell(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """A casting attempt. Source: L137-151 [text]."""
    dice, value = matchup.dice, matchup.casting_value
    assert matchup.caster is not None and dice is not None and value is not None  # the kind's needs
    note_rules(matchup, notes, {}, items=("casting",), effects=(), besides=_fire_in_effect(matchup.defender))
    attempt = casting(matchup, notes, dice=dice, value=value)
    level = matchup.caster.wizard_level or 0
    answers = items_in(matchup.defender)
    feedback, hex_scroll = "Feedback Scroll" in answers, "Sivejir's Hex Scroll" in answers
    burnt = binomial(attempt.dice, 1 / 3) if feedback else certain(0)
    most = _wounds(matchup.attacker)

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        *rolled, hurt, die = faces
        cast, irresistible, _ = attempt.judged(rolled)
        found = {"p_cast": cast, "p_irresistible": irresistible}
        if feedback:
            found["attacker_wounds_lost"] = np.minimum(cast * hurt, most)
        if hex_scroll:
            found["p_toad"] = cast * (die > level)
        return found

    counted = ("attacker_wounds_lost",) if feedback else ()
    return Experiment((*attempt.rolls, burnt, D6 if hex_scroll else certain(0)), outcome, counted)


def dispel(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """A dispel attempt. Source: L167-180 [text]."""
    dispeller, dice, value = matchup.dispeller, matchup.dice, matchup.casting_total
    assert dispeller is not None and dice is not None and value is not None  # the kind's needs
    note_rules(matchup, notes, {}, items=("dispelling",), effects=())
    if matchup.conditions.irresistible_cast:
        return Experiment((), lambda faces: {"p_dispel": np.zeros(1)})
    attempt = dispelling(matchup, notes, dice=dice)
    shard = "Trickster's Shard" in items_in(matchup.attacker) and bool(dispeller.wizard_level)

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        *rolled, die = faces
        dispelled = attempt.judged(rolled, value)
        return {"p_dispel": dispelled, **({"wounds_lost": dispelled * (die >= 5)} if shard else {})}

    return Experiment((*attempt.rolls, D6 if shard else certain(0)), outcome)


def whole_attempt(casts: Casting, dispels: Dispelling | None) -> Experiment:
    """Casting, and dispelling where anybody tries to: whether the spell takes effect. Source: L137-180 [text]."""
    split = len(casts.rolls)

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        cast, irresistible, total = casts.judged(faces[:split])
        found = {"p_cast": cast, "p_irresistible": irresistible}
        if dispels is None:
            return found | {"p_takes_effect": cast}
        stopped = cast * (1 - irresistible) * dispels.judged(faces[split:], total)
        return found | {"p_dispel": stopped, "p_takes_effect": cast - stopped}

    return Experiment((*casts.rolls, *(dispels.rolls if dispels is not None else ())), outcome)


def dispel_bonus(dispeller: Wizard) -> int:
    """Wizard level; dwarfs without a wizard add 2. Source: L167-180 [text]."""
    level = dispeller.wizard_level or 0
    wizards = bool(level or dispeller.wizards)
    dwarfs = (dispeller.race or "").strip().casefold() in DWARFS
    return level + (2 if dwarfs and not wizards else 0)


def winds_of_magic(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Both pools with channelling on a 6. Source: L100-111 [text]."""
    note_rules(matchup, notes, {}, items=("winds",), effects=("winds",))
    channels = [_channelled(matchup.caster, matchup.attacker), _channelled(matchup.dispeller, matchup.defender)]
    rod = "Forbidden Rod" in items_in(matchup.attacker)
    most = _wounds(matchup.attacker)

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        first, second, own, other, more, hurt = faces
        found = {
            "power_dice": np.minimum(POOL, first + second + own + more),
            "dispel_dice": np.minimum(POOL, np.maximum(first, second) + other),
        }
        return found | ({"attacker_wounds_lost": np.minimum(hurt, most)} if rod else {})

    more, hurt = (D6, D3) if rod else (certain(0), certain(0))
    return Experiment((D6, D6, *channels, more, hurt), outcome, ("power_dice", "dispel_dice"))


def miscast(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """The miscast table. Source: L152-166 [text]."""
    note_rules(matchup, notes, {}, items=("miscast",), effects=("miscast",))
    rod = "Earthing Rod" in items_in(matchup.attacker)
    throne = matchup.attacker is not None and "Throne of Vines" in set(effects_of(matchup.attacker))
    known = matchup.attacker is not None and matchup.attacker.main.profile.T is not None
    if not known:
        notes.assume(NOTES["wizard_lost_only"])
    if rod:
        notes.assume(NOTES["rod_used_against"])
    heavy, light = (_struck(matchup.attacker, strength) if known else 0.0 for strength in (10, 6))

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        total, again, second, ignored, hurt, hurt_less = faces
        if rod:
            total = np.where(total <= 4, again, total)
        row = (total >= 5).astype(np.int64) + (total >= 7) + (total >= 8) + (total >= 10)
        if throne:
            row = np.where(ignored >= 2, len(MISCASTS) - 1, row)
        found = {"p_wizard_lost": ((row == 0) & (second <= 3)).astype(np.int64), "miscast_result": row}
        if known:
            found["attacker_wounds_lost"] = np.where(row <= 1, hurt, np.where(row == 3, hurt_less, 0))
        return found

    rolls = (TWO_D6, TWO_D6 if rod else certain(0), D6, D6 if throne else certain(0))
    return Experiment((*rolls, binomial(1, heavy), binomial(1, light)), outcome, ("miscast_result",))


def items_in(side: Side | None) -> frozenset[str]:
    """English names of the magic items of a unit that a document need not have."""
    return frozenset() if side is None else unit_items(side)


def _is(spell: Spell | None, name: str) -> bool:
    return spell is not None and spell.en == name


ENDLESS = 100
"""More wounds than anything in the magic phase deals."""


def _wounds(side: Side | None) -> int:
    """Wounds that a wizard can lose; where nobody says how many he has, as many as come."""
    return ENDLESS if side is None or side.main.profile.W is None else side.main.profile.W


def _channelled(wizard: Wizard | None, side: Side | None) -> Distribution:
    """Dice that wizards add to the pool, or as many as it holds. Source: L100-111, L1286-1294, L2416-2418 [text].

    Both pools are enumerated against each other, so no more values may stand here than can matter.
    """
    number = (wizard.wizards or 0) if wizard is not None else 0
    near = set(effects_of(side)) if side is not None else set()
    each = 4 if "Arcane Ruins" in near else 1
    sixes = 1 + ("Elven Waystone" in near)
    staff = number > 0 and "Channelling Staff" in items_in(side)
    bearer = binomial(each, (sixes + 1) / 6) if staff else certain(0)
    return (bearer + binomial(each * (number - staff), sixes / 6)).clipped(high=POOL)


def _easier(spell: Spell, target: Side) -> bool:
    """Whether the Lore of Beasts takes to its target. Source: L1752-1756 [text]."""
    return spell in lores()["beasts"].spells and target.main.troop_type in BEASTLY


def _fire_in_effect(target: Side | None) -> tuple[str, ...]:
    """Spells of fire that have hit the target in this phase. Source: L1703-1708 [text]."""
    if target is None:
        return ()
    burning = {one.en for one in lores()["fire"].spells if one.type in ("magic_missile", "direct_damage")}
    return tuple(name for name in effects_of(target) if name in burning)


def _fed(spell: Spell, target: Side) -> bool:
    kindles = spell in lores()["fire"].spells and spell.type in ("magic_missile", "direct_damage")
    return kindles and bool(_fire_in_effect(target))


def _struck(side: Side | None, strength: int) -> float:
    """Chance that one hit of this Strength wounds the wizard."""
    assert side is not None
    fighting_side, group = (
        FightingSide(side, "attacker", FantasyMatchup(system="fantasy-8th", kind="miscast").options),
        side.main,
    )
    toughness = characteristic(fighting_side, group.profile, "T", group, f"/attacker/models/{side.main_index}")
    need = wound_roll(strength, toughness, hopeless_gap=None)
    saves = saves_of(side, group, Against("hits", front=False), fighting_side.options)
    armour = modified(saves.armour, strength, False)
    best = min((save for save in (saves.ward, saves.regeneration) if save is not None), default=7)
    unsaved = (7 - (need or 7)) / 6
    for save in (armour, best):
        unsaved *= 1 - (7 - save) / 6 if save is not None else 1
    return unsaved
