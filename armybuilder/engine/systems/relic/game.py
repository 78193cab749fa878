"""Relic: all its parts. A hero is a document of his own: there are no rosters, and no lists that meet."""

from armybuilder.engine.systems.game import Game
from armybuilder.engine.systems.relic.combat.simulations import KINDS
from armybuilder.engine.systems.relic.list_rules import RULES

GAME = Game(rules=RULES, simulations=KINDS)
