"""Which special rules and items of a document made from lists are in the numbers, and what it assumes."""

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat import combat_round, shooting, spells
from armybuilder.engine.systems.fantasy_8th.combat.close_combat import note_hits
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
        notes.assume(
            "Whoever shoots stands in two ranks unless a width is stated.",
            "Стреляющие стоят в две шеренги, если ширина не указана.",
        )
    elif matchup.kind == "spell":
        spells.note(matchup, notes)
        _note_casting(matchup, notes)
    elif matchup.kind == "breath_weapon":
        note_hits(matchup, notes)
        notes.assume(
            "The breath weapon is used in the shooting phase, at most 8 inches away.",
            "Дыхание применяется в фазу стрельбы, не дальше 8 дюймов.",
        )
    else:
        combat_round.note_rules(matchup, notes)
    note_lists(matchup, notes)


def _note_casting(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """Which spell it is and how it is cast."""
    known = spell_named(matchup.spell or "")
    if known is not None:
        notes.assume(
            f"{known.en} is cast at {matchup.casting_value}+ with {matchup.dice} power dice.",
            f"«{known.ru}»: сотворяется на {matchup.casting_value}+, кубиков силы: {matchup.dice}.",
        )
    notes.assume(
        "One-use items of the caster are used in this attempt; scrolls are not read against it.",
        "Одноразовые предметы заклинателя применяются в этой попытке; свитков против неё не читают.",
    )


def note_lists(matchup: FantasyMatchup, notes: ModelNotes) -> None:
    """What is assumed of units that come from a list."""
    notes.assume(
        "Units stand in full ranks (five wide, monstrous ones three) unless a width is stated; everybody is alive.",
        "Отряды стоят полными шеренгами (по пять, чудовищные – по три), если ширина не указана; потерь ещё нет.",
    )
    notes.assume(
        "Characters fight on their own unless the list says whom they have joined.",
        "Персонажи сражаются отдельно, если в ростере не сказано, к кому они присоединились.",
    )
    if matchup.conditions.general is None and matchup.conditions.army_standard is None:
        notes.assume("The general and the battle standard stand far away.", "Генерал и знаменосец армии далеко.")
    groups = [group for side in matchup.sides().values() for group in side.models]
    if any(group.troop_type == "chariot" and group.mount for group in groups):
        notes.assume(
            "Who rides a chariot fights with his own skill and is slain with it, by its Toughness and Wounds.",
            "Наездник колесницы бьёт своим навыком и гибнет вместе с ней, по её стойкости и ранам.",
        )
    if any(group.rides_a_monster for group in groups):
        notes.assume(RIDES.en, RIDES.ru)
