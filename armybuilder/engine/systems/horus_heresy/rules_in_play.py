"""Which special rules of a document are in the numbers, which roughly, and which not at all."""

from collections.abc import Iterable, Iterator

from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup, Side
from armybuilder.engine.systems.horus_heresy.special_rules import BLASTS, CARRIED, MODELLED, has_a_part, split_rule
from armybuilder.engine.systems.matchups import Basis

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
        "torrent", "breaching", "brutal", "pinning", "shell shock", "concussive", "blind",
    }
)  # fmt: skip
BLOWS = frozenset(
    {
        "poisoned", "fleshbane", "rending", "murderous strike", "instant death", "shred", "armourbane",
        "monster hunter", "force", "psychic focus", "graviton pulse", "haywire", "deflagrate", "sanctic", "lance",
        "sunder", "exoshock", "twin-linked", "master-crafted", "preferred enemy", "hatred", "furious charge", "rage",
        "breaching", "brutal",
        "rampage", "bulky", "counter-attack", "cumbersome", "specialist weapon", "two-handed", "hammer of wrath",
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
    "melee": {"attacker": BLOWS | {"concussive", "blind"}, "defender": DEFENSIVE | {"bulky"}},
    "hammer_of_wrath": {"attacker": frozenset({"hammer of wrath"}), "defender": DEFENSIVE},
    "combat_round": {"attacker": ROUND, "defender": ROUND},
    "leadership_test": {"unit": TESTS},
    "charge": {"unit": frozenset({"fleet", "move through cover"})},
    "pursuit": {"winner": frozenset({"crusader", "slow and purposeful"}), "loser": frozenset({"crusader"})},
    "perils_of_the_warp": {"unit": frozenset({"adamantium will"})},
}
"""By kind and side: the rules that the model of this kind reads."""

ALLOCATING = frozenset({"precision shots", "precision strikes", "sniper"})
"""Rules by which the attacker chooses who is wounded."""

AGAINST_ONE = frozenset({"duellist's edge", "shock pulse"})
"""Rules that are only in the numbers where one model is struck: a Character by another one, a machine."""

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
    return tuple(text for text, name in names.items() if name not in MODELLED and has_a_part(name))


def report(matchup: HeresyMatchup, basis: Basis) -> None:
    """Enter the rules of all sides and the readings in force into the basis."""
    basis.options.update(matchup.options.listed())
    played = IN_PLAY[matchup.kind]
    for name in SIDES:
        side: Side | None = getattr(matchup, name)
        if side is None:
            continue
        for text in texts_of(side):
            rule = split_rule(text)[0]
            if rule == "crawling fire" and matchup.kind == "shooting" and name == "attacker":
                basis.approximate(
                    text,
                    "The marker is shifted over one model more than it would hit.",
                    "Маркер сдвигают так, чтобы накрыть на одну модель больше.",
                )
            elif rule in BLASTS or rule == "barrage":
                if matchup.kind == "shooting" and name == "attacker":
                    basis.approximate(
                        text,
                        "The marker hits the stated number of models; it does not scatter.",
                        "Маркер накрывает указанное число моделей и не смещается.",
                    )
            elif rule in AGAINST_ONE:
                found = _against_one(rule, matchup.kind, side, _facing(matchup, name))
                if found is not None:
                    (basis.modelled if found else basis.not_simulated).append(text)
            elif rule in played.get(name, frozenset()):
                basis.modelled.append(text)
                if rule in CARRIED:
                    basis.assume(
                        f"{text} works as in the published game; the rules text does not hold it.",
                        f"«{text}» действует как в изданной игре; в тексте правил его нет.",
                    )
            elif rule not in MODELLED and has_a_part(rule) and _concerns(rule, _facing(matchup, name)):
                basis.not_simulated.append(text)
    if any(group.is_a("daemon") for name in SIDES if (s := getattr(matchup, name)) is not None for group in s.models):
        basis.assume(
            "Strength and Toughness of Daemons are taken as written (game turns 3 and 4).",
            "Сила и стойкость демонов взяты как указано (3-й и 4-й игровые ходы).",
        )


def _against_one(rule: str, kind: str, own: Side, enemy: Side | None) -> bool | None:
    """Whether such a rule is in the numbers; None where it can do nothing to this enemy."""
    if enemy is None:
        return None
    if rule == "shock pulse":
        return (kind in ("shooting", "melee") and enemy.count == 1) if enemy.is_a_machine else None
    if kind != "combat_round" or not enemy.has_character:
        return None
    return own.is_lone_character and enemy.is_lone_character


def _facing(matchup: HeresyMatchup, name: str) -> Side | None:
    """The side that the rules of this one are used on."""
    other = {"attacker": "defender", "defender": "attacker", "winner": "loser", "loser": "winner"}.get(name)
    found: Side | None = getattr(matchup, other) if other is not None else None
    return found


def _concerns(rule: str, enemy: Side | None) -> bool:
    """Whether a rule that is not modelled can do anything to this enemy at all.

    Allocation needs models that differ (L3225-L3235, L3321); Rad-phage a model that survives a wound (L3245).
    """
    groups = [group for group in enemy.models if group.count] if enemy is not None else []
    if not groups:
        return True
    if rule in ALLOCATING:
        return len({(group.type, group.subtypes, group.profile, group.rules, group.weapons) for group in groups}) > 1
    if rule == "rad-phage":
        return any(not group.has_armour_value and (group.profile.wounds or 1) > 1 for group in groups)
    return True
