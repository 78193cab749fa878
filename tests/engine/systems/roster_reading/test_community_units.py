"""Units of the community's data as fighters: none of their weapons is lost, and what they carry is as it was checked.

The tables in `units_as_read/` hold a line a unit, as it comes from the data: "10 Archer A1: Bow" are ten models with an
Attack each and a bow; of a chariot or machine the crew and what draws it follow. They were compared with the text of
the data: models and weapons counted there, numbers in names multiplied out, what is named twice counted once.
`sets.txt` holds what all units of every set come to, catalogue by catalogue; REWRITE_GOLDEN=1 writes it anew.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.epic.army import Weapon as EpicWeapon
from armybuilder.engine.systems.epic.roster import fighters as epic
from armybuilder.engine.systems.epic.roster import recognition as epic_words
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.fantasy_8th.roster import fighters as fantasy
from armybuilder.engine.systems.fantasy_8th.roster import recognition as fantasy_words
from armybuilder.engine.systems.fantasy_8th.roster.units import CHOICE_OF_WEAPONS
from armybuilder.engine.systems.fantasy_8th.roster.weapon_rows import MACHINES
from armybuilder.engine.systems.horus_heresy.roster import army_document as heresy_documents
from armybuilder.engine.systems.horus_heresy.roster import fighters as heresy
from armybuilder.engine.systems.horus_heresy.roster import recognition as heresy_words
from armybuilder.engine.systems.wh40k_6th.roster import army_document as wh40k_documents
from armybuilder.engine.systems.wh40k_6th.roster import fighters as wh40k
from armybuilder.engine.systems.wh40k_6th.roster import recognition as wh40k_words
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import readable
from tests.breadth import is_whole, share
from tests.engine.systems.roster_reading.community_units import (
    FANTASY,
    HERESY,
    CommunityUnit,
    described,
    library_in,
    units,
    weapons_of,
)

pytestmark = pytest.mark.shared

AS_READ = Path(__file__).parent / "units_as_read"
BOOKS_OF_FANTASY = (
    "Warhammer Fantasy 8th",
    "Empire - 8thBRB_8th",
    "High Elves - 8thBRB_8th",
    "Daemons of Chaos - 8thBRB",
    "Dark Elves - 8thBRB",
    "Warriors of Chaos - 8thBRB",
    "Tomb Kings - 8thBRB",
    "Vampire Counts - 8thBRB",
    "Skaven - 8thBRB",
    "Chaos Dwarfs LoA",
    "Beastmen - 8thBRB",
    "Bretonnia - 8thBRB",
    "Ogre Kingdoms - 8thBRB",
    "Orcs and Goblins - 8thBRB",
    "Wood Elves - 8thBRB_8th",
    "Dwarfs - 8thBRB",
    "Lizardmen - 8thBRB",
)
LISTS_OF_EPIC = (
    "Epic.gst", "Steel Legion", "Biel-Tan", "Ghazg", "Badab War", "Ke'lshan", "Omphalia", "Sa'Cea",
)  # fmt: skip


class Totals:
    """What all units of a set come to, by catalogue: how many fight, their models, weapons and Attacks."""

    def __init__(self) -> None:
        self.rows: dict[str, Counter[str]] = {}

    def enter(self, unit: CommunityUnit, fighters: Sequence[Any]) -> None:
        """Count a unit with the fighters made of it."""
        row = self.rows.setdefault(" ".join(unit.catalogue.split()), Counter())
        row.update({"units": 1, "fight": int(bool(fighters))})
        for fighter in fighters:
            groups = fighter.side.models if hasattr(fighter.side, "models") else fighter.side.groups
            for group in groups:
                row.update({"models": group.count, "weapons": _weapon_count(group), "Attacks": _attack_count(group)})

    def lines(self, folder: str) -> list[str]:
        """A line for each catalogue, as they are kept."""
        return sorted(
            f"{folder} | {name} | " + ", ".join(f"{row[part]} {part}" for part in COUNTED)
            for name, row in self.rows.items()
        )

    def differ(self, folder: str) -> list[str]:
        """What is not as it is kept; with REWRITE_GOLDEN it is kept so from now on."""
        path, now = AS_READ / "sets.txt", self.lines(folder)
        kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if os.environ.get("REWRITE_GOLDEN"):
            others = [line for line in kept if line.partition(" | ")[0] != folder]
            path.write_text("".join(f"{line}\n" for line in sorted((*others, *now))), encoding="utf-8")
            return []
        return sorted(set(now) ^ {line for line in kept if line.partition(" | ")[0] == folder})


COUNTED = ("units", "fight", "models", "weapons", "Attacks")


def _weapon_count(group: Any) -> int:
    """Weapons of its models, each as often as they carry it; of war engines as many as they have."""
    return sum(_copies_of(weapon, group.count) for weapon in group.weapons)


def _copies_of(weapon: Any, bearers: int) -> int:
    if isinstance(weapon, EpicWeapon):
        return bearers * weapon.count
    stated = None if isinstance(weapon, str) else getattr(weapon, "count", None)
    return bearers if stated is None else int(stated)


def _attack_count(group: Any) -> int:
    """Attacks of its models with mounts and crews; those that are rolled count as they are written, or not at all."""
    profile = getattr(group, "profile", None)
    parts = [(1, getattr(profile, "attacks", None) or getattr(profile, "A", None))]
    parts += [(crew.count, crew.profile.A) for crew in getattr(group, "crews", ())]
    parts += [(1, group.mount.profile.A)] if getattr(group, "mount", None) else []
    return group.count * sum(number * value for number, value in parts if isinstance(value, int))


def lost_weapons(
    library: Library,
    fighters: Callable[..., Sequence[Any]],
    names: Callable[[ProfileState], Iterator[str]],
    told: Callable[[Any], set[str]],
    totals: Totals,
) -> tuple[int, list[str]]:
    """How many units fight, and the weapons on them that are neither carried nor named as not understood."""
    count, lost = 0, []
    for unit in units(library):
        found = fighters(unit.state)
        totals.enter(unit, found)
        count += bool(found)
        kept = {name for fighter in found for name in (*told(fighter), *fighter.unknown)}
        shown = {name for node in unit.node.walk() if node.number > 0 for row in node.profiles for name in names(row)}
        lost += [f"{unit.catalogue}: {unit.name}: {name}" for name in sorted(shown - kept) if found]
    return count, lost


@pytest.mark.parametrize(("folder", "least"), [(HERESY, 700), ("horus-heresy", 150)])
def test_horus_heresy(data: Path, folder: str, least: int) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name in heresy_words.WEAPON_PROFILES:
            yield row.name

    totals = Totals()
    count, lost = lost_weapons(library_in(data / folder), heresy.sides_from_roster, names, weapons_of, totals)
    assert (count >= least, lost, totals.differ(folder)) == (True, [], []), count


@pytest.mark.parametrize(("folder", "least"), [("wh40k-6th-1.14b", 100), ("wh40k-7th-edition", 150)])
def test_wh40k_6th(data: Path, folder: str, least: int) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name == wh40k_words.WEAPON_PROFILE:
            read = wh40k_words.weapon_of(row).weapon
            if read is None or not (read.is_melee or read.range == "-"):  # no figure of this game is of close combat
                yield readable(row)[0].name

    totals = Totals()
    count, lost = lost_weapons(library_in(data / folder), wh40k.sides_from_roster, names, weapons_of, totals)
    assert (count >= least, lost, totals.differ(folder)) == (True, [], []), count


def test_fantasy(data: Path) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name == fantasy_words.WEAPON:
            yield row.name

    def told(fighter: Any) -> set[str]:
        groups = fighter.side.models
        arms = [w for g in groups for w in (*g.weapons, *(w for crew in g.crews for w in crew.weapons))]
        carried = {folded(w if isinstance(w, str) else w.name) for w in arms}
        items = {folded(name) for group in fighter.side.models for name in group.magic_items}
        rules = {folded(rule) for group in fighter.side.models for rule in group.rules}
        chosen = {"additional hand weapon"} if CHOICE_OF_WEAPONS in rules else set()
        spears = {"spear", "cavalry spear"}  # two rows, of which one is carried
        return {"hand weapon", *carried, *items, *chosen, *(spears if spears & carried else ()), *({"scythes"} & rules)}

    lost = []
    count, totals = 0, Totals()
    for unit in units(library_in(data / "whfb", *FANTASY)):
        found = fantasy.sides_from_roster(unit.state)
        totals.enter(unit, found)
        count += bool(found)
        kept = {name for fighter in found for name in told(fighter)}
        unknown = {folded(text) for fighter in found for text in fighter.unknown}
        breathed = [rule for fighter in found for group in fighter.side.models for rule in group.rules]
        breathes = any(rule.startswith("Breath Weapon (") for rule in breathed)
        for node in unit.node.walk():
            for row in node.profiles:
                said = f"{row.value('Range')} {row.value('Special Rules')}".casefold()
                if breathes and ("breath" in said or "flame template" in said):
                    continue  # it is the rule
                for name in names(row):
                    plain = folded(fantasy_words.weapon_name(name))
                    machine = folded(MACHINES.get(plain, ""))
                    item = folded(fantasy_words.without_remarks(node.name))
                    if found and not {plain, machine, item, folded(name)} & (kept | unknown):
                        lost.append(f"{unit.catalogue}: {unit.name}: {name}")
    assert (count >= 500, lost, totals.differ("whfb")) == (True, [], []), count


def test_epic(data: Path) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name in (*epic_words.UNIT_PROFILES, epic_words.WEAPON_PROFILE):
            for weapon, _ in () if epic_words.is_choice_of_others(row) else epic_words.weapons(row):
                if weapon.range is not None or weapon.firepower is not None or not weapon.rules:
                    yield weapon.name  # others only give their bearer a rule

    library = library_in(data / "wh40k-epic-armageddon")
    totals = Totals()
    count, lost = lost_weapons(library, epic.sides_from_roster, names, weapons_of, totals)
    assert (count >= 500, lost, totals.differ("wh40k-epic-armageddon")) == (True, [], []), count


@pytest.mark.parametrize(
    ("folder", "game", "least"),
    [(HERESY, "horus_heresy", 700), ("wh40k-6th-1.14b", "wh40k_6th", 100), ("wh40k-7th-edition", "wh40k_6th", 150)],
)
def test_the_army_document_and_the_fighter_have_the_same_models(data: Path, folder: str, game: str, least: int) -> None:
    """Fortifications aside, and models without characteristics, which cannot fight."""
    documents, facts, fighters = {
        "horus_heresy": (heresy_documents.Translator, heresy_documents.Facts(), heresy.sides_from_roster),
        "wh40k_6th": (wh40k_documents.Translator, wh40k_documents.Facts(), wh40k.sides_from_roster),
    }[game]
    compared, different = 0, []
    library = library_in(data / folder)
    books = share((one.name for one in library.catalogues if not one.library), of=3)
    for one in units(library, *books):
        fought = {fighter.unit: fighter.models for fighter in fighters(one.state)}
        army: Any = documents.translate(one.state, facts, points_limit=None, alliance_levels={}).army
        for unit in (unit for detachment in army.detachments for unit in detachment.units if unit.id in fought):
            models: Any = unit.models
            groups = () if isinstance(models, int) else models
            if unit.role == "fortification" or any(group.profile is None for group in groups):
                continue
            compared += 1
            number = models if isinstance(models, int) else sum(group.count for group in groups)
            different += [f"{one.catalogue}: {unit.name}"] if number != fought[unit.id] else []
    assert (compared >= (least if is_whole() else least // 6), different) == (True, []), compared


def table(name: str) -> list[tuple[str, str]]:
    lines = (AS_READ / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [(unit, carried) for unit, _, carried in (line.partition(" => ") for line in lines)]


@pytest.mark.parametrize(
    ("name", "folder", "files", "catalogues", "fighters"),
    [
        ("horus_heresy", HERESY, (), ("Sons of Horus", "Solar Auxilia"), heresy.sides_from_roster),
        (
            "wh40k_6th",
            "wh40k-6th-1.14b",
            (),
            ("Orks", "Space Marines", "Tau", "Imperial Knights"),
            wh40k.sides_from_roster,
        ),
        ("wh40k_7th", "wh40k-7th-edition", (), ("Astra Militarum", "Space Marines"), wh40k.sides_from_roster),
        ("fantasy_8th", "whfb", BOOKS_OF_FANTASY, (), fantasy.sides_from_roster),
        ("fantasy_8th_older", "whfb", ("Warhammer Fantasy 8th", "Empire - 8thBRB_7th"), (), fantasy.sides_from_roster),
        ("epic", "wh40k-epic-armageddon", LISTS_OF_EPIC, (), epic.sides_from_roster),
    ],
)
def test_what_units_carry(
    data: Path,
    name: str,
    folder: str,
    files: tuple[str, ...],
    catalogues: tuple[str, ...],
    fighters: Callable[..., Sequence[Any]],
) -> None:
    found: dict[str, set[str]] = {}
    for unit in units(library_in(data / folder, *files), *catalogues):
        for fighter in fighters(unit.state):
            found.setdefault(fighter.name, set()).add(described(fighter))
    wrong = {unit: found.get(unit) for unit, carried in table(name) if carried not in found.get(unit, set())}
    assert wrong == {}
