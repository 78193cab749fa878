"""Warhammer 40,000, 6th edition: all its parts."""

from pathlib import Path

from armybuilder.engine.systems.game import Game, RosterReader
from armybuilder.engine.systems.play_guide import read_play_guide
from armybuilder.engine.systems.target_profiles import read_targets
from armybuilder.engine.systems.wh40k_6th.combat import battle
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Squad
from armybuilder.engine.systems.wh40k_6th.combat.list_matchup import MATCHUPS
from armybuilder.engine.systems.wh40k_6th.combat.simulations import KINDS
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_gap
from armybuilder.engine.systems.wh40k_6th.list_rules import RULES
from armybuilder.engine.systems.wh40k_6th.roster import army_document, fighters, units
from armybuilder.engine.systems.words import read_words

GAME = Game(
    rules=RULES,
    simulations=KINDS,
    roster=RosterReader(
        army_document.Facts,
        army_document.Translator,
        fighters.sides_from_roster,
        standing=units.on_the_table,
        without_fighters=fighters.units_without_fighters,
    ),
    matchups=MATCHUPS,
    battles=battle,
    targets=read_targets(Path(__file__).with_name("target_profiles.toml"), Squad),
    words=read_words(Path(__file__).with_name("words.toml")),
    play=read_play_guide(Path(__file__).with_name("play.toml")),
    is_gap=is_gap,
)
