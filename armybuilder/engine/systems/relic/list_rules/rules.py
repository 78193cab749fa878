"""Relic's rule table and the words its messages use."""

from pathlib import Path

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.rule_table import RuleTable

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))

finding = TABLE.finding

ATTRIBUTE_NAMES = {
    "strength": Text("Strength", "Сила"),
    "willpower": Text("Willpower", "Сила Воли"),
    "cunning": Text("Cunning", "Хитрость"),
}
CLASS_NAMES = {
    "weapon": Text("weapon", "оружие"),
    "armour": Text("armour", "броня"),
}
FACE_NAMES = {
    "up": Text("up", "вверх"),
    "down": Text("down", "вниз"),
}
COLOR_NAMES = {
    "red": Text("red", "красный"),
    "blue": Text("blue", "синий"),
    "yellow": Text("yellow", "жёлтый"),
    "grey": Text("grey", "серый"),
}
