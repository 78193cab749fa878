"""Musters lists from the community's Fantasy data, by the names in its files."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from tests.armylists.recruiting import Recruiter as ByName
from tests.armylists.test_verdicts_fantasy import COMMUNITY_RELEASE, library_of, published

STANDARD = "5374616e6461726423232344415441232323"
GAME = "Warhammer Fantasy 8th ed.gst"
EMPIRE, BEASTMEN, SKAVEN, VAMPIRES, OGRES, TOMB_KINGS, DAEMONS, ORCS = (
    "Empire - 8thBRB_8thAB.catz",
    "Beastmen - 8thBRB_7thAB.catz",
    "Skaven - 8thBRB_7thAB.catz",
    "Vampire Counts - 8thBRB_8thAB.catz",
    "Ogre Kingdoms - 8thBRB_8thAB.catz",
    "Tomb Kings - 8thBRB_8thAB.catz",
    "Daemons of Chaos - 8thBRB_8thAB.catz",
    "Orcs and Goblins - 8thBRB_8thAB.catz",
)
CHAOS_DWARFS, DARK_ELVES = "Chaos Dwarfs LoA - 8thBRB.catz", "Dark Elves - 8thBRB_8thAB.catz"
HIGH_ELVES, LIZARDMEN = "High Elves - 8thBRB_8thAB.catz", "Lizardmen - 8thBRB_8thAB.catz"
COMMAND = ("Champion", "Musician", "Standard Bearer")
Recipe = Callable[["Recruiter"], object]


class Recruiter(ByName):
    """A muster that knows where the community's Fantasy data keeps magic items and allies."""

    def items(self, unit: str, *names: str) -> None:
        """Magic items below the option that leads to them."""
        bag = self.take(unit, "Magic Items")
        for name in names:
            self.take(bag, f"BRB - {name}")

    def ally(self, name: str) -> None:
        catalogue = next(c for c in self.report.library.catalogues if c.name.startswith(name))
        self.force_id = self.detachment(STANDARD, catalogue.id)


@pytest.fixture
def muster_of(db: None, shared: Path, viewer: Viewer):  # type: ignore[no-untyped-def]
    """Starts a list of 2,000 points with the army of the first file."""

    def start(*files: str, points: int = 2000) -> Recruiter:
        folder = shared / "battlescribe" / "data" / "whfb"
        library = library_of([folder / name for name in (GAME, *files)])
        published(COMMUNITY_RELEASE, library)
        own = next(c for c in library.catalogues if c.name.startswith(files[0][:4]))
        return Recruiter(
            viewer,
            services.create_army_list(
                viewer,
                system_id="fantasy-8th",
                name="From the community",
                catalogue_id=own.id,
                force_entry_id=STANDARD,
                points_limit=points,
            ),
        )

    return start


def spent(army: Recruiter) -> Counter[str]:
    """Points of each category in the army document."""
    sums: Counter[str] = Counter()
    for unit in army.report.army.units:
        sums[unit.category] += unit.points
    return sums


def empire(army: Recruiter) -> None:
    """1,997 points: General 178, Wizard Lord 245; Captain 126, Priest 72; Core 577; Special 679; Luminark 120."""
    general = army.recruit("General of the Empire", "Full Plate Armour")
    army.take(general, "Warhorse", "Barding")
    army.items(general, "Sword of Might", "Talisman of Endurance")
    wizard = army.recruit("Battle Wizard Lord", "Wizard Level 4", "Lore of Light")
    army.items(wizard, "Talisman of Preservation")
    captain = army.recruit("Captain of the Empire", "Full Plate Armour")
    army.take(captain, "Battle Standard Bearer", "BRB - War Banner")
    army.recruit("Warrior Priest", "Heavy Armour", "Great Weapon")
    halberdiers = army.recruit("Halberdiers", *COMMAND, Halberdiers=30)
    army.recruit("Swordsmen", *COMMAND, Swordsmen=25)
    army.recruit("Handgunners")
    detached = army.take(halberdiers, "Handgunners")
    army.size(detached, "Handgunners", 8)
    greatswords = army.recruit("Greatswords", "Champion", "Musician", Greatswords=20)
    army.take(greatswords, "Standard Bearer", "BRB - Razor Standard")
    army.recruit("Demigryph Knights", "Champion")
    army.recruit("Great Cannon")
    army.recruit("Huntsmen")
    army.recruit("Luminark of Hysh")
    army.facts(general=general)
    army.unit_facts(wizard, spells=["Shem's Burning Gaze", "Pha's Protection", "Light of Battle", "Banishment"])


WOOD_ELVES = "Wood Elves - 8thBRB_8thAB.catz"


def models_of(army: Recruiter, unit: str) -> str:
    """The models of a unit that bear its name."""
    node = army.document.places[unit].node
    return next(part.id for part in node.walk() if part.name == node.name and part.id != unit)  # type: ignore[union-attr]
