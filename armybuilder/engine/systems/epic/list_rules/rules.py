"""Epic's rule table."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))
finding = TABLE.finding
