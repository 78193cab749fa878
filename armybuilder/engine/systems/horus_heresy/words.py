"""Words of the game in both languages, in the forms that messages need."""

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.army import (
    LOYALIST,
    TRAITOR,
    BattlefieldRole,
    Deployment,
    DetachmentType,
    Model,
    PlacedUnit,
)

ROLES = {
    BattlefieldRole.HQ: Text("HQ", "командные войска"),
    BattlefieldRole.TROOPS: Text("Troops", "основные войска"),
    BattlefieldRole.ELITES: Text("Elites", "элитные войска"),
    BattlefieldRole.FAST_ATTACK: Text("Fast Attack", "мобильные войска"),
    BattlefieldRole.HEAVY_SUPPORT: Text("Heavy Support", "тяжёлая огневая поддержка"),
    BattlefieldRole.LORD_OF_WAR: Text("Lord of War", "властелины войны"),
    BattlefieldRole.PRIMARCH: Text("Primarch", "примархи"),
    BattlefieldRole.FORTIFICATION: Text("Fortification", "фортификации"),
}

DETACHMENTS = {
    DetachmentType.PRIMARY: Text("Primary Detachment", "основное подразделение"),
    DetachmentType.ALLIED: Text("Allied Detachment", "союзное подразделение"),
    DetachmentType.LORD_OF_WAR: Text("Lord of War Detachment", "подразделение властелинов войны"),
}
DETACHMENTS_AS_HEADS = {
    DetachmentType.PRIMARY: Text("Primary Detachment", "Основное подразделение"),
    DetachmentType.ALLIED: Text("Allied Detachment", "Союзное подразделение"),
    DetachmentType.LORD_OF_WAR: Text("Lord of War Detachment", "Подразделение властелинов войны"),
}
ADDED_DETACHMENTS = {
    DetachmentType.ALLIED: Text("an Allied Detachment", "союзное подразделение"),
    DetachmentType.LORD_OF_WAR: Text("a Lord of War Detachment", "подразделение властелинов войны"),
}
IN_DETACHMENTS = {  # prepositional case
    DetachmentType.PRIMARY: Text("Primary Detachment", "основном подразделении"),
    DetachmentType.ALLIED: Text("Allied Detachment", "союзном подразделении"),
    DetachmentType.LORD_OF_WAR: Text("Lord of War Detachment", "подразделении властелинов войны"),
}
OF_DETACHMENTS = {  # genitive case
    DetachmentType.PRIMARY: Text("Primary Detachment", "основного подразделения"),
    DetachmentType.ALLIED: Text("Allied Detachment", "союзного подразделения"),
    DetachmentType.LORD_OF_WAR: Text("Lord of War Detachment", "подразделения властелинов войны"),
}

SIDES = {LOYALIST: Text("Loyalist", "лоялисты"), TRAITOR: Text("Traitor", "предатели")}
OF_SIDES = {LOYALIST: Text("Loyalist", "лоялистов"), TRAITOR: Text("Traitor", "предателей")}

UNIT_TYPES = {
    "infantry": Text("Infantry", "пехота"),
    "cavalry": Text("Cavalry", "кавалерия"),
    "automata": Text("Automata", "автоматон"),
    "dreadnought": Text("Dreadnought", "дредноут"),
    "daemon": Text("Daemon", "демон"),
    "primarch": Text("Primarch", "примарх"),
    "vehicle": Text("Vehicle", "техника"),
    "fortification": Text("Fortification", "фортификация"),
    "monstrous": Text("Monstrous", "монструозная"),
}

CHARACTERISTICS = {
    "M": Text("Movement", "движение"),
    "WS": Text("Weapon Skill", "навык ближнего боя"),
    "BS": Text("Ballistic Skill", "навык стрельбы"),
    "S": Text("Strength", "сила"),
    "T": Text("Toughness", "стойкость"),
    "W": Text("Wounds", "раны"),
    "I": Text("Initiative", "инициатива"),
    "A": Text("Attacks", "атаки"),
    "Ld": Text("Leadership", "лидерство"),
    "Sv": Text("armour save", "спас-бросок за броню"),
    "Inv": Text("invulnerable save", "непробиваемый спас-бросок"),
    "FNP": Text("Feel No Pain", "«Не ведая боли»"),
    "HP": Text("Hull Points", "пункты корпуса"),
}

ASSAULTS = {
    Deployment.DEEP_STRIKE_ASSAULT: Text("Deep Strike Assault", "штурм глубоким ударом"),
    Deployment.FLANKING_ASSAULT: Text("Flanking Assault", "штурм с фланга"),
}

HQ_CHARACTERS = Text("HQ characters", "персонажи командных войск")
CHARACTERS = Text("characters", "персонажи")


def role(role_word: str) -> Text:
    """A battlefield role; a role of another book as its own words."""
    known = next((text for known_role, text in ROLES.items() if known_role == role_word), None)
    return known or plain(role_word)


def plain(text: str) -> Text:
    """A value of a document that is no word of the rulebook, without the underscores of documents."""
    words = text.replace("_", " ")
    return Text(words, words)


def model_name(placed: PlacedUnit, model: Model | None) -> str:
    """The unit, with the group of models in brackets where it has groups."""
    return placed.name if model is None or model.at == placed.at else f"{placed.name} ({model.name})"
