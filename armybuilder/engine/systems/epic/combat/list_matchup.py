"""Two lists of Epic meet: how every pair of formations is worked out, and one pair in depth."""

from armybuilder.engine.systems.epic.combat import matrix
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.model_notes import note_rules
from armybuilder.engine.systems.list_matchups import MatchupRules, pair_by_pair

MATCHUPS = MatchupRules(
    Fighter, EpicConditions, matrix.ATTACKS, matrix.ATTACKS, pair_by_pair(matrix.effect), matrix.request, note_rules
)
