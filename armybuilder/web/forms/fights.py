"""The forms of a hero's page that ask how a battle or a skill test would end."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.card_set import CardSet
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, AttributeName, Loadout, Reroll
from armybuilder.engine.systems.relic.matchup import MAX_HERO_DICE, Enemy
from armybuilder.simulations.hero_requests import Rolls, battle_question, skill_test_question
from armybuilder.web.forms.heroes import whole

CARD_ROWS = ("1", "2", "3")
OWN_ROWS = ("1", "2")
"""Enemies picked among the cards, and enemies written in by hand."""

POWER_FIELDS = ("power", "power_2", "power_3")
"""Power cards in the order in which they are played: after a 6, or in the next battle. Source: L592-L596 [text]."""

HIGHEST = 99
FACES = range(1, 6)


def question_of(fields: Mapping[str, Any], document: Loadout, cards: CardSet) -> dict[str, Any]:
    """The matchup document that a form asks for.

    Raises:
        EditRefused: a figure is missing, no number or too large, or there is nobody to fight.
    """
    rolls = Rolls(
        dice=_within(fields, "dice", 1, MAX_HERO_DICE, usual=1),
        modifier=_within(fields, "modifier", -HIGHEST, HIGHEST, usual=0),
        reroll=_reroll(str(fields.get("reroll") or "")),
        power_numbers=tuple(_power_numbers(fields)),
    )
    if rolls.power_numbers and rolls.dice > 1:
        raise EditRefused(
            Text(
                en="A Power card stands for a single die, not for several.",
                ru="Карта Силы заменяет один кубик, а не несколько.",
            ),
            "/power",
        )
    if fields.get("ask") == "test":
        return skill_test_question(
            document, _attribute(fields, "attribute"), _within(fields, "target", 0, HIGHEST, usual=None), rolls
        )
    return battle_question(document, tuple(_enemies(fields, cards)), rolls)


def _enemies(fields: Mapping[str, Any], cards: CardSet) -> Iterator[Enemy]:
    for row in CARD_ROWS:
        if name := str(fields.get(f"enemy_{row}") or ""):
            card = next((enemy for enemy in cards.enemies if enemy.name == name), None)
            if card is None:
                raise EditRefused(Text(en=f"There is no enemy “{name}”.", ru=f"Нет врага «{name}»."), f"/enemy_{row}")
            yield card
    for row in OWN_ROWS:
        if str(fields.get(f"value_{row}") or "").strip():
            yield Enemy(
                attribute=_attribute(fields, f"attribute_{row}"),
                value=_within(fields, f"value_{row}", 0, HIGHEST, usual=None),
                modifier=_within(fields, f"modifier_{row}", -HIGHEST, HIGHEST, usual=0),
                modifier_per_power_card_in_hand=_within(fields, f"per_card_{row}", -HIGHEST, HIGHEST, usual=0),
                scenario_sheet=fields.get(f"scenario_{row}") == "on",
            )


def _power_numbers(fields: Mapping[str, Any]) -> Iterator[int]:
    for name in POWER_FIELDS:
        if str(fields.get(name) or "").strip():
            yield _within(fields, name, 1, 6, usual=None)


def _reroll(text: str) -> Reroll | None:
    if text in ("if_not_winning", "if_failing"):
        return Reroll(policy="if_not_winning" if text == "if_not_winning" else "if_failing")
    if text.isdecimal() and int(text) in FACES:
        return Reroll(policy="face_at_most", face_at_most=int(text))
    return None


def _attribute(fields: Mapping[str, Any], name: str) -> AttributeName:
    value = str(fields.get(name) or "")
    if value not in ATTRIBUTES:
        raise EditRefused(Text(en="Choose an attribute.", ru="Выберите характеристику."), f"/{name}")
    return value


def _within(fields: Mapping[str, Any], name: str, lowest: int, highest: int, *, usual: int | None) -> int:
    text = str(fields.get(name) or "").strip()
    if not text and usual is not None:
        return usual
    value = whole(name, text)
    if not lowest <= value <= highest:
        raise EditRefused(
            Text(
                en=f"{value} is not possible here: from {lowest} to {highest}.",
                ru=f"{value} здесь невозможно: от {lowest} до {highest}.",
            ),
            f"/{name}",
        )
    return value
