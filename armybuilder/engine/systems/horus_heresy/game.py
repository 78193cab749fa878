"""The Horus Heresy: all its parts."""

from pathlib import Path

from armybuilder.engine.systems.game import Game, RosterReader
from armybuilder.engine.systems.horus_heresy.combat import battle
from armybuilder.engine.systems.horus_heresy.combat.list_matchup import MATCHUPS
from armybuilder.engine.systems.horus_heresy.combat.simulations import KINDS
from armybuilder.engine.systems.horus_heresy.list_rules import RULES
from armybuilder.engine.systems.horus_heresy.list_rules.warlord import CORE_TRAITS
from armybuilder.engine.systems.horus_heresy.matchup import Side
from armybuilder.engine.systems.horus_heresy.roster import army_document, fighters, units
from armybuilder.engine.systems.play_guide import read_play_guide
from armybuilder.engine.systems.target_profiles import read_targets
from armybuilder.engine.systems.words import read_words

GAME = Game(
    rules=RULES,
    simulations=KINDS,
    roster=RosterReader(
        army_document.Facts,
        army_document.Translator,
        fighters.sides_from_roster,
        fighters.attached,
        units.on_the_table,
        fighters.units_without_fighters,
    ),
    matchups=MATCHUPS,
    battles=battle,
    targets=read_targets(Path(__file__).with_name("target_profiles.toml"), Side),
    words=read_words(Path(__file__).with_name("words.toml")),
    play=read_play_guide(Path(__file__).with_name("play.toml")),
    warlord_traits={trait.en: trait for trait in CORE_TRAITS.values()},
)
