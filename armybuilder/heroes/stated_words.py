"""What a hero, his cards and his plans state, as words that texts show and that are read back out of them.

One table says how each member is called; `words_of` writes with it, `member_in` reads with it, in either language.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from armybuilder.armylists.list_sheet import in_language, visible
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import (
    ATTRIBUTES,
    Action,
    Asset,
    Bonus,
    CorruptionCard,
    Hero,
    Loadout,
    Trophy,
)
from armybuilder.engine.systems.relic.list_rules.rules import COLOR_NAMES
from armybuilder.heroes.wording import (
    ACTION_NAMES,
    ASSET_CLASS_NAMES,
    DIAL_NAMES,
    FACE_WORDS,
    KIND_NAMES,
    MOMENT_NAMES,
    PHASE_NAMES,
    TIER_NAMES,
)

Names = Callable[[str], str]
Stated = tuple[str, Any]
"""A member by its key here, and its value."""

CHARACTER = Text("Character", "Персонаж")
POWER_CARD = Text("Power card", "Карта Силы")
CORRUPTION = Text("Corruption", "Порча")
TROPHY = Text("Trophy", "Трофей")

ASSETS = Text("Assets", "Активы")
POWERS = Text("Power cards", "Карты Силы")
CORRUPTION_CARDS = Text("Corruption cards", "Карты Порчи")
TROPHIES = Text("Trophies", "Трофеи")
PLANS = Text("Plans", "Планы")
PILES = (ASSETS, POWERS, CORRUPTION_CARDS, TROPHIES, PLANS)
"""Headings that cards stand under."""

_NUMBER = re.compile(r"[-−]?\d{1,6}$")
_BONUS = re.compile(r"(?P<color>.+) \+?(?P<value>[-−]?\d{1,6})$")
_BAND = re.compile(r"(?P<from>-?\d{1,6})[-–](?P<to>-?\d{1,6}): (?P<limit>-?\d{1,6})$")

_REROLLS = {
    "face_at_most": Text("low faces", "малые значения"),
    "if_not_winning": Text("if not winning", "если нет победы"),
    "if_failing": Text("if failing", "при провале"),
}
_USES = {"number": Text("number", "число"), "effect": Text("effect", "эффект")}
_SOURCES = {"scenario": Text("scenario sheet", "карточка сценария")}


@dataclass(frozen=True, slots=True)
class _Member:
    """How a member is called, and what its value is: a number, a name, one of some words, or nothing but its label."""

    label: Text
    kind: str = "number"
    words: Mapping[str, Text] = field(default_factory=dict)


_MEMBERS: dict[str, _Member] = {
    **{key: _Member(label) for key, label in DIAL_NAMES.items()},
    "called": _Member(Text("Hero", "Герой"), "name"),
    "checkpoint": _Member(Text("Moment", "Момент"), "choice", MOMENT_NAMES),
    "tier": _Member(Text("Place", "Место"), "choice", TIER_NAMES),
    "experience_skipped": _Member(Text("Experience phase skipped", "фаза Опыта пропущена"), "flag"),
    "corruption_discarded": _Member(Text("Corruption cards discarded", "карты Порчи сброшены"), "flag"),
    "battle_kit": _Member(Text("In battle", "В бою"), "name"),
    "skill_kit": _Member(Text("In tests", "В проверках"), "name"),
    "corrupted_characters": _Member(Text("Corrupted character", "Осквернённый персонаж"), "name"),
    "dice": _Member(Text("Dice", "Кубики")),
    "roll_modifier": _Member(Text("Added to the roll", "К броску")),
    "reroll": _Member(Text("Re-roll", "Переброс"), "choice", _REROLLS),
    "face_at_most": _Member(Text("Re-rolls faces up to", "Переброс значений до")),
    "times": _Member(Text("Re-rolls", "Число перебросов")),
    "power_cards_in_hand": _Member(Text("Power cards in hand", "Карт Силы на руке")),
    "power_numbers": _Member(Text("Power card of number", "Карта Силы с числом")),
    **{f"start_{key}": _Member(Text(f"Starts with {key}", f"В начале: {DIAL_NAMES[key].ru}")) for key in ATTRIBUTES},
    "start_life": _Member(Text("Starts with life", "В начале: Здоровье")),
    "asset_limit": _Member(Text("Most assets", "Больше всего активов")),
    "power_limits": _Member(Text("Power cards at levels", "Карты Силы на уровнях"), "band"),
    **{f"kind={key}": _Member(label, "flag") for key, label in KIND_NAMES.items()},
    "kind=": _Member(Text("asset", "актив"), "flag"),
    **{f"class={key}": _Member(label, "flag") for key, label in ASSET_CLASS_NAMES.items()},
    "battle_bonus": _Member(Text("battle bonus", "боевой бонус"), "bonus"),
    "skill_bonus": _Member(Text("skill bonus", "бонус проверки"), "bonus"),
    "charge_value": _Member(Text("charge value", "показатель зарядов")),
    "charges": _Member(Text("charges", "заряды")),
    **{f"face={key}": _Member(label, "flag") for key, label in FACE_WORDS.items()},
    "flipped_by_effect": _Member(Text("flipped by an effect", "перевёрнута эффектом"), "flag"),
    **{f"source={key}": _Member(label, "flag") for key, label in _SOURCES.items()},
    "phase": _Member(Text("phase", "фаза"), "choice", PHASE_NAMES),
    "cost": _Member(Text("cost", "цена")),
    "space": _Member(Text("space", "клетка"), "name"),
    "free_gain": _Member(Text("gained for free", "получено бесплатно"), "flag"),
    "from_space": _Member(Text("from space", "с клетки"), "name"),
    "card": _Member(Text("card", "карта"), "name"),
    "spent_this_turn": _Member(Text("spent this turn", "потрачено за ход")),
    "use": _Member(Text("used for", "ради чего"), "choice", _USES),
    "numbers_for_one_roll": _Member(Text("numbers for one roll", "чисел на один бросок")),
    "ability": _Member(Text("by an ability", "по способности"), "flag"),
    "cannot_evade": _Member(Text("cannot be evaded", "уклониться нельзя"), "flag"),
    "required_by_effect": _Member(Text("an effect demands it", "этого требует эффект"), "flag"),
    "character": _Member(Text("plays as", "играет за"), "name"),
}

_LOADOUT_FLAGS = ("experience_skipped", "corruption_discarded")
_LISTS = ("battle_kit", "skill_kit", "corrupted_characters", "power_numbers")
_USUAL = {"dice": 1, "roll_modifier": 0, "power_cards_in_hand": None, "corruption_threshold": 6}


def of_hero(loadout: Loadout, *, card_is_known: bool) -> Iterator[Stated]:
    """The dials, the moment, kits and dice; the figures of a character card that is not among the data's."""
    hero = loadout.hero
    yield from (("called", hero.name or None), ("level", hero.level))
    if hero.attributes is not None:
        yield from ((name, hero.attributes.get(name)) for name in ATTRIBUTES)
    yield from (("life", hero.life), ("influence", hero.influence))
    yield from (("checkpoint", hero.checkpoint), ("tier", hero.tier))
    if hero.missions is not None:
        yield from (("active_missions", hero.missions.active), ("completed_missions", hero.missions.completed))
    yield "players", loadout.players
    yield from ((key, getattr(hero, key)) for key in _LOADOUT_FLAGS)
    yield from ((key, value) for key, usual in _USUAL.items() if (value := getattr(hero, key)) != usual)
    yield from ((key, value) for key in _LISTS for value in getattr(hero, key))
    if hero.reroll is not None:
        yield from (("reroll", hero.reroll.policy), ("face_at_most", hero.reroll.face_at_most))
        yield "times", hero.reroll.times
    if not card_is_known:
        yield from _of_character(hero)


