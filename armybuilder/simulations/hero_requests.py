"""Questions about a stored hero: a matchup document made of his army document and what he meets."""

from collections.abc import Sequence
from typing import Any

import msgspec

from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import AttributeName, Hero, Loadout, Reroll
from armybuilder.engine.systems.relic.matchup import Enemy
from armybuilder.heroes.documents import plain
from armybuilder.heroes.wording import DIAL_NAMES

ASKED_OF = "x-list"
"""Member of a question that says which hero it was made of; it is no part of what is worked out."""

TITLE_NAMES = 4
"""Enemies a title names."""


class Rolls(msgspec.Struct, frozen=True, kw_only=True):
    """How the hero rolls this time.

    Attributes:
        power_numbers: numbers of the Power cards he plays instead of the roll, in their order.
    """

    dice: int = 1
    modifier: int = 0
    reroll: Reroll | None = None
    power_numbers: tuple[int, ...] = ()


def battle_question(document: Loadout, enemies: Sequence[Enemy], rolls: Rolls) -> dict[str, Any]:
    """The hero against enemies: those of one attribute together, those of different ones in the order they are named.

    Source: L428-L440 [text].

    Raises:
        EditRefused: there is no enemy, or the dial that is fought with states nothing.
    """
    if not enemies:
        raise EditRefused(Text(en="Choose an enemy to fight.", ru="Выберите врага для боя."), "/enemies")
    by_attribute: dict[AttributeName, list[Enemy]] = {}
    for enemy in enemies:
        by_attribute.setdefault(enemy.attribute, []).append(enemy)
    hero = _ready(document.hero, tuple(by_attribute), rolls)
    names = ", ".join(enemy.name or f"{enemy.value}" for enemy in enemies[:TITLE_NAMES])
    question = {"system": "relic", "name": f"{document.name} – {names}", "hero": plain(hero)}
    if len(by_attribute) == 1:
        return {**question, "kind": "battle", "enemies": plain(tuple(enemies))}
    battles = [{"enemies": plain(tuple(group))} for group in by_attribute.values()]
    return {**question, "kind": "battle_sequence", "battles": battles}


def skill_test_question(document: Loadout, attribute: AttributeName, target: int, rolls: Rolls) -> dict[str, Any]:
    """The hero's skill test against a target.

    Raises:
        EditRefused: the dial that is tested states nothing.
    """
    hero = _ready(document.hero, (attribute,), rolls)
    name = f"{document.name} – {DIAL_NAMES[attribute].en} {target}"
    question = {"system": "relic", "kind": "skill_test", "name": name, "attribute": attribute, "target": target}
    return {**question, "hero": plain(hero)}


def _ready(hero: Hero, attributes: Sequence[AttributeName], rolls: Rolls) -> Hero:
    for name in attributes:
        if hero.attributes is None or hero.attributes.get(name) is None:
            words = DIAL_NAMES[name]
            raise EditRefused(
                Text(
                    en=f"{words.en} is not stated: turn the dial first.",
                    ru=f"{words.ru} не указана: сначала поставьте диск.",
                ),
                f"/hero/attributes/{name}",
            )
    return msgspec.structs.replace(
        hero,
        dice=rolls.dice,
        roll_modifier=rolls.modifier,
        reroll=rolls.reroll,
        power_numbers=rolls.power_numbers,
    )
