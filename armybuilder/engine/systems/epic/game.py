"""Epic: all its parts."""

from pathlib import Path

from armybuilder.engine.systems.epic.combat import battle
from armybuilder.engine.systems.epic.combat.list_matchup import MATCHUPS
from armybuilder.engine.systems.epic.combat.simulations import KINDS
from armybuilder.engine.systems.epic.combat.special_rules import is_gap
from armybuilder.engine.systems.epic.list_rules import RULES
from armybuilder.engine.systems.epic.list_rules.summary import summarised
from armybuilder.engine.systems.epic.matchup import FormationSide
from armybuilder.engine.systems.epic.roster import army_document, fighters
from armybuilder.engine.systems.game import Game, RosterReader
from armybuilder.engine.systems.play_guide import read_play_guide
from armybuilder.engine.systems.target_profiles import read_targets
from armybuilder.engine.systems.words import read_words

GAME = Game(
    rules=RULES,
    simulations=KINDS,
    roster=RosterReader(army_document.Facts, army_document.Translator, fighters.sides_from_roster),
    matchups=MATCHUPS,
    battles=battle,
    targets=read_targets(Path(__file__).with_name("target_profiles.toml"), FormationSide),
    words=read_words(Path(__file__).with_name("words.toml")),
    play=read_play_guide(Path(__file__).with_name("play.toml")),
    summary=summarised,
    is_gap=is_gap,
)
