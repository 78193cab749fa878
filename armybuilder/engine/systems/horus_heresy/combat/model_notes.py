"""Which special rules of a document are in the numbers, which roughly, and which not at all."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from armybuilder.engine.systems.horus_heresy.combat.assault import DESOLATION
from armybuilder.engine.systems.horus_heresy.combat.special_rules import (
    BLASTS,
    CARRIED,
    MODELLED,
    affects_combat,
    split_rule,
)
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, HeresyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes

DEFENSIVE = frozenset(
    {
        "feel no pain", "shrouded", "eternal warrior", "battle-hardened", "swarm", "blast-shield", "deadly cargo",
        "fearless", "adamantium will", "massive fortification",
    }
)  # fmt: skip
RANGED = frozenset(
    {
        "poisoned", "fleshbane", "rending", "murderous strike", "instant death", "shred", "armourbane",
        "monster hunter", "force", "psychic focus", "graviton pulse", "haywire", "deflagrate", "ignores cover",
        "night vision", "sanctic", "lance", "sunder", "exoshock", "twin-linked", "master-crafted", "gets hot",
        "preferred enemy", "skyfire", "strafing run", "relentless", "slow and purposeful", "template", "hellstorm",
        "torrent", "breaching", "brutal", "pinning", "shell shock", "concussive", "blind", "hallucinations",
        "guided fire",
    }
)  # fmt: skip
BLOWS = frozenset(
    {
        "poisoned", "fleshbane", "rending", "murderous strike", "instant death", "shred", "armourbane",
        "monster hunter", "force", "psychic focus", "graviton pulse", "haywire", "deflagrate", "sanctic", "lance",
        "sunder", "exoshock", "twin-linked", "master-crafted", "preferred enemy", "hatred", "furious charge", "rage",
        "breaching", "brutal",
        "rampage", "bulky", "jump pack", "jet pack",
        "counter-attack", "cumbersome", "specialist weapon", "two-handed", "hammer of wrath",
    }
)  # fmt: skip
ROUND = (
    BLOWS
    | DEFENSIVE
    | {"unwieldy", "reach", "sudden strike", "move through cover"}
    | {"fear", "stubborn", "crusader", "slow and purposeful"}
)
TESTS = frozenset({"fearless", "stubborn", "night vision"})

IN_PLAY: dict[str, dict[str, frozenset[str]]] = {
    "shooting": {"attacker": RANGED, "defender": DEFENSIVE | {"stubborn", "slow and purposeful"}},
    "melee": {"attacker": BLOWS | {"concussive", "blind"}, "defender": DEFENSIVE | {"bulky", "jump pack", "jet pack"}},
    "hammer_of_wrath": {"attacker": frozenset({"hammer of wrath"}), "defender": DEFENSIVE},
    "ram": {"defender": DEFENSIVE | {"stubborn"}},
    "combat_round": {"attacker": ROUND, "defender": ROUND},
    "leadership_test": {"unit": TESTS},
    "charge": {"unit": frozenset({"fleet", "move through cover", "jump pack"})},
    "pursuit": {"winner": frozenset({"crusader", "slow and purposeful"}), "loser": frozenset({"crusader"})},
    "perils_of_the_warp": {"unit": frozenset({"adamantium will"})},
}
"""By kind and side: the rules that the model of this kind reads."""

PICKING = frozenset({"precision shots", "precision strikes", "sniper"})
"""Rules by which the attacker chooses who is wounded."""

AGAINST = PICKING | {"duellist's edge", "shock pulse", "rad-phage"}
"""Rules that can do something to some enemies only, and are not in the numbers against all of them."""

PICKED = (
    "Wounds that the attacker allocates go to Characters, without any to the group that would fall last, then to the "
    "others.",
    "Ранения, которые распределяет атакующий, достаются персонажам, без них – группе, которая погибла бы последней, "
    "затем остальным.",
)

SIDES = ("attacker", "defender", "unit", "winner", "loser")


def texts_of(side: Side) -> Iterator[str]:
    """Every special rule written anywhere in a side."""
    yield from side.rules
    for group in side.models:
        yield from group.rules
        for weapon in group.weapons:
            yield from weapon.rules


def unknown_rules(texts: Iterable[str]) -> tuple[str, ...]:
    """Those rules that no kind of simulation models, each once, as they are written."""
    names = {text: split_rule(text)[0] for text in texts}
    return tuple(text for text, name in names.items() if name not in MODELLED and affects_combat(name))


def note_rules(matchup: HeresyMatchup, basis: ModelNotes) -> None:
    """Enter the rules of all sides and the readings in force into the basis."""
    basis.options.update(matchup.options.listed())
    for name in SIDES:
        side: Side | None = getattr(matchup, name)
        if side is not None:
            enemy = _facing(matchup, name)
            tell(matchup.kind, name, side, () if enemy is None else (enemy,), basis)
            stated = matchup.circumstances
            if isinstance(stated, AttackConditions) and stated.answering is not None and name == "attacker":
                tell("shooting", "attacker", stated.answering, (side,), basis)
            if not (isinstance(stated, AttackConditions) and stated.game_turn):
                _note_daemons(side, basis)


def _note_daemons(side: Side, basis: ModelNotes) -> None:
    if any(group.is_a("daemon") for group in side.models):
        basis.assume(
            "Strength and Toughness of Daemons are taken as written (game turns 3 and 4).",
            "Сила и стойкость демонов взяты как указано (3-й и 4-й игровые ходы).",
        )


def tell(kind: str, name: str, side: Side, enemies: Sequence[Side], basis: ModelNotes) -> None:
    """Enter the rules of one side that fights with any of these enemies.

    Args:
        kind: of simulation; name: the part that the side plays in it, e.g. "attacker".
    """
    shoots = kind == "shooting" and name == "attacker"
    scattered = _only_on_blasts(side)
    for text in texts_of(side):
        rule = split_rule(text)[0]
        roughly = _roughly(rule, marker=text in scattered)
        if roughly is not None and shoots:
            basis.approximate(text, *roughly)
        elif rule == DESOLATION and kind in ("melee", "combat_round"):
            basis.approximate(text, *BURNT)
        elif rule in BLASTS or rule == "barrage":
            continue  # shots of the side that is shot at
        elif rule in AGAINST:
            _tell_against(text, {_against(rule, kind, name, side, enemy) for enemy in enemies}, basis)
        elif rule in IN_PLAY[kind].get(name, frozenset()):
            basis.modelled.append(text)
            if rule in CARRIED:
                basis.assume(
                    f"{text} works as in the published game; the rules text does not hold it.",
                    f"«{text}» действует как в изданной игре; в тексте правил его нет.",
                )
        elif rule not in MODELLED and affects_combat(rule):
            basis.not_simulated.append(text)
    picks = kind == "combat_round" or (kind in ("shooting", "melee") and name == "attacker")
    if picks and any(g.type == "primarch" for g in side.models) and any(enemy.is_motley for enemy in enemies):
        basis.assume(*PICKED)


BURNT = (
    "The flames hit the stated number of enemies, three without one, and none of the bearer's own men; their wounds "
    "count in the combat result.",
    "Пламя поражает указанное число врагов (без указания – трёх) и никого из своих; нанесённые им раны входят в "
    "результат боя.",
)


def _roughly(rule: str, *, marker: bool) -> tuple[str, str] | None:
    """How a rule of a shooting attack is only roughly in the numbers; None for rules that are exactly or not in them.

    Args:
        marker: it stands on weapons with a blast marker alone.
    """
    if rule == "crawling fire":
        return (
            "The marker is shifted over one model more than it would hit.",
            "Маркер сдвигают так, чтобы накрыть на одну модель больше.",
        )
    if rule == "apocalyptic mega-blast":
        return (
            "The marker hits the stated number of models, each in one of its zones by their area.",
            "Маркер накрывает указанное число моделей, каждую – в одной из зон, по их площади.",
        )
    if rule in BLASTS or rule == "barrage":
        return (
            "The marker hits the stated number of models; it does not scatter.",
            "Маркер накрывает указанное число моделей и не смещается.",
        )
    if rule == "twin-linked" and marker:
        return (
            "A marker does not scatter here, so its scatter is not rolled again.",
            "Маркер здесь не смещается, поэтому смещение не перебрасывается.",
        )
    return None


def _only_on_blasts(side: Side) -> frozenset[str]:
    """Rules that stand on weapons with a blast marker and nowhere else in a side."""
    marked: set[str] = set()
    others: set[str] = {*side.rules, *(text for group in side.models for text in group.rules)}
    for group in side.models:
        for weapon in group.weapons:
            names = {split_rule(text)[0] for text in weapon.rules}
            (others if names.isdisjoint({*BLASTS, "barrage"}) else marked).update(weapon.rules)
    return frozenset(marked - others)


Told = Literal["exactly", "roughly", "not"]


def _tell_against(text: str, found: set[Told | None], basis: ModelNotes) -> None:
    """Enter a rule that is not in the numbers against all enemies, or that does nothing to some."""
    if "not" in found:
        basis.not_simulated.append(text)
    elif "roughly" in found:
        basis.approximate(text, *PICKED)
    elif "exactly" in found:
        basis.modelled.append(text)


def _against(rule: str, kind: str, name: str, own: Side, enemy: Side) -> Told | None:
    """How such a rule is in the numbers; None where it can do nothing to this enemy.

    Allocation needs models that differ (L3225-L3235, L3321), Rad-phage a model that survives a wound (L3245).
    """
    resolved = kind in ("shooting", "melee") and name == "attacker"
    fought = kind == "combat_round"
    if not resolved and not fought:
        return None
    concerned, counted = False, False
    if rule == "shock pulse":
        concerned, counted = enemy.is_a_machine, resolved
    elif rule == "rad-phage":
        concerned, counted = enemy.may_be_hurt, resolved or not enemy.makes_checks
    elif rule in ("precision shots", "sniper"):
        concerned, counted = enemy.is_motley and kind == "shooting", True
    elif rule == "precision strikes":
        concerned, counted = enemy.is_motley and kind != "shooting", resolved or not enemy.makes_checks
    elif rule == "duellist's edge":
        concerned, counted = fought and enemy.has_character, own.is_lone_character and enemy.is_lone_character
    if not concerned:
        return None
    return "not" if not counted else "roughly" if rule in PICKING else "exactly"


def _facing(matchup: HeresyMatchup, name: str) -> Side | None:
    """The side that the rules of this one are used on."""
    other = {"attacker": "defender", "defender": "attacker", "winner": "loser", "loser": "winner"}.get(name)
    found: Side | None = getattr(matchup, other) if other is not None else None
    return found
