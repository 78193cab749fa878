"""Weapons of army books as their data prints them: a row of a weapon, or a special rule that is one."""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import cast, get_args

from msgspec.structs import replace

from armybuilder.engine.roster.state import ProfileState, RuleState
from armybuilder.engine.systems.fantasy_8th.combat import special_rules
from armybuilder.engine.systems.fantasy_8th.combat.weapons import MISSILE, is_missile, named
from armybuilder.engine.systems.fantasy_8th.matchup import ListedWeapon, Machine, When
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.list_rules import Override
from armybuilder.engine.systems.notation import Strength
from armybuilder.engine.systems.special_rules import LONGEST_PRINTED

Carried = str | ListedWeapon

MACHINES = {
    "cannon ball": "Great cannon", "cannonball": "Great cannon", "great cannon": "Great cannon", "cannon": "Cannon",
    "grapeshot": "Grapeshot", "bolt thrower": "Bolt thrower", "stone thrower": "Stone thrower",
    "fire thrower": "Fire thrower",
}  # fmt: skip
"""Weapons of war machines that the data names in another way than the rulebook."""

LIKE_MACHINES = {
    "flame thrower": "fire thrower", "warpfire thrower": "fire thrower", "cannon grapeshot": "grapeshot",
}  # fmt: skip

SHOTS = {"repeater bolt thrower": 6, "reaper bolt thrower": 6, "volley": 6}
"""Shots of elven bolt throwers, which their data leaves to the army book [carried]."""

_DICE = re.compile(r"\b(\d*)D([36])(?:\+(\d+))?", re.IGNORECASE)
_STRENGTH = re.compile(r"(?<![\d\w])(\d+)(?![\d\w])|([+]\d+)|[x×](\d+)")
_LIKE = re.compile(
    r"(?:.*\b(?:is a|like a?)\s+)?(cannon|bolt thrower|stone thrower|fire thrower)\.?(?:\s*\(.*\))?", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"\(([^()]*)\)\s*$")
_HITS = re.compile(r"(\d*D[36](?:\+\d+)?|\d+) hits", re.IGNORECASE)
_FIRST_ROUND = re.compile(r"first round|1st round", re.IGNORECASE)
_ON_THE_CHARGE = re.compile(r"on (?:the |a )?charge|when charging", re.IGNORECASE)
_ONLY_THEN = re.compile(r"S bonus only when charging\.?", re.IGNORECASE)
_SHOTS = re.compile(
    r"multiple shots \((?:(?P<dice>\d*)D(?P<sides>[36]))?\+?(?P<plus>\d+)?\)(?:\s*\([^)]*\))?", re.IGNORECASE
)
_WORSE_SAVE = re.compile(r"-(\d) (?:AS|armour save)", re.IGNORECASE)
_NEXT_RULE = re.compile(rf",(?![^(]{{0,{LONGEST_PRINTED}}}\))|\.\s+")
_REFERENCE = re.compile(r"\((?:BRB|AB)-[^()]*\)", re.IGNORECASE)
_BREATHED = re.compile(r"\bbreath\b|flame template", re.IGNORECASE)
_BREATH = re.compile(r"breath (?:weapon|attack)\b", re.IGNORECASE)
_BREATH_IN_TEXT = re.compile(
    r"\bS(?:tr(?:eng(?:th|h))?)?\s?(\d)\b(?:\s+\w+){0,2}\s+breath weapon"
    r"|breath (?:weapon|attack)\b.{0,24}?\bstr(?:ength)? (\d)",
    re.IGNORECASE,
)
_BREATH_STRENGTH = re.compile(r"strength (\d)\b", re.IGNORECASE)
_SAID_OF_A_BREATH = {
    "Flaming Attacks": r"\bflaming attack",
    "No Armour Saves": r"\bno armour saved?\b",
    "Magical Attacks": r"\bmagical\b",
}
_FLAMING = re.compile(r"flamm?ing attacks?", re.IGNORECASE)
_ONCE = re.compile(r"once per (?:battle|game)|one use|2D6 (?:auto )?hits|2D6 auto", re.IGNORECASE)
_RULE = re.compile(r"range\s+(\d+)\W*\s+str(?:ength)?\.?\s+(\d+)\b(.*)", re.IGNORECASE | re.DOTALL)


