"""Dials, moments, places and actions of Relic in words of both languages."""

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.list_rules.rules import ATTRIBUTE_NAMES

DIAL_NAMES = {
    **{str(name): words for name, words in ATTRIBUTE_NAMES.items()},
    "life": Text("Life", "Здоровье"),
    "level": Text("Level", "Уровень"),
    "influence": Text("Influence", "Влияние"),
    "active_missions": Text("Active missions", "Активные задания"),
    "completed_missions": Text("Completed missions", "Выполненные задания"),
    "corruption_threshold": Text("Corruption threshold", "Лимит карт Порчи"),
    "players": Text("Players", "Игроки"),
}

MOMENT_NAMES = {
    "start": Text("start of the game", "начало игры"),
    "mid_turn": Text("during a turn", "во время хода"),
    "after_experience": Text("after the Experience phase", "после фазы Опыта"),
}

TIER_NAMES = {
    "outer": Text("Outer tier", "Внешний круг"),
    "middle": Text("Middle tier", "Средний круг"),
    "inner": Text("Inner tier", "Внутренний круг"),
    "scenario": Text("scenario space", "клетка сценария"),
}

FACE_WORDS = {
    "up": Text("face up", "лицом вверх"),
    "down": Text("face down", "лицом вниз"),
}

KIND_NAMES = {
    "wargear": Text("wargear", "снаряжение"),
    "relic": Text("relic", "реликвия"),
    "threat_asset": Text("asset of a Threat deck", "актив из колоды Угрозы"),
}

ASSET_CLASS_NAMES = {
    "weapon": Text("weapon", "оружие"),
    "armour": Text("armour", "броня"),
    "equipment": Text("equipment", "экипировка"),
}

PHASE_NAMES = {
    "movement": Text("Movement", "фаза Движения"),
    "exploration": Text("Exploration", "фаза Исследования"),
    "engagement": Text("Engagement", "фаза Столкновения"),
    "experience": Text("Experience", "фаза Опыта"),
}

ACTION_NAMES = {
    "trade_missions_for_relic": Text("trade three missions for a relic", "обменять три задания на реликвию"),
    "buy_wargear": Text("buy wargear", "купить снаряжение"),
    "enter_inner_tier": Text("enter the Inner tier", "войти во Внутренний круг"),
    "spend_charge": Text("spend a charge", "потратить заряд"),
    "use_power_card": Text("use a Power card", "использовать карту Силы"),
    "evade": Text("evade an enemy", "уклониться от врага"),
    "discard_asset": Text("discard an asset", "сбросить актив"),
    "use_movement_effect": Text("use a movement effect", "использовать эффект движения"),
    "choose_character": Text("choose a character", "выбрать персонажа"),
}
