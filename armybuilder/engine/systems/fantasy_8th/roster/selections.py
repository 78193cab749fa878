"""What one selection of a Fantasy roster is: gear, magic, command, crew, mount or item."""

import re
from decimal import Decimal

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import TroopType
from armybuilder.engine.systems.fantasy_8th.combat.saves import BARDING, SHIELDS, SUITS
from armybuilder.engine.systems.fantasy_8th.combat.weapons import named
from armybuilder.engine.systems.fantasy_8th.reference import MagicItem, folded
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read

COMMAND = ("champion", "musician", "standard bearer")
STANDARD_BEARERS = ("battle standard", "army standard")
CREW = ("crew", "crewman", "crewmen", "bully", "overseer")
CAVALRY: tuple[TroopType, ...] = ("cavalry", "monstrous_cavalry")
LEAST_WOUNDS_OF_A_MONSTER = 4
_REMARK = re.compile(r"\([^()]*\)")
_NO_GEAR = re.compile(r"\b(?:lores?|spells?|magic|items|gifts|mounts?|wizard|runes|powers)\b|^\d+\s*[.)-]")
"""Names of options and groups that are about magic, hold other options, or number the spells of a lore."""


def is_bare(node: SelectionState) -> bool:
    """Whether the data says no more of an option than its name."""
    return node.type == "upgrade" and node.number > 0 and not (node.profiles or node.rules or node.selections)


def _is_bare_but_for_armour(node: SelectionState) -> bool:
    own = node.type == "upgrade" and node.number > 0 and not (node.rules or node.selections)
    return own and all(row.type_name == read.ARMOUR for row in node.profiles)


def is_army_standard(name: str) -> bool:
    """Whether an option or a unit of this name carries the army's own standard."""
    return any(word in folded(name) for word in STANDARD_BEARERS)


def says_who(node: SelectionState) -> bool:
    """Whether an option without a word more is a rank, a lore, a spell or a frame for items, and no gear."""
    name = folded(node.name)
    is_rank = in_command(node) or name in (*COMMAND, "general") or is_army_standard(name)
    is_magic = read.wizard_level(node.name) or read.lore_name(node.name) or in_lores(node)
    return bool(is_rank or is_magic or _NO_GEAR.search(name) or _NO_GEAR.search(folded(node.group_names)))


def bare_armour(node: SelectionState) -> str | None:
    """The rulebook's piece of armour that an option is by its name alone: "Light Armour", "Shields"."""
    name = folded(read.without_remarks(node.name)).removesuffix("s") if is_bare(node) else ""
    return name.capitalize() if name in SUITS or name in SHIELDS or name in BARDING else None


def weapon_shown(node: SelectionState, row: ProfileState) -> str:
    """The weapon of a row; of an additional hand weapon some data prints the row of any hand weapon."""
    name, chosen = read.weapon_name(row.name), read.weapon_name(node.name)
    second = folded(name) == "hand weapon" and folded(chosen) == "additional hand weapon"
    return chosen if second else name


def bare_weapon(node: SelectionState) -> str | None:
    """The rulebook's weapon that an option is by its name alone: "Great Weapon"; it may come with a shield."""
    armed = is_bare(node) or _is_bare_but_for_armour(node)
    name = read.weapon_name(node.name) if armed else ""
    found = next((one for one in (name, name.removesuffix("s")) if named(one) != (None, None)), None)
    return found if found and not in_command(node) else None


def model_rows(node: SelectionState) -> list[ProfileState]:
    """The rows of characteristics that it has."""
    return [profile for profile in node.profiles if read.is_model(profile)]


def is_item(node: SelectionState) -> bool:
    """Whether it is an item of magic by the words of the data."""
    return node.type == "upgrade" and read.names_an_item(node)


def in_lores(node: SelectionState) -> bool:
    """Whether it is chosen where lores of magic are: some are named by the army book alone."""
    return folded(node.group_names).rpartition("::")[2] in ("lore", "lores", "lore of magic", "lores of magic")


def in_command(node: SelectionState) -> bool:
    """Whether it is chosen where the command of a unit is."""
    segments = folded(node.group_names).split("::")
    return "command" in segments or "champion" in segments or "command group" in segments


def is_crew(node: SelectionState, root: SelectionState) -> bool:
    """Whether it is the crew of a machine or chariot: by its name, or by that of its characteristics."""
    if node is root:
        return False
    own = _REMARK.sub("", node.name)  # a chariot "(replaces one crew)" is none
    names = [own, *(profile.name for profile in model_rows(node))]
    without_type = all(type_of(profile) is None for profile in model_rows(node))
    return without_type and any(word in folded(name).split() for name in names for word in CREW)


def type_of(profile: ProfileState) -> TroopType | None:
    """The type of a row; who drives a chariot is none, even where the data says so: he has no Toughness."""
    found = read.troop_type(profile.value("Type") or "")
    return None if found == "chariot" and read.number(profile.value("T")) is None else found


def type_of_mount(node: SelectionState, profile: ProfileState) -> TroopType | None:
    """The type of a mount whose row has none, by its Wounds: none or one, three, or those of a monster [decision]."""
    wounds = read.number(profile.value("W"))
    if wounds is None:  # a steed fights and is not wounded (L709-725); what has a type beside it carries a crew
        is_steed = in_mounts(node) and all(type_of(row) is None for row in model_rows(node))
        return "war_beast" if is_steed and not read.number(profile.value("BS")) else None
    return "war_beast" if wounds < 2 else "monstrous_beast" if wounds < LEAST_WOUNDS_OF_A_MONSTER else "monster"


def in_mounts(node: SelectionState) -> bool:
    """Whether it is chosen where mounts are."""
    segments = folded(node.group_names).split("::")
    return "mount" in segments or "mounts" in segments


def is_mount(node: SelectionState) -> bool:
    """Whether it is ridden or draws: by its group or type; who shoots is a rider, or a beast that nobody rides."""
    if in_mounts(node) or folded(node.name) == "steeds":
        return True
    rows = ((type_of(profile), read.number(profile.value("BS"))) for profile in model_rows(node))
    hunts = (*CAVALRY, "monstrous_beast") if node.type == "model" else CAVALRY
    return any(found in read.RIDDEN and not (found in hunts and skill) for found, skill in rows)


def book_item(name: str, node: SelectionState, price: Decimal) -> MagicItem:
    """An item of an army book, as far as its data says what the rules ask for."""
    category = read.item_category(node)
    words = " ".join(value for profile in node.profiles for _, value in profile.characteristics).casefold()
    slot = None
    if category == "armour":
        kind = folded(name)
        slot = "shield" if "shield" in kind else "helm" if any(w in kind for w in ("helm", "crown", "mask")) else "suit"
    return MagicItem(
        en=name,
        ru=name,
        category=category,
        points=int(price),
        source="army book",
        slot=slot,  # type: ignore[arg-type]
        shoots=any(read.is_shot(row) for row in node.profiles),
        one_use="one use" in words,
        ward="ward save" in words or "wardsave" in words,
        regeneration="regeneration" in words,
    )