def weapon_of(name: str, row: ProfileState, *, machine: str = "") -> ListedWeapon:
    """A weapon of an army book, by its profile.

    Args:
        machine: what its war machine is said to be, "Stone Thrower".
    """
    reach = re.findall(r"\d+", row.value("Range") or "")
    text = (row.value("Strength") or "").replace("As user", "User")
    printed = _printed(row.value("Special Rules") or "")
    kind = _kind(row.name, printed, machine)
    under_template = kind == "fire thrower" or "template" in (row.value("Range") or "").casefold()
    centre = re.search(r"\d\s*\((\d+)\)", text)
    strength = _strength(text)
    rules, hits = [], None
    for rule in printed:
        worse, struck = _WORSE_SAVE.fullmatch(rule), _HITS.fullmatch(rule)
        if worse is not None and isinstance(strength, int):
            rules += ["Armour Piercing"] * (int(worse[1]) > max(0, strength - 3))
        elif struck is not None:
            hits = struck[1].upper()
        elif not (kind and _LIKE.fullmatch(rule)) and not _ONLY_THEN.fullmatch(rule):
            rules.append(rule)
    rules += _shots(row.name, printed)
    if "per rank" in text or any(folded(rule).startswith("bolt thrower") for rule in printed):
        rules.append("Rank Penetration")
    return ListedWeapon(
        name=name,
        range=float(max(map(int, reach))) if reach else "Template" if under_template else "-",
        S=strength,
        centre_S=int(centre[1]) if centre and int(centre[1]) else None,
        rules=tuple(rule for rule in rules if rule.strip("–- ")),
        override=Override(hits=hits) if hits else None,
        works_as=kind,
        when="charging" if any(map(_ONLY_THEN.fullmatch, printed)) else _when(text),
    )


def _printed(text: str) -> list[str]:
    """The rules behind a weapon, and whole sentences: what goes on in small letters belongs to what is before.

    Authors part rules by commas, which sentences have too: "If her shot hits, place the small template".
    """
    found: list[str] = []
    for part in _NEXT_RULE.split(text):
        for rule in special_rules.printed_apart(part.strip()):
            if found and rule[:1].islower() and not special_rules.is_known(rule) and not _is_said(found[-1]):
                found[-1] = f"{found[-1]}, {rule}"
            else:
                found.append(rule)
    return found


def _is_said(rule: str) -> bool:
    """Whether it says something by itself: it is a rule, a number of hits, a kind of machine, or long enough."""
    if len(rule) > LONGEST_PRINTED:
        return True
    return special_rules.is_known(rule) or any(one.fullmatch(rule) for one in (_WORSE_SAVE, _HITS, _LIKE, _ONLY_THEN))


def _when(strength: str) -> When:
    """In which turns a Strength counts: "+2 on the charge" is a lance's, "+2 (first round)" a flail's."""
    if _ON_THE_CHARGE.search(strength):
        return "charging"
    return "first_round" if _FIRST_ROUND.search(strength) else "always"


def _shots(name: str, rules: Iterable[str]) -> list[str]:
    """What is known of the shots of a weapon whose data does not say it."""
    number = SHOTS.get(folded(name))
    said = any(folded(rule).startswith("multiple shots") for rule in rules)
    return [] if number is None or said else [f"Multiple Shots ({number})"]


def unread_strength(row: ProfileState) -> str | None:
    """The Strength of a shot that is rolled for each: the average counts."""
    text = (row.value("Strength") or "").strip()
    return f"{row.name}: S {text}" if _DICE.search(text) or "dice" in text.casefold() else None


def _strength(text: str) -> Strength:
    """A number, or a change of the user's own; of dice the average, rounded down."""
    dice = _DICE.search(text)
    if dice is not None:
        number, sides, plus = int(dice[1] or 1), int(dice[2]), int(dice[3] or 0)
        return number * (sides + 1) // 2 + plus
    if "artillery" in text.casefold():
        return 6  # 2, 4, 6, 8 or 10
    match = _STRENGTH.search(text)
    if match is None:
        return "User"
    return int(match[1]) if match[1] else match[2] or f"x{match[3]}"


def _kind(name: str, rules: Iterable[str], machine: str) -> Machine | None:
    """The machine of the rulebook that a weapon works as: by its name, its rules, or what its machine is."""
    bracketed = _IN_BRACKETS.search(name)
    said = [folded(bracketed[1])] if bracketed else []
    plain = folded(read.weapon_name(name))
    said += [plain, plain.split(" of ")[0], "grapeshot" if plain.endswith(" grapeshot") else ""]
    said += [folded(found[1]) for found in map(_LIKE.fullmatch, rules) if found]
    said.append(folded(machine))
    for text in said:
        kind = folded(MACHINES.get(text, LIKE_MACHINES.get(text, "")))
        if kind in get_args(Machine):
            return cast("Machine", kind)
    return None


def breath_of(row: ProfileState) -> tuple[str, tuple[str, ...]] | None:
    """A weapon that is breathed as the rulebook's rule, with what of its text is not understood (L401-413); else None.

    Authors print it by its range ("Flame Template", "Breath"), or name the rule beside the weapon.
    """
    reach = row.value("Range") or ""
    printed = [_REFERENCE.sub("", part).strip(" .") for part in _NEXT_RULE.split(row.value("Special Rules") or "")]
    named_so = [part for part in printed if _BREATH.match(part)]
    strength = _strength(row.value("Strength") or "")
    if not (named_so or _BREATHED.search(reach)) or not isinstance(strength, int):
        return None
    others = [part for part in printed if part.strip("–- ") and part not in named_so and not _ONCE.match(part)]
    others = ["Flaming Attacks" if _FLAMING.fullmatch(part) else part for part in others]
    known = [part for part in others if special_rules.is_known(part)]
    return f"Breath Weapon ({', '.join((str(strength), *known))})", tuple(part for part in others if part not in known)


