"""Points and counts in words of both languages, and the names of facts as players say them."""

from decimal import Decimal

from armybuilder.engine.findings import Text

FACT_NAMES = {
    "allegiance": Text("allegiance", "верность"),
    "play_mode": Text("kind of game", "вид игры"),
    "chart": Text("force organisation chart", "схема организации войска"),
    "warlord": Text("warlord", "военачальник"),
    "warlord_trait": Text("warlord trait", "особенность военачальника"),
    "allowed_warlord_traits": Text("further warlord traits", "дополнительные особенности военачальника"),
    "cap_override": Text("25 % cap lifted", "предел 25 % снят"),
    "must_be_warlord_exception": Text(
        "several models that must be the warlord", "несколько обязательных военачальников"
    ),
    "base_reactions": Text("reactions in a phase", "реакций за фазу"),
    "deep_strike_assaults": Text("Deep Strike Assaults", "штурмов глубоким ударом"),
    "flanking_assaults": Text("Flanking Assaults", "штурмов с фланга"),
    "opponent": Text("opponent", "противник"),
    "deployment": Text("deployment", "расстановка"),
    "joined_to": Text("joins", "присоединяется к"),
    "embarked_in": Text("embarked in", "погружён в"),
    "dedicated_transport_for": Text("dedicated transport of", "приданный транспорт для"),
    "psychic_disciplines": Text("psychic disciplines", "психические дисциплины"),
    "psychic_powers": Text("psychic powers", "психические силы"),
    "points_limit": Text("points limit", "лимит очков"),
    "asymmetry_agreed": Text("unequal limits agreed", "неравные лимиты оговорены"),
    "predetermined_warlord_trait": Text("printed warlord trait", "указанная в профиле особенность военачальника"),
    "must_be_warlord": Text("must be the warlord", "обязан быть военачальником"),
    "slots_used": Text("slots taken", "занимает слотов"),
    "role": Text("battlefield role", "роль на поле боя"),
    "unique": Text("unique", "уникальная"),
    "double_chart": Text("doubled force organisation chart", "двойная схема организации войска"),
    "general": Text("General", "генерал"),
    "scenario": Text("scenario", "сценарий"),
    "watchtower_garrison": Text("garrison of the watchtower", "гарнизон башни"),
    "army_book_lores": Text("lores of the army book", "школы магии из книги армии"),
    "alliance_level": Text("level of the alliance", "уровень союза"),
    "army_points": Text("points agreed for each army", "очки, оговорённые для каждой армии"),
    "supreme_commander": Text("supreme commander", "верховный главнокомандующий"),
    "percent_base": Text("percentages are taken of", "доли считаются от"),
    "special_includes_missile": Text("missile weapons are special weapons", "метательное оружие считается особым"),
    "front_rank": Text("stands in the front rank", "стоит в первой шеренге"),
    "army_standard": Text("army standard bearer", "знаменосец армии"),
    "army_standard_may_be_general": Text(
        "army standard bearer may be General", "знаменосец армии может быть генералом"
    ),
    "wizard_level": Text("wizard level", "уровень волшебника"),
    "lore": Text("lore of magic", "школа магии"),
    "spells": Text("spells", "заклинания"),
    "loremaster": Text("Loremaster", "магистр магии"),
    "armour_access": Text("may wear ordinary armour", "может носить обычную броню"),
    "special_character": Text("special character", "именной персонаж"),
    "magic_items_allowed": Text("may carry magic items", "может носить магические предметы"),
    "magic_banner_allowed": Text("may carry a magic banner", "может нести магическое знамя"),
    "troop_type": Text("troop type", "тип войск"),
    "one_choice_group": Text("bought as one choice with", "взят одним выбором с"),
    "army_construction": Text("army construction rules", "правила составления армии"),
    "strategy_rating": Text("strategy rating", "стратегический рейтинг"),
    "garrison_strict": Text(
        "garrisons: both limits of speed and war engines", "гарнизоны: оба условия о скорости и машинах войны"
    ),
    "spacecraft_turn_one": Text("spacecraft may arrive on turn 1", "космические корабли могут прибыть на 1-м ходу"),
    "initiative": Text("initiative", "инициатива"),
    "overwatch_at_start": Text("starts on Overwatch", "начинает в «Надзоре»"),
    "carrier": Text("landed by", "высаживает"),
    "in_own_transports": Text("starts in its own transports", "начинает в своих транспортах"),
    "host": Text("character rides with", "персонаж придан"),
    "transport_slots": Text("transport places of each carrier", "мест в каждом транспорте"),
    "plan": Text("written plan", "записанный план"),
    "turn": Text("turn of arrival", "ход прибытия"),
    "drop_point": Text("drop point (as 60x30, cm)", "точка высадки (как 60x30, см)"),
    "bombardment_points": Text("bombardment points (as 60x30, cm)", "точки бомбардировки (как 60x30, см)"),
    "surface_point": Text("where it surfaces (as 60x30, cm)", "где выходит на поверхность (как 60x30, см)"),
    "surface_half": Text("half of the table", "половина стола"),
    "stand": Text("bases of the models", "подставки моделей"),
    "kind": Text("kind", "вид"),
    "width_mm": Text("width, mm", "ширина, мм"),
    "depth_mm": Text("depth, mm", "глубина, мм"),
    "models": Text("models", "моделей"),
    "guns": Text("guns", "орудий"),
}
"""Facts by name; what is not here is shown under its own name."""

