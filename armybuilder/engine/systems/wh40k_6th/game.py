"""Warhammer 40,000, 6th edition: all its parts."""

from armybuilder.engine.systems.game import Game, RosterReader
from armybuilder.engine.systems.wh40k_6th.combat import battle, list_matchup, target_profiles
from armybuilder.engine.systems.wh40k_6th.combat.simulations import KINDS
from armybuilder.engine.systems.wh40k_6th.list_rules import RULES
from armybuilder.engine.systems.wh40k_6th.roster import army_document, fighters
from armybuilder.engine.systems.wh40k_6th.special_rules import is_gap

GAME = Game(
    rules=RULES,
    simulations=KINDS,
    roster=RosterReader(
        facts=army_document.Facts,
        translate=army_document.translate,
        fighters=fighters.sides_from_roster,
    ),
    matchups=list_matchup,
    battles=battle,
    targets=target_profiles,
    is_gap=is_gap,
)
