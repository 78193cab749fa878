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


def note_rules(clash: FantasyMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides, and how the document was made of lists, into the notes."""
    if clash.kind == "shooting":
        shooting.note_rules(clash, notes)
        notes.assume(
            "Whoever shoots stands in two ranks unless a width is stated.",
            "Стреляющие стоят в две шеренги, если ширина не указана.",
        )
    elif clash.kind == "spell":
        spells.note(clash, notes)
        _note_casting(clash, notes)
    elif clash.kind == "breath_weapon":
        note_hits(clash, notes)
        notes.assume(
            "The breath weapon is used in the shooting phase, at most 8 inches away.",
            "Дыхание применяется в фазу стрельбы, не дальше 8 дюймов.",
        )
    else:
        combat_round.note_rules(clash, notes)
    note_lists(clash, notes)


def _note_casting(clash: FantasyMatchup, notes: ModelNotes) -> None:
    """Which spell it is and how it is cast."""
    known = spell_named(clash.spell or "")
    if known is not None:
        notes.assume(
            f"{known.en} is cast at {clash.casting_value}+ with {clash.dice} power dice.",
            f"«{known.ru}»: сотворяется на {clash.casting_value}+, кубиков силы: {clash.dice}.",
        )
    notes.assume(
        "One-use items of the caster are used in this attempt; scrolls are not read against it.",
        "Одноразовые предметы заклинателя применяются в этой попытке; свитков против неё не читают.",
    )


def note_lists(clash: FantasyMatchup, notes: ModelNotes) -> None:
    """What is assumed of units that come from a list."""
    notes.assume(
        "Units stand in full ranks (five wide, monstrous ones three) unless a width is stated; everybody is alive.",
        "Отряды стоят полными шеренгами (по пять, чудовищные – по три), если ширина не указана; потерь ещё нет.",
    )
    notes.assume(
        "Characters fight on their own unless the list says whom they have joined.",
        "Персонажи сражаются отдельно, если в ростере не сказано, к кому они присоединились.",
    )
    if clash.conditions.general is None and clash.conditions.army_standard is None:
        notes.assume("The general and the battle standard stand far away.", "Генерал и знаменосец армии далеко.")
    groups = [group for side in clash.sides().values() for group in side.models]
    if any(group.troop_type == "chariot" and group.mount for group in groups):
        notes.assume(
            "Who rides a chariot fights with his own skill and is slain with it, by its Toughness and Wounds.",
            "Наездник колесницы бьёт своим навыком и гибнет вместе с ней, по её стойкости и ранам.",
        )
    if any(group.rides_a_monster for group in groups):
        notes.assume(RIDES.en, RIDES.ru)
