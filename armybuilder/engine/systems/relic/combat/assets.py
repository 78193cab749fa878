"""Which of the hero's cards help: the best legal choice for a battle or a skill test."""

from collections.abc import Iterable, Sequence
from itertools import product

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.relic.hero import Asset, AttributeName, Hero

COLOR_OF: dict[AttributeName, str] = {"strength": "red", "willpower": "blue", "cunning": "yellow"}
"""Colour of an attribute's battles and tests. Source: L143-147, L700-706 [text]."""

SINGLE_CLASSES = ("weapon", "armour")
"""Classes of which one card may be used in a battle. Source: L389, L680 [text]."""

MOST_PLANS = 4096
"""Ways to spread charged cards over a sequence that are tried; beyond that each goes to its first battle."""


def battle_value(asset: Asset, attribute: AttributeName) -> int:
    """What a card adds in a battle of this attribute; 0 if it does not help."""
    bonus = asset.battle_bonus
    if bonus is None or asset.charges == 0 or bonus.color.lower() not in {COLOR_OF[attribute], "grey"}:
        return 0
    return bonus.value


def battle_choice(assets: Iterable[Asset], attribute: AttributeName) -> tuple[Asset, ...]:
    """The cards worth most in one battle: one weapon, one armour, all else that helps; relics never count as arms."""
    helpful = [asset for asset in assets if battle_value(asset, attribute) > 0]
    chosen = [asset for asset in helpful if asset.kind == "relic" or asset.asset_class not in SINGLE_CLASSES]
    for single in SINGLE_CLASSES:
        arms = [asset for asset in helpful if asset.kind != "relic" and asset.asset_class == single]
        if arms:
            chosen.append(max(arms, key=lambda asset: battle_value(asset, attribute)))
    return tuple(chosen)


def skill_choice(assets: Iterable[Asset], attribute: AttributeName) -> tuple[Asset, ...]:
    """The cards that help in a skill test of this attribute: never weapons or armour (L680)."""
    return tuple(
        asset
        for asset in assets
        if asset.skill_bonus is not None
        and asset.skill_bonus.value > 0
        and asset.charges != 0
        and asset.skill_bonus.color.lower() == COLOR_OF[attribute]
        and (asset.kind == "relic" or asset.asset_class not in SINGLE_CLASSES)
    )


def charged_plans(assets: Sequence[Asset], battles: int) -> Iterable[tuple[int, ...]]:
    """Ways to spread the charged cards over a sequence: for each of them the index of its battle.

    A card spends one charge a turn, and a sequence is fought within one turn. Source: L718 [text].
    """
    charged = sum(asset.charge_value is not None for asset in assets)
    if battles**charged > MOST_PLANS:
        return [(0,) * charged]
    return product(range(battles), repeat=charged)


def available(assets: Sequence[Asset], plan: Sequence[int], battle: int) -> list[Asset]:
    """The cards that may be used in one battle under a plan."""
    places = iter(plan)
    return [asset for asset in assets if asset.charge_value is None or next(places) == battle]


def note_cards(hero: Hero, idle: Iterable[Asset], attributes: Iterable[AttributeName], notes: ModelNotes) -> None:
    """Report the cards that are not in the figures of battles of these attributes, and why.

    Args:
        idle: assets that are used in none of them.
    """
    wanted = tuple(attributes)
    reasons: dict[str, list[str]] = {}
    for asset in idle:
        reasons.setdefault(_why_idle(asset, wanted), []).append(asset.name)
    _report(reasons, notes)
    _note_effects(hero, notes)


def note_test_cards(hero: Hero, idle: Iterable[Asset], notes: ModelNotes) -> None:
    """The same for a skill test."""
    reasons: dict[str, list[str]] = {}
    for asset in idle:
        bare = asset.battle_bonus is None and asset.skill_bonus is None
        reason = "unknown" if bare else "empty" if asset.skill_bonus and asset.charges == 0 else "other test"
        reasons.setdefault(reason, []).append(asset.name)
    _report(reasons, notes)
    _note_effects(hero, notes)


_REASONS = {
    "empty": Text("No charges are left: {names}.", "Не осталось зарядов: {names}."),
    "other battle": Text("No bonus in this battle: {names}.", "Нет бонуса в этом бою: {names}."),
    "better": Text("Another weapon or armour is worth more: {names}.", "Другое оружие или броня лучше: {names}."),
    "other test": Text("No bonus in this test: {names}.", "Нет бонуса в этой проверке: {names}."),
}


def _why_idle(asset: Asset, attributes: Sequence[AttributeName]) -> str:
    if asset.battle_bonus is None and asset.skill_bonus is None:
        return "unknown"
    if any(battle_value(asset, attribute) > 0 for attribute in attributes):
        return "better"
    return "empty" if asset.battle_bonus is not None and asset.charges == 0 else "other battle"


def _report(reasons: dict[str, list[str]], notes: ModelNotes) -> None:
    notes.not_simulated += reasons.pop("unknown", [])
    for reason, names in reasons.items():
        words, listed = _REASONS[reason], ", ".join(dict.fromkeys(names))
        notes.assume(Text(words.en.format(names=listed), words.ru.format(names=listed)))


def _note_effects(hero: Hero, notes: ModelNotes) -> None:
    """Cards whose printed effect no document holds."""
    if hero.character is not None and hero.character.name:
        notes.not_simulated.append("special abilities")
    if hero.power_cards:
        notes.not_simulated.append("effects of Power cards")
    if any(card.face == "up" for card in hero.corruption):
        notes.not_simulated.append("effects of Corruption cards")