def _of_character(hero: Hero) -> Iterator[Stated]:
    character = hero.character
    if character is None:
        return
    if character.start is not None:
        yield from ((f"start_{key}", getattr(character.start, key)) for key in (*ATTRIBUTES, "life"))
    yield "asset_limit", character.asset_limit
    yield from (("power_limits", band) for band in character.power_limits)


def of_asset(asset: Asset) -> Iterator[Stated]:
    """What an asset is, its bonuses and charges."""
    yield f"kind={asset.kind or ''}", True
    if asset.asset_class is not None:
        yield f"class={asset.asset_class}", True
    yield from ((key, getattr(asset, key)) for key in ("battle_bonus", "skill_bonus", "charge_value", "charges"))


def of_corruption(card: CorruptionCard) -> Iterator[Stated]:
    """How a Corruption card lies."""
    if card.face is not None:
        yield f"face={card.face}", True
    yield "flipped_by_effect", card.flipped_by_effect


def of_trophy(trophy: Trophy) -> Iterator[Stated]:
    """Where a trophy comes from, if from no Threat card."""
    yield f"source={trophy.source}", trophy.source in _SOURCES


def of_action(action: Action) -> Iterator[Stated]:
    """What a plan says besides what is to be done."""
    for key in action.__struct_fields__:
        value = getattr(action, key)
        if key == "action" or (key, value) in (("spent_this_turn", 0), ("numbers_for_one_roll", 1)):
            continue
        yield from ((key, each) for each in value) if isinstance(value, tuple) else ((key, value),)


