"""The rule table of Fantasy 8th edition and the words its messages use."""

from pathlib import Path

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.rule_table import RuleTable

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))
finding = TABLE.finding

ITEM_CATEGORIES = {
    "weapon": Text("magic weapon", "магическое оружие"),
    "armour": Text("magic armour", "магическая броня"),
    "talisman": Text("talisman", "талисман"),
    "banner": Text("magic banner", "магическое знамя"),
    "arcane": Text("arcane item", "тайный предмет"),
    "enchanted": Text("enchanted item", "зачарованный предмет"),
}
SLOTS = {
    "suit": Text("suit of armour", "доспехи"),
    "shield": Text("shield", "щит"),
    "helm": Text("helm", "шлем"),
}
TROOP_TYPES = {
    "infantry": Text("infantry", "пехота"),
    "monstrous_infantry": Text("monstrous infantry", "чудовищная пехота"),
    "cavalry": Text("cavalry", "кавалерия"),
    "monstrous_cavalry": Text("monstrous cavalry", "чудовищная кавалерия"),
    "swarm": Text("a swarm", "стая"),
    "war_beast": Text("war beasts", "боевые звери"),
    "monstrous_beast": Text("monstrous beasts", "чудовищные звери"),
    "monster": Text("a monster", "чудовище"),
    "chariot": Text("a chariot", "колесница"),
    "war_machine": Text("a war machine", "военная машина"),
    "unique": Text("a unique unit", "уникальный отряд"),
}
FLYING = Text("a flying unit", "летающий отряд")
LEVELS = {
    "firm": Text("firm", "крепкий"),
    "dubious": Text("dubious", "сомнительный"),
    "desperate": Text("desperate", "отчаянный"),
}
COMMAND_ROLES = {
    "champion": Text("champion", "чемпион"),
    "standard_bearer": Text("standard bearer", "знаменосец"),
    "musician": Text("musician", "музыкант"),
}
MOUNTINGS = {True: Text("cavalry", "для кавалерии"), False: Text("infantry", "для пехоты")}
