"""Warhammer Fantasy Battles, 8th edition: all its parts."""

from pathlib import Path

from armybuilder.engine.systems.fantasy_8th.combat import battle, list_matchup
from armybuilder.engine.systems.fantasy_8th.combat.effects import effect_words
from armybuilder.engine.systems.fantasy_8th.combat.simulations import KINDS
from armybuilder.engine.systems.fantasy_8th.list_rules import RULES
from armybuilder.engine.systems.fantasy_8th.list_rules.summary import summarised
from armybuilder.engine.systems.fantasy_8th.matchup import Side
from armybuilder.engine.systems.fantasy_8th.roster import army_document, fighters
from armybuilder.engine.systems.game import Game, RosterReader
from armybuilder.engine.systems.target_profiles import read_targets
from armybuilder.engine.systems.words import read_words

GAME = Game(
    rules=RULES,
    simulations=KINDS,
    roster=RosterReader(army_document.Facts, army_document.Translator, fighters.sides_from_roster, fighters.attached),
    matchups=list_matchup,
    battles=battle,
    targets=read_targets(Path(__file__).with_name("target_profiles.toml"), Side),
    words=read_words(Path(__file__).with_name("words.toml"), values=effect_words()),
    summary=summarised,
)
