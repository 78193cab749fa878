"""Units of the community's data as fighters: none of their weapons is lost, and what they carry is as it was checked.

The tables in `units_as_read/` hold a line a unit, as it comes from the data: "10 Archer A1: Bow" are ten models with an
Attack each and a bow; of a chariot or machine the crew and what draws it follow. They were compared with the text of
the data: models and weapons counted there, numbers in names multiplied out, what is named twice counted once.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.epic.army import Weapon as EpicWeapon
from armybuilder.engine.systems.epic.roster import fighters as epic
from armybuilder.engine.systems.epic.roster import recognition as epic_words
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.fantasy_8th.roster import fighters as fantasy
from armybuilder.engine.systems.fantasy_8th.roster import recognition as fantasy_words
from armybuilder.engine.systems.fantasy_8th.roster.units import CHOICE_OF_WEAPONS
from armybuilder.engine.systems.horus_heresy.combat.matrix import pair_request
from armybuilder.engine.systems.horus_heresy.matchup import Conditions
from armybuilder.engine.systems.horus_heresy.roster import fighters as heresy
from armybuilder.engine.systems.wh40k_6th.roster import fighters as wh40k
from armybuilder.engine.systems.wh40k_6th.roster import recognition as wh40k_words
from tests.engine.systems.roster_reading.community_units import CommunityUnit, library_in, units

pytestmark = pytest.mark.shared

AS_READ = Path(__file__).parent / "units_as_read"
FANTASY = ("Warhammer Fantasy 8th", "8thBRB")
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
)
LISTS_OF_EPIC = ("Epic.gst", "Steel Legion", "Biel-Tan", "Ghazg", "Badab War")
HERESY = "horus-heresy-2023-10-07"


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "battlescribe" / "data"


def lost_weapons(
    library: Library,
    fighters: Callable[..., Sequence[Any]],
    names: Callable[[ProfileState], Iterator[str]],
    told: Callable[[Any], set[str]],
) -> tuple[int, list[str]]:
    """How many units fight, and the weapons on them that are neither carried nor named as not understood."""
    count, lost = 0, []
    for unit in units(library):
        found = fighters(unit.state)
        count += bool(found)
        kept = {name for fighter in found for name in (*told(fighter), *fighter.unknown)}
        shown = {name for node in unit.node.walk() if node.number > 0 for row in node.profiles for name in names(row)}
        lost += [f"{unit.catalogue}: {unit.name}: {name}" for name in sorted(shown - kept) if found]
    return count, lost


def weapons_of(fighter: Any) -> set[str]:
    groups = fighter.side.models if hasattr(fighter.side, "models") else fighter.side.groups
    return {weapon.name for group in groups for weapon in group.weapons}


@pytest.mark.parametrize(("folder", "least"), [(HERESY, 700), ("horus-heresy", 150)])
def test_horus_heresy(data: Path, folder: str, least: int) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name in heresy.WEAPON_PROFILES:
            yield row.name

    count, lost = lost_weapons(library_in(data / folder), heresy.sides_from_roster, names, weapons_of)
    assert (count >= least, lost) == (True, []), count


@pytest.mark.parametrize(("folder", "least"), [("wh40k-6th-1.14b", 100), ("wh40k-7th-edition", 150)])
def test_wh40k_6th(data: Path, folder: str, least: int) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name == wh40k_words.WEAPON_PROFILE:
            read = wh40k_words.weapon_of(row).weapon
            if read is None or not (read.is_melee or read.range == "-"):  # no figure of this game is of close combat
                yield row.name

    count, lost = lost_weapons(library_in(data / folder), wh40k.sides_from_roster, names, weapons_of)
    assert (count >= least, lost) == (True, []), count


def test_fantasy(data: Path) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name == fantasy_words.WEAPON:
            yield row.name

    def told(fighter: Any) -> set[str]:
        carried = {folded(w if isinstance(w, str) else w.name) for g in fighter.side.models for w in g.weapons}
        items = {folded(name) for group in fighter.side.models for name in group.magic_items}
        rules = {folded(rule) for group in fighter.side.models for rule in group.rules}
        chosen = {"additional hand weapon"} if CHOICE_OF_WEAPONS in rules else set()
        return {"hand weapon", *carried, *items, *chosen}

    lost = []
    count = 0
    for unit in units(library_in(data / "whfb", *FANTASY)):
        found = fantasy.sides_from_roster(unit.state)
        count += bool(found)
        kept = {name for fighter in found for name in told(fighter)}
        unknown = {folded(text) for fighter in found for text in fighter.unknown}
        for node in unit.node.walk():
            for row in node.profiles:
                for name in names(row):
                    plain = folded(fantasy_words.weapon_name(name))
                    machine = folded(fantasy.MACHINES.get(plain, ""))
                    item = folded(fantasy_words.without_remarks(node.name))
                    if found and not {plain, machine, item, folded(name)} & (kept | unknown):
                        lost.append(f"{unit.catalogue}: {unit.name}: {name}")
    assert (count >= 500, lost) == (True, []), count


def test_epic(data: Path) -> None:
    def names(row: ProfileState) -> Iterator[str]:
        if row.type_name in (*epic_words.UNIT_PROFILES, epic_words.WEAPON_PROFILE):
            for weapon, _ in epic_words.weapons(row):
                yield weapon.name

    library = library_in(data / "wh40k-epic-armageddon")
    count, lost = lost_weapons(library, epic.sides_from_roster, names, weapons_of)
    assert (count >= 500, lost) == (True, []), count


def table(name: str) -> list[tuple[str, str]]:
    lines = (AS_READ / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [(unit, carried) for unit, _, carried in (line.partition(" => ") for line in lines)]


def described(fighter: Any) -> str:
    """The models of a fighter with their Attacks and what they carry, as the tables write it."""
    side = fighter.side
    return "; ".join(map(_group, side.models if hasattr(side, "models") else side.groups))


def _group(group: Any) -> str:
    attacks = next((getattr(group.profile, name) for name in ("attacks", "A") if hasattr(group.profile, name)), None)
    carried: Counter[tuple[str, int | None]] = Counter()
    for weapon in group.weapons:
        if isinstance(weapon, EpicWeapon):
            carried[weapon.name, None] += weapon.count
        elif isinstance(weapon, str):
            carried[weapon, None] += 1
        else:
            carried[weapon.name, getattr(weapon, "count", None)] += 1
    parts = [
        (f"{number} " if number > 1 else "") + name + (f" on {bearers}" if bearers else "")
        for (name, bearers), number in carried.items()
    ]
    if crew := getattr(group, "crew", None):
        parts.append(f"crew {crew.count} A{crew.profile.A}")
    if mount := getattr(group, "mount", None):
        parts.append(f"{mount.name} A{mount.profile.A}")
    return f"{group.count} {group.name}" + (f" A{attacks}" if attacks is not None else "") + ": " + ", ".join(parts)


@pytest.mark.parametrize(
    ("name", "folder", "files", "catalogues", "fighters"),
    [
        ("horus_heresy", HERESY, (), ("Sons of Horus", "Solar Auxilia"), heresy.sides_from_roster),
        ("wh40k_6th", "wh40k-6th-1.14b", (), ("Orks", "Space Marines"), wh40k.sides_from_roster),
        ("wh40k_7th", "wh40k-7th-edition", (), ("Astra Militarum", "Space Marines"), wh40k.sides_from_roster),
        ("fantasy_8th", "whfb", BOOKS_OF_FANTASY, (), fantasy.sides_from_roster),
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


@pytest.mark.parametrize(
    ("name", "distance", "hits", "before"),
    [
        ("Rapier Battery", 30, 64 / 9, 21.3),  # one gun of eight twin-linked shots at 3+
        ("Sky-Hunter Squadron", 30, 8.0, 16.0),  # three heavy bolters of four shots at 3+
        ("Outrider Squadron", 20, 8 / 3, 5.3),  # three twin-linked bolters of one shot at 3+
        ("Predator Squadron", 30, 8.0, 16 / 3),  # two heavy bolters and a cannon of four shots each at 3+
    ],
)
def test_hits_of_weapons_that_were_miscounted(
    data: Path, name: str, distance: float, hits: float, before: float
) -> None:
    """At a Tactical Squad; `before` is what was told when every model fired them, or a pair of guns was one."""
    by_name: dict[str, CommunityUnit] = {}
    for unit in units(library_in(data / HERESY), "Sons of Horus"):
        by_name.setdefault(unit.name, unit)
    (shooter,) = heresy.sides_from_roster(by_name[name].state)
    (target,) = heresy.sides_from_roster(by_name["Tactical Squad"].state)
    found = simulate(pair_request(shooter, target, conditions=Conditions(distance=distance)))
    assert found.metrics["hits"] == pytest.approx(hits, abs=0.05)
    assert abs(hits - before) > 2
