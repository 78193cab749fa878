"""A stored list, its facts and the rules they fire, and what it says of its units."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.check import check
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.edits import customise
from armybuilder.engine.systems.horus_heresy.roster.army_document import ArmyReading, Facts, Translator
from tests.engine.systems.horus_heresy.roster.builders import unit_named
from tests.fixtures.building import ListBuilding
from tests.fixtures.conftest import FOLDER, library_of
from tests.libraries import compiled_library

PRIMARY, ALLIED, LORD_OF_WAR = "hh-force-primary", "hh-force-allied", "hh-force-lord-of-war"
SONS, FISTS, RAVENS, AUXILIA = (
    "hh-legion-sons-of-horus",
    "hh-legion-imperial-fists",
    "hh-legion-raven-guard",
    "hh-solar-auxilia",
)


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(FOLDER)


class Muster(ListBuilding):
    """A legal army of 320 points: a Praetor who leads it and two tactical squads."""

    def __init__(self, library: Library, catalogue_id: str = SONS) -> None:
        super().__init__(library)
        self.detachment(PRIMARY, catalogue_id)
        self.praetor = self.add("Praetor")
        self.squads = [self.add("Tactical Squad"), self.add("Tactical Squad")]
        self.facts: dict[str, Any] = {
            "allegiance": "traitor",
            "warlord": self.praetor,
            "warlord_trait": "Stoic Defender",
        }
        self.limit: int | None = 2000
        self.levels: dict[tuple[str, str], str] = {}

    def allies(self, catalogue_id: str = FISTS) -> tuple[str, str]:
        """An Allied Detachment that fills its compulsory slots; returns its character and its squad."""
        self.detachment(ALLIED, catalogue_id)
        if catalogue_id == AUXILIA:
            return self.add("Legate Marshal"), self.add("Infantry Tercio")
        return self.add("Centurion"), self.add("Tactical Squad")

    def about(self, node_id: str, **facts: Any) -> None:
        """State something about a unit."""
        self.facts.setdefault("units", {})[node_id] = facts

    def translation(self) -> ArmyReading:
        facts = msgspec.convert(self.facts, Facts)
        return Translator.translate(self.state, facts, points_limit=self.limit, alliance_levels=self.levels)

    def rules(self) -> list[str]:
        """Ids that the rulebook's checks report, without the remark that allies are not recorded."""
        return [f.rule for f in check(self.translation().army).findings if f.rule != "HH-23"]


def test_the_muster_is_legal(library: Library) -> None:
    muster = Muster(library)
    assert muster.rules() == []
    assert muster.translation().findings == ()
    assert muster.points == 320


def no_allegiance(m: Muster) -> None:
    del m.facts["allegiance"]


def loyalist_primarch(m: Muster) -> None:
    m.facts["warlord"] = m.add("Corvus Corax")
    del m.facts["warlord_trait"]
    m.limit = 3000


def no_limit(m: Muster) -> None:
    m.limit = None


def too_small(m: Muster) -> None:
    m.limit = 1749


def no_chart(m: Muster) -> None:
    m.facts["chart"] = None


def second_primary(m: Muster) -> None:
    m.detachment(PRIMARY, SONS)
    m.add("Centurion")
    m.add("Tactical Squad")
    m.add("Tactical Squad")


def second_allies(m: Muster) -> None:
    m.allies()
    m.allies()


def one_squad_less(m: Muster) -> None:
    m.drop(m.squads[0])


def empty_lord_of_war_detachment(m: Muster) -> None:
    m.detachment(LORD_OF_WAR, SONS)


def lonely_allies(m: Muster) -> None:
    m.detachment(ALLIED, FISTS)
    m.add("Centurion")


def four_leaders(m: Muster) -> None:
    for _ in range(3):
        m.add("Centurion")


def support_squad(m: Muster) -> None:
    m.drop(m.squads[0])
    m.add("Tactical Support Squad")