def breath_in_text(rule: RuleState) -> tuple[str, tuple[str, ...]] | None:
    """The same of a special rule whose text says so: "A dragon has a Strength 4 Breath Weapon …"; its name where it
    says more."""
    text = " ".join((rule.description or "").split())
    found = _BREATH_IN_TEXT.search(text) or (_BREATH.match(rule.name) and _BREATH_STRENGTH.match(text))
    if not found or "D6" in text:  # one of several abilities that are rolled for
        return None
    strength = next(part for part in found.groups() if part)
    known = [name for name, said in _SAID_OF_A_BREATH.items() if re.search(said, text, re.IGNORECASE)]
    return f"Breath Weapon ({', '.join((strength, *known))})", (rule.name,) if "any unit" in text.casefold() else ()


def carried(name: str, row: ProfileState | None, *, machine: str = "") -> Carried:
    """A weapon as fighters have it: by the rulebook's name where the data says nothing else of it."""
    known = MACHINES.get(folded(name))
    if known is not None and row is not None:
        printed = weapon_of(name, row)
        same = next((arm for arm in (known, "Cannon") if _is_printed_so(printed, arm)), None)
        return same or printed
    if known is not None:
        return known
    return name if named(name) != (None, None) or row is None else weapon_of(name, row, machine=machine)


def _is_printed_so(printed: ListedWeapon, name: str) -> bool:
    """Whether the data gives the rulebook's range and Strength, and no rule that counts besides."""
    arm = MISSILE[folded(name)]
    more = (
        special_rules.in_force(printed.rules).keys() - special_rules.in_force((*arm.rules, "Rank Penetration")).keys()
    )
    silent = printed.range == "-" and printed.S == "User"
    return not more and (silent or (printed.range in (arm.reach, "-") and arm.strength == printed.S))


def one_spear(names: tuple[str, ...], *, mounted: bool, charging: bool) -> tuple[str, ...]:
    """Weapons of whom the data gives a spear: it prints the two ways to fight with it as two rows (L842, L849-850).

    Args:
        charging: whether the row of the spear speaks of the charge, and so is that of cavalry.
    """
    twice = {"spear", "cavalry spear"} <= {folded(name) for name in names}
    if not twice and not (mounted and charging):
        return names
    spear = "Cavalry spear" if mounted else "Spear"
    return tuple(dict.fromkeys(spear if folded(name) in ("spear", "cavalry spear") else name for name in names))


def several(weapon: Carried, number: int) -> Carried:
    """So many of a weapon as one that shoots as often: "Two Giant Blowpipes" of 2D6 shots fire 4D6."""
    if number == 1 or isinstance(weapon, str) or not any(map(_SHOTS.fullmatch, weapon.rules)):
        return weapon
    return replace(weapon, rules=tuple(_SHOTS.sub(partial(_so_often, number), rule) for rule in weapon.rules))


def _so_often(number: int, shots: re.Match[str]) -> str:
    dice = f"{int(shots['dice'] or 1) * number}D{shots['sides']}" if shots["sides"] else ""
    plus = int(shots["plus"] or 0) * number
    return f"Multiple Shots ({dice}{'+' if dice and plus else ''}{plus or ''})"


def weapons_in_rules(rules: Iterable[RuleState]) -> Iterator[ListedWeapon]:
    """Special rules that are a weapon: their text begins with its range and Strength."""
    for rule in rules:
        found = _RULE.match((rule.description or "").strip())
        if found is not None:
            more = tuple(line.strip() for line in re.split(r"[\n,]", found[3]) if line.strip())
            name = read.rule_name(rule.name)
            printed = (*more, *_shots(name, more))
            yield ListedWeapon(name=name, range=float(found[1]), S=int(found[2]), rules=printed)


def is_extra(weapon: Carried) -> bool:
    """Whether it only adds an attack."""
    melee = named(weapon)[0] if isinstance(weapon, str) else None
    return melee is not None and melee.grip == "second"


def in_use(weapons: Iterable[Carried]) -> tuple[Carried, ...]:
    """Without the hand weapon where there is a special one: a model that has one fights with it (L768-770)."""
    found = tuple(dict.fromkeys(weapons))
    special = tuple(weapon for weapon in found if not isinstance(weapon, str) or folded(weapon) != "hand weapon")
    fights = any(not is_missile(weapon) and not is_extra(weapon) for weapon in special)
    return special if fights else found
