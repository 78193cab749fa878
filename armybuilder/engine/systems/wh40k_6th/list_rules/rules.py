"""The rule table of 40k 6th edition and the words its messages use."""

from pathlib import Path

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.rule_table import RuleTable

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))

finding = TABLE.finding

ROLE_NAMES = {
    "hq": Text("HQ", "командные войска"),
    "troops": Text("Troops", "основные войска"),
    "elites": Text("Elites", "элитные войска"),
    "fast_attack": Text("Fast Attack", "мобильные войска"),
    "heavy_support": Text("Heavy Support", "тяжёлая поддержка"),
    "lord_of_war": Text("Lord of War", "властелин войны"),
    "fortification": Text("Fortification", "фортификация"),
}
DETACHMENT_NAMES = {
    "primary": Text("Primary detachment", "Основное подразделение"),
    "allied": Text("Allied detachment", "Союзное подразделение"),
    "fortification": Text("Fortification detachment", "Подразделение фортификаций"),
}
CHARACTERISTIC_NAMES = {
    "S": Text("Strength", "сила"),
    "T": Text("Toughness", "стойкость"),
}