def allies_of_the_same_legion(m: Muster) -> None:
    m.allies(SONS)


def tank_of_another_legion(m: Muster) -> None:
    m.detachment(LORD_OF_WAR, FISTS)
    m.add("Typhon Squadron")


def allied_character_joins(m: Muster) -> None:
    character, _ = m.allies()
    m.about(character, joined_to=m.squads[0])
    m.levels = {("Sons of Horus", "Imperial Fists"): "fellow_warriors"}


def allied_squad_embarks(m: Muster) -> None:
    rhino = m.take(m.squads[0], "Rhino")
    _, squad = m.allies()
    m.about(squad, embarked_in=rhino)


def primarch(m: Muster) -> None:
    m.facts["warlord"] = m.add("Horus Lupercal")
    del m.facts["warlord_trait"]


def primarch_in_a_small_army(m: Muster) -> None:
    primarch(m)
    m.limit = 1999


def no_warlord(m: Muster) -> None:
    del m.facts["warlord"]
    del m.facts["warlord_trait"]


def allied_warlord(m: Muster) -> None:
    m.facts["warlord"], _ = m.allies()


def sergeant_leads(m: Muster) -> None:
    m.facts["warlord"] = m.child(m.squads[0], "Legion Tactical Sergeant")
    del m.facts["warlord_trait"]


def sergeant_with_a_trait(m: Muster) -> None:
    m.drop(m.praetor)
    m.add("Damocles Command Rhino")
    m.facts["warlord"] = m.child(m.squads[0], "Legion Tactical Sergeant")


def tank_leads(m: Muster) -> None:
    m.facts["warlord"] = m.add("Damocles Command Rhino")
    del m.facts["warlord_trait"]


def primarch_follows(m: Muster) -> None:
    m.add("Horus Lupercal")
    m.limit = 3000


def no_trait(m: Muster) -> None:
    del m.facts["warlord_trait"]


def printed_trait(m: Muster) -> None:
    m.about(m.praetor, predetermined_warlord_trait="Son of Cthonia")


def unknown_trait(m: Muster) -> None:
    m.facts["warlord_trait"] = "Son of Cthonia"


def transport_of_another(m: Muster) -> None:
    m.about(m.take(m.squads[0], "Rhino"), dedicated_transport_for=m.squads[1])


def crowded_rhino(m: Muster) -> None:
    m.take(m.squads[0], "Rhino")
    m.models(m.squads[0], "Legionary", 12)


def jump_packs_in_a_rhino(m: Muster) -> None:
    m.take(m.squads[0], "Rhino")
    m.take(m.praetor, "Warhawk Jump Pack")
    m.about(m.praetor, joined_to=m.squads[0])


def three_strongpoints(m: Muster) -> None:
    m.take(m.add("Fortified Wall"), "Strongpoint", times=3)


def wall_in_reserve(m: Muster) -> None:
    m.about(m.add("Fortified Wall"), deployment="reserve")


def joins_a_dreadnought(m: Muster) -> None:
    m.about(m.praetor, joined_to=m.add("Contemptor Dreadnought Talon"))


def joins_infiltrators(m: Muster) -> None:
    scouts = m.add("Reconnaissance Squad")
    m.about(scouts, deployment="infiltrate")
    m.about(m.praetor, joined_to=scouts)


def flyer_on_the_table(m: Muster) -> None:
    m.about(m.add("Xiphon Interceptor"), deployment="table")


def squad_from_the_sky(m: Muster) -> None:
    m.about(m.squads[0], deployment="deep_strike_assault")


def squad_from_the_flank(m: Muster) -> None:
    m.about(m.squads[0], deployment="flanking_assault")


def two_assaults(m: Muster) -> None:
    m.facts["deep_strike_assaults"] = 2


def discipline_without_a_psyker(m: Muster) -> None:
    m.about(m.praetor, psychic_disciplines=["Telepathy"])