FACT_VALUES = {
    "loyalist": Text("Loyalist", "лоялисты"),
    "traitor": Text("Traitor", "предатели"),
    "narrative": Text("narrative", "сюжетная"),
    "campaign": Text("campaign", "кампания"),
    "open": Text("open", "свободная"),
    "matched": Text("matched", "равная"),
    "team": Text("team", "командная"),
    "crusade": Text("Crusade", "крестоносная"),
    "table": Text("on the table", "на столе"),
    "reserve": Text("reserve", "резерв"),
    "deep_strike_assault": Text("Deep Strike Assault", "штурм глубоким ударом"),
    "flanking_assault": Text("Flanking Assault", "штурм с фланга"),
    "infiltrate": Text("Infiltrate", "проникновение"),
    "scout": Text("Scout", "разведчик"),
    "hq": Text("HQ", "командные войска"),
    "troops": Text("Troops", "основные войска"),
    "elites": Text("Elites", "элитные войска"),
    "fast_attack": Text("Fast Attack", "мобильные войска"),
    "heavy_support": Text("Heavy Support", "тяжёлая поддержка"),
    "lord_of_war": Text("Lord of War", "властелин войны"),
    "fortification": Text("Fortification", "фортификация"),
    "no_slot": Text("no slot", "вне слотов"),
    "battleline": Text("Battleline", "боевая линия"),
    "dawn_attack": Text("Dawn Attack", "атака на рассвете"),
    "battle_for_the_pass": Text("Battle for the Pass", "битва за перевал"),
    "blood_and_glory": Text("Blood and Glory", "кровь и слава"),
    "meeting_engagement": Text("Meeting Engagement", "встречный бой"),
    "watchtower": Text("Watchtower", "сторожевая башня"),
    "firm": Text("firm", "крепкий"),
    "dubious": Text("dubious", "сомнительный"),
    "desperate": Text("desperate", "отчаянный"),
    "limit": Text("the points limit", "предела очков"),
    "total": Text("the list's total", "стоимости ростера"),
    "infantry": Text("infantry", "пехота"),
    "monstrous_infantry": Text("monstrous infantry", "чудовищная пехота"),
    "cavalry": Text("cavalry", "кавалерия"),
    "monstrous_cavalry": Text("monstrous cavalry", "чудовищная кавалерия"),
    "swarm": Text("swarm", "стая"),
    "war_beast": Text("war beasts", "боевые звери"),
    "monstrous_beast": Text("monstrous beasts", "чудовищные звери"),
    "monster": Text("monster", "чудовище"),
    "chariot": Text("chariot", "колесница"),
    "war_machine": Text("war machine", "военная машина"),
    "unique": Text("unique unit", "уникальный отряд"),
    "published": Text("of the published game", "изданной игры"),
    "not_checked": Text("not checked", "не проверяются"),
    "garrison": Text("garrison", "гарнизон"),
    "teleport": Text("teleport", "телепорт"),
    "space": Text("in space", "в космосе"),
    "planetfall": Text("planetfall", "планетарная высадка"),
    "tunnel": Text("tunnel", "туннель"),
    "own": Text("own half", "своя половина"),
    "enemy": Text("enemy half", "чужая половина"),
    "bike": Text("bikes", "мотоциклы"),
    "artillery": Text("artillery", "артиллерия"),
    True: Text("yes", "да"),
    False: Text("no", "нет"),
}
"""Values of facts that are words of a fixed list."""


def number(value: Decimal | int | float) -> str:
    """A number without needless zeros: 150, 12.5."""
    text = f"{Decimal(str(value)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: Decimal | int | float) -> str:
    """A number with its sign, a minus being a minus: +50, −15."""
    size = -value if value < 0 else value
    return f"{'−' if value < 0 else '+'}{number(size)}"


def points_change(change: Decimal) -> Text | None:
    """`, +50 points` to add to a sentence; None when the price stays as it is."""
    if not change:
        return None
    return Text(
        en=f"{signed(change)} point{'' if abs(change) == 1 else 's'}",
        ru=f"{signed(change)} {russian_points(change)}",
    )


def russian_points(value: Decimal | int) -> str:
    """The word points in the form that a number asks for: 1 очко, 2 очка, 5 очков."""
    whole = abs(int(value))
    if value != int(value) or (whole % 10 in (2, 3, 4) and whole % 100 not in (12, 13, 14)):
        return "очка"
    return "очко" if whole % 10 == 1 and whole % 100 != 11 else "очков"


def joined(texts: list[Text], separator: str = "; ") -> Text:
    """Several texts as one."""
    return Text(en=separator.join(text.en for text in texts), ru=separator.join(text.ru for text in texts))


def same(words: str) -> Text:
    """A name that is the same in both languages."""
    return Text(en=words, ru=words)
