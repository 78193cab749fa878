"""Words of matchups in both languages: circumstances as a form asks for them and as a result repeats them, attacks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.systems.fantasy_8th.combat.effects import effect_words
from armybuilder.engine.systems.game import matchup_rules_of


@dataclass(frozen=True, slots=True)
class Circumstance:
    """One member of a game's `Circumstances`.

    Attributes:
        label: as a form asks for it.
        said: as a result repeats it, with {value} where the value stands; of a yes-or-no one, that it holds.
        unsaid: that it does not hold; None says nothing.
    """

    label: Text
    said: Text
    unsaid: Text | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """One kind of attack.

    Attributes:
        name: as a choice.
        pair: what {a} does to {b}; without a verb, as the name of a unit may be one of many.
        mine, theirs: caption of the matrix in each direction.
    """

    name: Text
    pair: Text
    mine: Text
    theirs: Text


CIRCUMSTANCES = {
    "distance": Circumstance(
        Text("Distance, inches", "Расстояние, дюймы"), Text("distance {value} inches", "расстояние {value} дюймов")
    ),
    "cover": Circumstance(
        Text("Cover of the target", "Укрытие цели"), Text("target in cover, {value}", "цель в укрытии, {value}")
    ),
    "attacker_cover": Circumstance(
        Text("My own cover", "Укрытие моих отрядов"),
        Text("my units in cover, {value}", "мои отряды в укрытии, {value}"),
    ),
    "epic.distance": Circumstance(
        Text("Distance, centimetres", "Расстояние, сантиметры"), Text("distance {value} cm", "расстояние {value} см")
    ),
    "action": Circumstance(
        Text("Action of those who shoot", "Действие стреляющих"), Text("action: {value}", "действие: {value}")
    ),
    "terrain": Circumstance(
        Text("Terrain of their formations", "Местность, где стоят чужие формации"),
        Text("their terrain: {value}", "местность противника: {value}"),
    ),
    "attacker_terrain": Circumstance(
        Text("Terrain of my formations", "Местность, где стоят мои формации"),
        Text("my terrain: {value}", "моя местность: {value}"),
    ),
    "blast_markers": Circumstance(
        Text("Blast markers on each of their formations", "Бластов на каждой чужой формации"),
        Text("blast markers on theirs: {value}", "бластов у противника: {value}"),
    ),
    "attacker_blast_markers": Circumstance(
        Text("Blast markers on each of my formations", "Бластов на каждой моей формации"),
        Text("blast markers on mine: {value}", "бластов у меня: {value}"),
    ),
    "units_covered": Circumstance(
        Text("Units under one barrage template", "Юнитов под одним шаблоном обстрела"),
        Text("units under one barrage template: {value}", "под одним шаблоном обстрела юнитов: {value}"),
    ),
    "crossfire": Circumstance(Text("Crossfire", "Перекрёстный огонь"), Text("crossfire", "перекрёстный огонь")),
    "charge_from": Circumstance(
        Text("Distance of a charge, centimetres", "Расстояние наступления, сантиметры"),
        Text("charge over {value} cm", "наступление с {value} см"),
    ),
    "joined": Circumstance(
        Text("Formations that join a Commander's assault", "Формаций, присоединившихся к атаке командира"),
        Text("formations that join a Commander: {value}", "присоединились к командиру: {value}"),
    ),
    "supporting": Circumstance(
        Text("Units of mine that give supporting fire", "Моих юнитов, ведущих огонь поддержки"),
        Text("supporting fire of mine: {value}", "огонь поддержки у меня, юнитов: {value}"),
    ),
    "defender_supporting": Circumstance(
        Text("Units of theirs that give supporting fire", "Чужих юнитов, ведущих огонь поддержки"),
        Text("supporting fire of theirs: {value}", "огонь поддержки у противника, юнитов: {value}"),
    ),
    "mounted": Circumstance(
        Text("My formations ride in their transports", "Мои формации сидят в транспорте"),
        Text("mine ride in their transports", "мои сидят в транспорте"),
    ),
    "defender_mounted": Circumstance(
        Text("Their formations ride in their transports", "Чужие формации сидят в транспорте"),
        Text("theirs ride in their transports", "чужие сидят в транспорте"),
    ),
    "popped_up": Circumstance(
        Text("Skimmers that shoot pop up", "Стреляющие скиммеры подскакивают"),
        Text("skimmers pop up", "скиммеры подскакивают"),
    ),
    "jinks": Circumstance(
        Text("Aircraft that are shot at jink", "Обстрелянная авиация уклоняется"),
        Text("aircraft jink", "авиация уклоняется"),
    ),
    "beside_vehicles": Circumstance(
        Text("Infantry that is shot at touches vehicles", "Обстрелянная пехота стоит вплотную к технике"),
        Text("infantry beside vehicles", "пехота вплотную к технике"),
    ),
    "engine_damage": Circumstance(
        Text("Damage on each of their war engines", "Повреждений на каждой чужой машине войны"),
        Text("damage on their war engines: {value}", "повреждений на машинах войны противника: {value}"),
    ),
    "attacker_engine_damage": Circumstance(
        Text("Damage on each of my war engines", "Повреждений на каждой моей машине войны"),
        Text("damage on my war engines: {value}", "повреждений на моих машинах войны: {value}"),
    ),
    "facing": Circumstance(
        Text("Armour of vehicles that is hit", "В какую броню техники попадают"),
        Text("{value} armour", "{value} броня"),
    ),
    "models_covered": Circumstance(
        Text("Models under a blast or template", "Моделей под маркером или шаблоном"),
        Text("{value} models under a blast or template", "под маркером или шаблоном моделей: {value}"),
    ),
    "moved": Circumstance(
        Text("My units moved before shooting", "Мои отряды двигались перед стрельбой"),
        Text("my units moved", "мои отряды двигались"),
        Text("my units stood still", "мои отряды стояли"),
    ),
    "defender_moved": Circumstance(
        Text("Their units moved before shooting", "Чужие отряды двигались перед стрельбой"),
        Text("theirs moved", "чужие двигались"),
    ),
    "charge": Circumstance(
        Text("An assault begins with a charge", "Нападение начинается с разбега"),
        Text("assault by a charge", "нападение с разбега"),
    ),
    "gone_to_ground": Circumstance(
        Text("Their units go to ground", "Чужие отряды залегают"),
        Text("the target goes to ground", "цель залегает"),
    ),
    "attacker_gone_to_ground": Circumstance(
        Text("My units go to ground", "Мои отряды залегают"),
        Text("my units go to ground", "мои отряды залегают"),
    ),
    "models_in_cover": Circumstance(
        Text("Models in cover, the nearest first (empty: all)", "Моделей в укрытии, начиная с ближайших (пусто – все)"),
        Text("models in cover: {value}", "моделей в укрытии: {value}"),
    ),
    "focus_fire": Circumstance(
        Text("Fire is focused on those out of cover", "Огонь сосредоточен на тех, кто вне укрытия"),
        Text("focus fire", "сосредоточенный огонь"),
    ),
    "snap_shots": Circumstance(
        Text("My units fire only snap shots", "Мои отряды стреляют только навскидку"),
        Text("my units fire snap shots", "мои отряды стреляют навскидку"),
    ),
    "defender_snap_shots": Circumstance(
        Text("Their units fire only snap shots", "Чужие отряды стреляют только навскидку"),
        Text("their units fire snap shots", "чужие отряды стреляют навскидку"),
    ),
    "characters_in_front": Circumstance(
        Text("Characters stand in front", "Персонажи стоят впереди"),
        Text("characters in front", "персонажи впереди"),
    ),
    "nobody_looks_out": Circumstance(
        Text("Nobody looks out for characters", "Правило «Берегитесь, сэр» не применяется"),
        Text("nobody looks out for characters", "без «Берегитесь, сэр»"),
    ),
    "fantasy-8th.charge": Circumstance(
        Text("Whoever attacks charges (first round)", "Нападающий идёт в атаку (первый раунд)"),
        Text("a round with a charge", "раунд с атакой"),
        Text("a later round", "следующий раунд"),
    ),
    "attacks_from": Circumstance(
        Text("Which side of the target is attacked", "С какой стороны нападают на цель"),
        Text("attack {value}", "нападение {value}"),
    ),
    "frontage": Circumstance(
        Text("Models in a rank (both sides)", "Моделей в шеренге (у обеих сторон)"),
        Text("ranks of {value}", "шеренги по {value}"),
    ),
    "target_cover": Circumstance(
        Text("Cover of the target", "Укрытие цели"), Text("cover of the target: {value}", "укрытие цели: {value}")
    ),
    "reaction": Circumstance(
        Text("Reaction of their units", "Реакция чужих отрядов"),
        Text("their reaction: {value}", "реакция противника: {value}"),
    ),
    "fantasy-8th.challenge": Circumstance(
        Text("Characters and champions fight a challenge", "Персонажи и чемпионы бьются в поединке"),
        Text("a challenge", "поединок"),
    ),
    "blows_at": Circumstance(
        Text("Whom blows strike first", "По кому бьют сначала"), Text("blows at {value}", "удары {value}")
    ),
    "defended": Circumstance(
        Text("What the target defends", "Что обороняет цель"),
        Text("target defends: {value}", "цель обороняет: {value}"),
    ),
    "defender_standard": Circumstance(
        Text("The army standard stands near the target", "Знамя армии рядом с целью"),
        Text("army standard near the target", "знамя армии рядом с целью"),
    ),
    "defender_general": Circumstance(
        Text("Leadership of a General near the target", "Лидерство генерала рядом с целью"),
        Text("a General of Leadership {value} near the target", "рядом с целью генерал с лидерством {value}"),
    ),
    "challenge": Circumstance(
        Text("Characters fight a challenge", "Персонажи бьются в поединке"),
        Text("Characters fight a challenge", "персонажи бьются в поединке"),
    ),
    "game_turn": Circumstance(
        Text("Game turn (for Daemons)", "Игровой ход (для демонов)"), Text("game turn {value}", "игровой ход {value}")
    ),
    "spell": Circumstance(
        Text("Spell (otherwise the wizard's best)", "Заклинание (иначе лучшее у волшебника)"),
        Text("spell: {value}", "заклинание: {value}"),
    ),
    "effect": Circumstance(
        Text("Spell or special terrain in effect on my units", "Заклинание или особая местность для моих отрядов"),
        Text("in effect on mine: {value}", "на моих действует: {value}"),
    ),
    "defender_effect": Circumstance(
        Text("Spell or special terrain in effect on theirs", "Заклинание или особая местность для чужих отрядов"),
        Text("in effect on theirs: {value}", "на чужих действует: {value}"),
    ),
    "power_dice": Circumstance(
        Text("Power dice for a spell", "Кубиков силы на заклинание"),
        Text("power dice: {value}", "кубиков силы: {value}"),
    ),
    "dispel_dice": Circumstance(
        Text("Dispel dice against it", "Кубиков рассеивания против него"),
        Text("dispel dice: {value}", "кубиков рассеивания: {value}"),
    ),
    "dispel_level": Circumstance(
        Text("Level of the wizard who dispels", "Уровень рассеивающего волшебника"),
        Text("dispelled by a wizard of level {value}", "рассеивает волшебник уровня {value}"),
    ),
    "cruising": Circumstance(
        Text("Vehicles that moved went at cruising speed", "Двигавшаяся техника шла с крейсерской скоростью"),
        Text("vehicles at cruising speed", "техника на крейсерской скорости"),
    ),
    "psychic_checks": Circumstance(
        Text(
            "Psykers try to double the Strength of Force weapons", "Псайкеры пытаются удвоить силу психосилового оружия"
        ),
        Text("psychic checks of Force weapons", "психические проверки психосилового оружия"),
    ),
    "night_fighting": Circumstance(Text("Night fighting", "Ночной бой"), Text("night fighting", "ночной бой")),
}
"""By the name of the member, or by `system.name` where a game means something else by it."""

SPECIAL_CASES = {
    Text("Special cases of shooting", "Особые случаи стрельбы"): (
        "models_covered",
        "units_covered",
        "gone_to_ground",
        "attacker_gone_to_ground",
        "models_in_cover",
        "focus_fire",
        "snap_shots",
        "defender_snap_shots",
        "characters_in_front",
        "nobody_looks_out",
        "popped_up",
        "jinks",
        "beside_vehicles",
        "engine_damage",
        "attacker_engine_damage",
        "cruising",
        "psychic_checks",
    ),
    Text("Special cases of close combat", "Особые случаи рукопашной"): (
        "frontage",
        "blows_at",
        "defended",
        "defender_standard",
        "defender_general",
        "challenge",
        "charge_from",
        "joined",
        "supporting",
        "defender_supporting",
        "mounted",
        "defender_mounted",
    ),
    Text("Magic and special terrain", "Магия и особая местность"): (
        "effect",
        "defender_effect",
        "spell",
        "power_dice",
        "dispel_dice",
        "dispel_level",
    ),
    Text("Reactions and turns", "Реакции и ходы"): ("reaction", "game_turn"),
}
"""Circumstances that most players leave as they are, by what they are about."""

VALUES = {
    "ranks": Text("rank and file", "по рядовым"),
    "characters": Text("characters and champions", "по персонажам и чемпионам"),
    "nothing": Text("none", "нет"),
    "hedge": Text("hedge", "изгородь"),
    "wall": Text("wall", "стена"),
    "barricade": Text("burning barricade", "горящая баррикада"),
    "bulwark": Text("blessed bulwark", "благословенный оплот"),
    "ghost_fence": Text("ghost fence", "призрачный барьер"),
    "front": Text("front", "лобовая"),
    "side": Text("side", "бортовая"),
    "rear": Text("rear", "кормовая"),
    "ahead": Text("from the front", "спереди"),
    "flank": Text("from the flank", "с фланга"),
    "behind": Text("from behind", "сзади"),
    "none": Text("none", "нет"),
    "soft": Text("soft", "мягкое"),
    "hard": Text("hard", "твёрдое"),
    "advance": Text("advance", "продвижение"),
    "double": Text("double", "удвоить шаг"),
    "sustained_fire": Text("sustained fire", "прицельный огонь"),
    "overwatch": Text("overwatch", "надзор"),
    "evade": Text("Evade", "уклонение"),
    "return_fire": Text("Return Fire", "ответный огонь"),
    "overwatch_fire": Text("Overwatch", "упреждение"),
    "death_or_glory": Text("Death or Glory", "смерть или слава"),
    "hold_the_line": Text("Hold the Line", "удерживать оборону"),
    "open": Text("open ground", "открытая местность"),
    "building": Text("buildings", "здания"),
    "jungle": Text("jungle", "джунгли"),
    "marsh": Text("marsh", "болото"),
    "river": Text("river", "река"),
    "ruins": Text("ruins", "руины"),
    "scrub": Text("scrub", "кустарник"),
    "woods": Text("woods", "лес"),
    "infantry": Text("infantry", "пехота"),
    "monstrous_infantry": Text("monstrous infantry", "чудовищная пехота"),
    "monstrous_cavalry": Text("monstrous cavalry", "чудовищная кавалерия"),
    "swarm": Text("swarm", "рой"),
    "war_beast": Text("war beast", "боевой зверь"),
    "monstrous_beast": Text("monstrous beast", "чудовищный зверь"),
    "monster": Text("monster", "чудовище"),
    "chariot": Text("chariot", "колесница"),
    "war_machine": Text("war machine", "военная машина"),
    "unique": Text("unique", "особый тип"),
    "cavalry": Text("cavalry", "кавалерия"),
    "automata": Text("automata", "автоматы"),
    "dreadnought": Text("dreadnought", "дредноут"),
    "daemon": Text("daemon", "демон"),
    "INF": Text("infantry", "пехота"),
    "LV": Text("light vehicle", "лёгкая техника"),
    "AV": Text("armoured vehicle", "бронетехника"),
    "WE": Text("war engine", "машина войны"),
    "AC": Text("aircraft", "авиация"),
    "SC": Text("spacecraft", "космический корабль"),
    "CH": Text("character", "персонаж"),
    "primarch": Text("primarch", "примарх"),
    "vehicle": Text("vehicle", "техника"),
    "fortification": Text("fortification", "укрепление"),
}
VALUES |= effect_words()
"""Values of a fixed list, and of the fields that describe a target; what is not here is shown as it is: 4+."""

ATTACKS = {
    "shooting": Attack(
        Text("Shooting", "Стрельба"),
        Text("{a}: shooting at {b}", "{a}: стрельба, цель – {b}"),
        Text("My units shoot (rows) at theirs (columns)", "Мои отряды (строки) стреляют по чужим (столбцы)"),
        Text("Their units shoot (rows) at mine (columns)", "Чужие отряды (строки) стреляют по моим (столбцы)"),
    ),
    "barrage": Attack(
        Text("Barrage", "Артобстрел"),
        Text("{a}: barrage on {b}", "{a}: артобстрел, цель – {b}"),
        Text("My formations bombard (rows) theirs (columns)", "Мои формации (строки) обстреливают чужие (столбцы)"),
        Text("Their formations bombard (rows) mine (columns)", "Чужие формации (строки) обстреливают мои (столбцы)"),
    ),
    "magic": Attack(
        Text("Magic", "Магия"),
        Text("{a}: a spell at {b}", "{a}: заклинание, цель – {b}"),
        Text("My wizards cast (rows) at their units (columns)", "Мои волшебники (строки) колдуют по чужим (столбцы)"),
        Text("Their wizards cast (rows) at my units (columns)", "Чужие волшебники (строки) колдуют по моим (столбцы)"),
    ),
    "assault": Attack(
        Text("Assault", "Нападение"),
        Text("{a}: assault on {b}", "{a}: нападение, цель – {b}"),
        Text("My units assault (rows) theirs (columns)", "Мои отряды (строки) нападают на чужие (столбцы)"),
        Text("Their units assault (rows) mine (columns)", "Чужие отряды (строки) нападают на мои (столбцы)"),
    ),
    "ram": Attack(
        Text("Ram", "Таран"),
        Text("{a}: ramming {b}", "{a}: таран, цель – {b}"),
        Text("My vehicles ram (rows) theirs (columns)", "Моя техника (строки) таранит чужие отряды (столбцы)"),
        Text("Their vehicles ram (rows) mine (columns)", "Чужая техника (строки) таранит мои отряды (столбцы)"),
    ),
    "close_combat": Attack(
        Text("Close combat", "Рукопашная"),
        Text("{a}: close combat with {b}", "{a}: рукопашная, противник – {b}"),
        Text("My units attack (rows) theirs (columns)", "Мои отряды (строки) нападают на чужие (столбцы)"),
        Text("Their units attack (rows) mine (columns)", "Чужие отряды (строки) нападают на мои (столбцы)"),
    ),
}
"""By the name of the attack in the game's module `meeting`."""