def same_side(m: Muster) -> None:
    m.facts["opponent"] = {"allegiance": "traitor", "points_limit": 2000}


def unequal_limits(m: Muster) -> None:
    m.facts["opponent"] = {"allegiance": "loyalist", "points_limit": 2500}


def four_reactions(m: Muster) -> None:
    m.facts["base_reactions"] = 4


@pytest.mark.parametrize(
    ("change", "legion", "rules"),
    [
        (no_allegiance, SONS, ["HH-01"]),
        (loyalist_primarch, RAVENS, ["HH-02", "HH-29", "HH-31"]),
        (no_limit, SONS, ["HH-04"]),
        (too_small, SONS, ["HH-06"]),
        (no_chart, SONS, ["HH-08"]),
        (second_primary, SONS, ["HH-09"]),
        (second_allies, SONS, ["HH-10"]),
        (one_squad_less, SONS, ["HH-11"]),
        (lonely_allies, SONS, ["HH-13"]),
        (empty_lord_of_war_detachment, SONS, ["HH-14"]),
        (four_leaders, SONS, ["HH-15"]),
        (support_squad, SONS, ["HH-17"]),
        (allies_of_the_same_legion, SONS, ["HH-19"]),
        (tank_of_another_legion, SONS, ["HH-20", "HH-29", "HH-31"]),
        (allied_character_joins, SONS, ["HH-26"]),
        (allied_squad_embarks, SONS, ["HH-27"]),
        (primarch_in_a_small_army, SONS, ["HH-07", "HH-28", "HH-30"]),
        (primarch, SONS, ["HH-29", "HH-30"]),
        (no_warlord, SONS, ["HH-32"]),
        (allied_warlord, SONS, ["HH-34"]),
        (sergeant_leads, SONS, ["HH-35"]),
        (tank_leads, SONS, ["HH-36"]),
        (primarch_follows, SONS, ["HH-29", "HH-31", "HH-37"]),
        (no_trait, SONS, ["HH-39"]),
        (sergeant_with_a_trait, SONS, ["HH-17", "HH-40"]),
        (printed_trait, SONS, ["HH-41"]),
        (unknown_trait, SONS, ["HH-42"]),
        (transport_of_another, SONS, ["HH-44"]),
        (crowded_rhino, SONS, ["HH-45"]),
        (jump_packs_in_a_rhino, SONS, ["HH-46"]),
        (three_strongpoints, SONS, ["HH-47"]),
        (wall_in_reserve, SONS, ["HH-48"]),
        (joins_a_dreadnought, SONS, ["HH-49"]),
        (joins_infiltrators, SONS, ["HH-50"]),
        (flyer_on_the_table, SONS, ["HH-52"]),
        (squad_from_the_sky, SONS, ["HH-54"]),
        (squad_from_the_flank, SONS, ["HH-55"]),
        (two_assaults, SONS, ["HH-56"]),
        (discipline_without_a_psyker, SONS, ["HH-57"]),
        (same_side, SONS, ["HH-61"]),
        (unequal_limits, SONS, ["HH-62"]),
        (four_reactions, SONS, ["HH-63"]),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_a_stored_list_fires_the_rule(
    library: Library, change: Callable[[Muster], None], legion: str, rules: list[str]
) -> None:
    muster = Muster(library, legion)
    change(muster)
    assert muster.rules() == rules


HOLES = {
    "a save of 7+": ("Tactical Squad", r'(legionaries-legionary-profile".*?name="Save"[^>]*>)3\+', "7+", ["HH-59"]),
    "Initiative 0": ("Tactical Squad", r'(legionaries-legionary-profile".*?name="I"[^>]*>)4', "0", ["HH-59"]),
    "armour 9": ("Predator Squadron", r'(squadron-predator-profile".*?name="Rear"[^>]*>)10', "9", ["HH-60"]),
    "no Hull Points": ("Predator Squadron", r'(squadron-predator-profile".*?name="HP"[^>]*>)3', "0", ["HH-60"]),
    "a gunner who is a gun": ("Rapier Battery", r'(carrier-gunner-profile".*?name="Unit Type"[^>]*>)Infantry \(Heavy\)',
                              "Infantry (Artillery)", ["HH-51"]),
}  # fmt: skip
"""What a hole in somebody's data makes of a unit: the unit, where the hole is, what stands there, what is found."""


@pytest.mark.parametrize("case", HOLES)
def test_holes_in_the_data_are_named(case: str) -> None:
    unit, place, written, rules = HOLES[case]
    files = [
        SourceFile(path.name, path.read_bytes()) for path in sorted((*FOLDER.glob("*.gst"), *FOLDER.glob("*.cat")))
    ]
    name = "legiones-astartes.cat"
    text = (FOLDER / name).read_text(encoding="utf-8")
    spoilt, count = re.subn(place, rf"\g<1>{written}", text, count=1, flags=re.DOTALL)
    assert count
    library = compiled_library([SourceFile(name, spoilt.encode()) if one.name == name else one for one in files])
    muster = Muster(library)
    muster.add(unit)
    assert set(muster.rules()) == set(rules), case


def test_a_sergeant_named_as_warlord_is_marked_in_his_group(library: Library) -> None:
    muster = Muster(library)
    sergeant = muster.child(muster.squads[0], "Legion Tactical Sergeant")
    muster.facts |= {"warlord": sergeant, "warlord_trait": None}
    translation = muster.translation()
    marked = [
        pointer
        for index, unit in enumerate(translation.army.detachments[0].units)
        if isinstance(unit.models, tuple)
        for place, group in enumerate(unit.models)
        if group.warlord and (pointer := f"/detachments/0/units/{index}/models/{place}")
    ]
    assert [translation.places[pointer] for pointer in marked] == [sergeant]


def test_facts_about_a_model_are_facts_about_its_unit(library: Library) -> None:
    muster = Muster(library)
    muster.about(muster.child(muster.squads[0], "Legionary"), deployment="reserve")
    army = muster.translation().army
    assert [unit.deployment for unit in army.detachments[0].units if unit.id == muster.squads[0]] == ["reserve"]


def test_a_unit_that_left_the_list_is_said(library: Library) -> None:
    muster = Muster(library)
    muster.about(muster.praetor, joined_to="gone")
    translation = muster.translation()
    assert [(finding.rule, finding.at) for finding in translation.findings] == [("BS-05", "/forces/0/selections/0")]
    assert unit_named(translation.army, "Praetor").joined_to is None


def test_the_player_s_name_for_a_unit_is_used(library: Library) -> None:
    muster = Muster(library)
    muster.roster = customise(muster.roster, node_id=muster.praetor, name="Ezekyle").roster
    assert unit_named(muster.translation().army, "Ezekyle").role == "hq"


def test_disciplines_are_read_from_the_data(library: Library) -> None:
    muster = Muster(library, "hh-legion-thousand-sons")
    cabal = muster.add("Khenetai Occult Cabal")
    unit = next(unit for unit in muster.translation().army.detachments[0].units if unit.id == cabal)
    assert unit.psychic_disciplines == ("Biomancy",)
    assert muster.rules() == []


def test_a_jump_pack_brings_its_rules(library: Library) -> None:
    muster = Muster(library)
    squad = muster.add("Assault Squad")
    unit = next(unit for unit in muster.translation().army.detachments[0].units if unit.id == squad)
    assert "Warhawk Jump Pack" in unit.wargear
    assert {"Deep Strike", "Hammer of Wrath (1)"} <= set(unit.rules)
    assert "Bulky (2)" not in unit.rules  # the rulebook counts the pack itself
    assert "Shred" not in unit.rules  # the chainsword's


def test_an_unknown_fact_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="faction"):
        msgspec.convert({"faction": "Sons of Horus"}, Facts)
