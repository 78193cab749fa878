"""Which special rules and items of a document made from lists are in the numbers, and what it assumes."""

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import combat_round, shooting, spells
from armybuilder.engine.systems.fantasy_8th.combat.close_combat import note_hits
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup
from armybuilder.engine.systems.fantasy_8th.reference import spell_named
from armybuilder.engine.systems.matchups import ModelNotes

RIDES = Text(
    "Who rides a monster is a model of his own in close combat, and struck when nothing else is left unless he is "
    "singled out; shots and spells strike him on a 5-6, templates both.",
    "Всадник чудовища в рукопашной – отдельная модель, и бьют его последним, если не решено бить по персонажам; "
    "выстрелы и заклинания попадают в него на 5-6, шаблоны – в обоих.",
)


def note_rules(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides, and how the document was made of lists, into the notes."""
    if matchup.kind == "shooting":
        shooting.note_rules(matchup, notes)
        notes.assume(NOTES["whoever_shoots_stands"])
    elif matchup.kind == "spell":
        spells.note(matchup, notes)
        _note_casting(matchup, notes)
    elif matchup.kind == "breath_weapon":
        note_hits(matchup, notes)
        notes.assume(NOTES["breath_weapon_used"])
    else:
        combat_round.note_rules(matchup, notes)
    note_lists(matchup, notes)


def _note_casting(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Which spell it is and how it is cast."""
    known = spell_named(matchup.spell or "")
    if known is not None:
        notes.assume(
            Text(
                f"{known.en} is cast at {matchup.casting_value}+ with {matchup.dice} power dice.",
                f"«{known.ru}»: сотворяется на {matchup.casting_value}+, кубиков силы: {matchup.dice}.",
            )
        )
    notes.assume(NOTES["one_use_items"])


def note_lists(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """What is assumed of units that come from a list."""
    notes.assume(NOTES["units_stand_full"])
    notes.assume(NOTES["characters_fight_own"])
    if matchup.conditions.general is None and matchup.conditions.army_standard is None:
        notes.assume(NOTES["general_battle_standard"])
    groups = [group for side in matchup.sides().values() for group in side.models]
    if any(group.troop_type == "chariot" and group.mount for group in groups):
        notes.assume(NOTES["who_rides_chariot"])
    if any(group.rides_a_monster for group in groups):
        notes.assume(RIDES)