USUAL_BATTLE = Text(
    "Both armies move, shoot, charge and flee over all turns.",
    "Обе армии движутся, стреляют, нападают и отступают все ходы.",
)
SHORTENED_BATTLES = {
    "wh40k-6th": Text(
        "Shooting only: both armies move, run and shoot over all turns. The rules text holds no assaults, no morale "
        "and no missions, and vehicles stay out, as it does not say how they are damaged.",
        "Только стрельба: обе армии ходят, бегают и стреляют все ходы. В тексте правил нет ближнего боя, боевого "
        "духа и заданий, а техника не участвует: в нём не сказано, как она повреждается.",
    ),
}
"""What both armies do in a whole battle; of games in which a part of the game is missing, what that is."""

QUIET = (None, False, 0, "open", "none", "nothing")
"""Values that a result does not repeat: nothing is stated, nothing is there."""


def circumstance(system: str, name: str) -> Circumstance:
    """The words of a circumstance of a game. Raises KeyError for one without."""
    return CIRCUMSTANCES.get(f"{system}.{name}") or CIRCUMSTANCES[name]


def battle_course(system: str) -> Text:
    """What both armies of this game do in a whole battle, said before one is asked for."""
    return SHORTENED_BATTLES.get(system, USUAL_BATTLE)


def value_words(value: Any) -> Text:
    """A value of a circumstance in words."""
    if isinstance(value, int | float):
        return in_figures(f"{value:g}")
    return VALUES.get(str(value)) or Text(str(value), str(value))


def said(system: str, stated: Mapping[str, Any]) -> Iterator[Text]:
    """What a result repeats of its circumstances, in the order in which the game asks for them."""
    for name in matchup_rules_of(system).CONDITIONS.__struct_fields__:
        value, words = stated.get(name), circumstance(system, name)
        if value in QUIET:
            if value is False and words.unsaid is not None:
                yield words.unsaid
        elif value is True:
            yield words.said
        else:
            shown = value_words(value)
            yield Text(words.said.en.format(value=shown.en), words.said.ru.format(value=shown.ru))