def words_of(stated: Iterator[Stated], names: Names) -> tuple[tuple[str, str], ...]:
    """Label and value in the language of the reader; what is not stated has none."""
    kept = ((_MEMBERS[key], value) for key, value in stated if value is not None and value is not False)
    return tuple((in_language(member.label), _value(member, value, names)) for member, value in kept)


def _value(member: _Member, value: Any, names: Names) -> str:
    if member.kind == "flag":
        return ""
    if member.kind == "choice":
        return in_language(member.words[value])
    if member.kind == "bonus":
        known = COLOR_NAMES.get(value.color.lower())
        return f"{in_language(known) if known is not None else visible(value.color)} {_signed(value)}"
    if member.kind == "band":
        return f"{value.first}–{value.last}: {value.limit}"
    return visible(names(value)) if member.kind == "name" else str(value)


def _signed(bonus: Bonus) -> str:
    return f"{bonus.value:+d}"


def member_in(words: str, names: Names) -> Stated | None:
    """What `label (value)`, `label: value` or a label alone states; None for anything else.

    Args:
        names: the name in the data of what a reader calls so.
    """
    words = words.strip()
    member = _by_label().get(words.casefold())
    if member is not None:
        return (member, True) if _MEMBERS[member].kind == "flag" else None
    opened = words.find(" (") if words.endswith(")") else -1
    ends = [(opened, 2, 1)] if opened > 0 else []
    ends += [(at, 2, 0) for at in _places(words, ": ")]
    ends += [(at, 1, 0) for at in [words.rfind(" ")] if _NUMBER.match(words[at + 1 :])]
    for at, skipped, behind in ends:
        key = _by_label().get(words[:at].casefold())
        if key is None or _MEMBERS[key].kind == "flag":
            continue
        value = _read(_MEMBERS[key], words[at + skipped : len(words) - behind].strip(), names)
        if value is not None:
            return key, value
    return None


def _places(words: str, sign: str, most: int = 8) -> Iterator[int]:
    at = words.find(sign)
    while at > 0 and most:
        yield at
        at, most = words.find(sign, at + 1), most - 1


def _read(member: _Member, words: str, names: Names) -> Any:
    words = words.replace("−", "-")
    if member.kind == "choice":
        return next((key for key, text in member.words.items() if words.casefold() in _both(text)), None)
    if member.kind == "bonus":
        return _bonus(words)
    if member.kind == "band":
        found = _BAND.match(words)
        return {key: int(value) for key, value in found.groupdict().items()} if found else None
    if member.kind == "name":
        return names(words) or None
    return int(words) if _NUMBER.match(words) else None


def _bonus(words: str) -> dict[str, Any] | None:
    found = _BONUS.match(words)
    if found is None:
        return None
    color = next((key for key, text in COLOR_NAMES.items() if found["color"].casefold() in _both(text)), found["color"])
    return {"color": color, "value": int(found["value"])}


def action_called(words: str) -> str | None:
    """The action that is called so."""
    return next((key for key, text in ACTION_NAMES.items() if words.casefold() in _both(text)), None)


def is_called(words: str, text: Text) -> bool:
    """Whether a word is this one in either language."""
    return words.casefold() in _both(text)


def _both(text: Text) -> tuple[str, str]:
    return text.en.casefold(), text.ru.casefold()


@cache
def _by_label() -> dict[str, str]:
    return {label: key for key, member in _MEMBERS.items() for label in _both(member.label)}
