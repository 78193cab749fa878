"""Rules that fire from a legal list of the community's data when a player states or changes one thing about it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.reference.models import Alliance, AllianceLevel, Faction
from tests.armylists.named_lists import Clerk, lists_of, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

Recipe = Callable[[Clerk], Any]


def limit(points: int | None) -> Recipe:
    return lambda army: army.edit(e.SetPointsLimit(points_limit=points))


def stated(**facts: Any) -> Recipe:
    return lambda army: army.facts(**facts)


def unit(name: str, **facts: Any) -> Recipe:
    return lambda army: army.unit_facts(army.named(name), **facts)


def leads(name: str, trait: str | None = None) -> Recipe:
    return lambda army: army.edit(e.SetWarlord(node_id=army.named(name), trait=trait))


def detachment(force: str) -> Recipe:
    return lambda army: army.open_detachment(force, army.wanted.catalogue)


def all_of(*recipes: Recipe) -> Recipe:
    def follow(army: Clerk) -> None:
        for recipe in recipes:
            recipe(army)

    return follow


def without(*names: str) -> Recipe:
    def drop(army: Clerk) -> None:
        for name in names:
            army.edit(e.Remove(node_id=army.named(name)))

    return drop


def without_choice(name: str, choice: str) -> Recipe:
    """A choice about the whole list given back, which the data asked for."""

    def give_back(army: Clerk) -> None:
        holder = next(one for one in army.document.roster.forces[0].selections if one.name == name)
        army.edit(e.Remove(node_id=army.find(holder.id, choice).id))

    return give_back


def ally(catalogue: str, *units: str, force: str = "Allied Detachment") -> Recipe:
    """Another detachment with these units, from the catalogue whose name begins so."""

    def muster(army: Clerk) -> None:
        army.open_detachment(force, catalogue)
        army.settle(None)
        for name in units:
            army.write(name)

    return muster


def more(name: str, *options: str, times: int = 1) -> Recipe:
    return lambda army: [army.write(name, *options) for _ in range(times)]


def armed_alike(name: str, *options: str) -> Recipe:
    """Two of a character, each with the same options, one below the other."""

    def arm(army: Clerk) -> None:
        for _ in range(2):
            army.write(name)
            army.take(army.units[-1][1], *options)

    return arm


def two_bearers(name: str) -> Recipe:
    """Two of a character who both carry the army standard, as the player says."""

    def bear(army: Clerk) -> None:
        for _ in range(2):
            army.write(name)
            army.unit_facts(army.units[-1][1], army_standard=True)

    return bear


def moved(name: str, force: str) -> Recipe:
    """A unit put into another detachment of its catalogue, which has no place for it."""

    def move(army: Clerk) -> None:
        army.write(name)
        army.open_detachment(force, army.wanted.catalogue)
        army.edit(e.Move(node_id=army.named(name), force_id=army.force_id))

    return move


def of_legions(name: str, *legions: str) -> Recipe:
    """A Lord of War that takes the rule of each of these Legions, beside the one it has."""

    def take(army: Clerk) -> None:
        ally("Lords of War", name, force=LORDS)(army)
        unit_id = army.named(name)
        for legion in legions:
            entry_id = army.offer(unit_id, legion).entry_id
            army.edit(e.SetOptionAmount(parent_id=unit_id, entry_id=entry_id, amount=1))

    return take


def joins(name: str, host: str, fact: str = "joined_to") -> Recipe:
    return lambda army: army.unit_facts(army.named(name), **{fact: army.named(host)})


def recorded(level: str, ally: str = "Ultramarines", primary: str = "Dark Angels") -> Recipe:
    """The level of an alliance, as an administrator records it."""

    def record(army: Clerk) -> None:
        system = army.row.system_id
        sides = [Faction.objects.get_or_create(system_id=system, key=one, name=one)[0] for one in (primary, ally)]
        known, _ = AllianceLevel.objects.get_or_create(system_id=system, key=level, defaults={"name": level})
        Alliance.objects.create(system_id=system, from_faction=sides[0], to_faction=sides[1], level=known)

    return record


def garrisoned(name: str) -> Recipe:
    """A unit that begins the game in the tower."""
    return lambda army: army.facts(scenario="watchtower", watchtower_garrison=army.named(name))


def wargor(*options: str, items: tuple[str, ...] = (), **facts: Any) -> Recipe:
    """One more Wargor with these options and magic items, of whom this is said."""

    def take(army: Clerk) -> None:
        bag = ("Wargor > Magic Items", *(f"Magic Items > BRB - {item}" for item in items)) if items else ()
        army.write("Wargor", *(f"Wargor > {option}" for option in options), *bag)
        named = {key: army.named(fact) if key == "joined_to" else fact for key, fact in facts.items()}
        if named:
            army.unit_facts(army.units[-1][1], **named)

    return take


LORDS = "Lord of War Detachment"
REGIMENTS = (
    "Ungor Raiders", "Gor Herd", "Ungor Herd", "Chaos Warhounds", "Warhoofs Centigors", "Centigors", "Minotaurs",
)  # fmt: skip
SQUAD = "Tactical Squad"
WALLS = ("Fortified Wall (Strongpoint)", 4)
ULTRAMARINES = "LA -  XIII: Ultramarines"

FIRED: dict[str, dict[str, Recipe]] = {
    "horus-heresy": {
        "HH-01": all_of(stated(allegiance=None), without_choice("Allegiance", "Loyalist")),
        "HH-24": all_of(recorded("distrusted_allies"), ally(ULTRAMARINES, "Centurion", "Tactical Squad")),
        "HH-25": all_of(recorded("by_command"), ally(ULTRAMARINES, "Centurion", "Tactical Squad")),
        "HH-26": all_of(
            recorded("fellow_warriors"),
            ally(ULTRAMARINES, "Centurion", "Tactical Squad"),
            joins("Centurion", "Assault Squad"),
        ),
        "HH-27": all_of(
            recorded("sworn_brothers"),
            ally(ULTRAMARINES, "Centurion", "Tactical Squad"),
            joins("Centurion", "Storm Eagle Gunship", "embarked_in"),
        ),
        "HH-38": all_of(
            more("Lion El'Jonson"), unit("Centurion, Cataphractii", must_be_warlord=True), leads("Lion El'Jonson")
        ),
        "HH-45": more(
            "Tactical Squad", "Tactical Squad > Rhino Transport", "10x Tactical Squad > Legionaries (collective)"
        ),
        "HH-47": all_of(more("Fortified Wall (Strongpoint)"), lambda army: army.size(army.units[-1][1], *WALLS)),
        "HH-48": all_of(more("Defence Line"), unit("Defence Line", deployment="reserve")),
        "HH-02": unit("Assault Squad", allegiance="traitor"),
        "HH-04": limit(None),
        "HH-06": limit(1749),
        "HH-07": limit(1999),
        "HH-08": stated(chart="my own"),
        "HH-09": detachment("Crusade Force Organisation Chart"),
        "HH-10": all_of(detachment("Allied Detachment"), ally(ULTRAMARINES)),
        "HH-12": all_of(without("Assault Squad", "Breacher Squad"), ally(ULTRAMARINES, "Centurion", "Tactical Squad")),
        "HH-13": detachment("Allied Detachment"),
        "HH-14": ally("Lords of War", force=LORDS),
        "HH-16": moved("Defence Line", "Allied Detachment"),
        "HH-17": all_of(without("Assault Squad", "Breacher Squad"), more("Tactical Support Squad", times=2)),
        "HH-19": all_of(detachment("Allied Detachment"), more("Centurion"), more("Tactical Squad")),
        "HH-20": all_of(ally("Lords of War", force=LORDS), more("LA - Baneblade", "LA - Baneblade > V: White Scars")),
        "HH-21": of_legions("LA - Baneblade", "V: White Scars"),
        "HH-23": ally(ULTRAMARINES, "Centurion", "Tactical Squad"),
        "HH-28": all_of(limit(1500), ally("Lords of War", "LA - Baneblade", force=LORDS)),
        "HH-29": ally("Lords of War", "LA - Cerberus Squadron", force=LORDS),
        "HH-30": ally("Lords of War", "LA - Baneblade", force=LORDS),
        "HH-31": all_of(limit(4000), ally("Lords of War", "LA - Glaive", force=LORDS)),
        "HH-34": all_of(ally(ULTRAMARINES, "Tactical Squad", "Centurion"), leads("Tactical Squad")),
        "HH-36": leads("Caestus Assault Ram"),
        "HH-37": more("Lion El'Jonson"),
        "HH-40": all_of(without("Centurion, Cataphractii"), leads("Assault Squad", "Bloody-handed")),
        "HH-44": joins("Caestus Assault Ram", "Heavy Support Squad", "dedicated_transport_for"),
        "HH-46": all_of(
            more("Outrider Squadron"), joins("Storm Eagle Gunship", "Outrider Squadron", "dedicated_transport_for")
        ),
        "HH-49": joins("Centurion, Cataphractii", "Storm Eagle Gunship"),
        "HH-50": all_of(
            unit("Heavy Support Squad", deployment="infiltrate"),
            joins("Centurion, Cataphractii", "Heavy Support Squad"),
        ),
        "HH-35": leads("Assault Squad"),
        "HH-41": unit("Centurion, Cataphractii", predetermined_warlord_trait="Stoic Defender"),
        "HH-42": leads("Centurion, Cataphractii", "Terrible singer"),
        "HH-52": unit("Storm Eagle Gunship", deployment="table"),
        "HH-53": all_of(
            more("Tarantula Sentry Gun Battery"), unit("Tarantula Sentry Gun Battery", deployment="reserve")
        ),
        "HH-54": unit("Heavy Support Squad", deployment="deep_strike_assault"),
        "HH-55": unit("Heavy Support Squad", deployment="flanking_assault"),
        "HH-56": stated(deep_strike_assaults=2),
        "HH-57": unit("Centurion, Cataphractii", psychic_disciplines=["Telepathy"]),
        "HH-61": stated(opponent={"allegiance": "loyalist"}),
        "HH-62": stated(opponent={"allegiance": "traitor", "points_limit": 2500}),
        "HH-63": stated(base_reactions=4),
    },
    "wh40k-6th": {
        "W6-17": stated(army_construction="not_checked"),
        "W6L-01": limit(None),
        "W6L-03": detachment("Primary Detachment"),
        "W6L-05": detachment("Allied Detachment"),
        "W6L-07": all_of(ally("Orks", "Warboss", "Gretchin", "Ork Boyz"), unit("Gretchin", role="lord_of_war")),
        "W6L-10": detachment("Allied Detachment"),
        "W6L-09": all_of(ally("Tau"), ally("Orks")),
        "W6L-11": all_of(recorded("come_the_apocalypse", "Orks", "Space Marines"), ally("Orks", "Warboss", "Ork Boyz")),
        "W6L-12": ally("Orks", "Warboss", "Ork Boyz"),
        "W6L-14": leads("Tactical Squad"),
        "W6L-17": all_of(limit(2000), ally("Orks", "Warboss", "Gretchin", "Ork Boyz", force="Primary Detachment")),
    },
    "epic": {
        "EP-04": stated(strategy_rating=-1),
        "EP-05": unit("Tactical", initiative=7),
        "EP-15": joins("Devastator", "Whirlwinds", "embarked_in"),
        "EP-18": unit("Tactical", deployment="reserve"),
        "EP-19": unit("Tactical", deployment="teleport"),
        "EP-20": unit("Thunderhawk", deployment="table"),
        "EP-21": unit("Tactical", deployment="space"),
        "EP-22": unit("Land Raiders", deployment="garrison"),
        "EP-24": unit("Tactical", overwatch_at_start=True),
        "EP-25": unit("Tactical", deployment="planetfall"),
        "EP-27": more("Strike Cruiser"),
        "EP-28": all_of(
            more("Strike Cruiser"), unit("Strike Cruiser", plan={"turn": 1, "bombardment_points": ["60x90"]})
        ),
        "EP-30": unit("Tactical", deployment="tunnel"),
        "EP-31": unit("Tactical", deployment="tunnel", plan={"turn": 2, "surface_half": "enemy"}),
        "EP-32": unit("Tactical", stand={"kind": "infantry", "width_mm": 50, "depth_mm": 20}),
        "EPL-01": lambda army: army.size(army.named("Land Speeders"), "Land Speeder", 9),
    },
    "fantasy-8th": {
        "WF-02": lambda army: army.facts(general=army.named("Gor Herd")),
        "WF-15": unit("Gor Herd", army_standard=True),
        "WF-46": lambda army: army.unit_facts(
            army.named("Taurox, The Brass Bull"), joined_to=army.named("Tuskgor Chariot")
        ),
        "WF-74": stated(scenario="dawn_attack"),
        "WF-07": all_of(more("Beastlord"), more("Beastlord"), more("Beastlord"), more("Great Bray-Shaman")),
        "WF-08": more("Wargor", times=6),
        "WF-10": more("Minotaurs", times=9),
        "WF-11": more("Cygor", times=3),
        "WF-12": more("Razorgor Herd", times=4),
        "WF-13": more("Cygor", times=3),
        "WF-14": all_of(
            more("Wargor", "Wargor > Battle Standard Bearer"), lambda army: army.facts(general=army.named("Wargor"))
        ),
        "WF-22": armed_alike("Wargor", "Magic Items", "BRB - Sword of Might"),
        "WFX-05": two_bearers("Wargor"),
        "WF-05": more("Beastlord", times=2),
        "WF-06": without("Tuskgor Chariot", "Razorgor Chariot", *REGIMENTS),
        "WF-34": wargor(items=("Arabyan Carpet",), joined_to="Gor Herd"),
        "WF-35": wargor(items=("Fozzirik's Folding Fortress",)),
        "WF-36": wargor("Additional Hand Weapon", items=("Warrior Bane",)),
        "WF-37": wargor("Shield", items=("Warrior Bane",)),
        "WF-41": wargor("Shield", items=("Armour of Silvered Steel",)),
        "WF-44": wargor(items=("Wizarding Hat",)),
        "WF-45": wargor("Heavy Armour", items=("Armour of Fortune",)),
        "WF-56": wargor("Additional Hand Weapon", "Tuskgor Chariot"),
        "WF-57": wargor("Shield", "Great Weapon"),
        "WF-61": wargor(joined_to="Gor Herd", front_rank=False),
        "WF-70": garrisoned("Minotaurs"),
        "WF-71": garrisoned("Tuskgor Chariot"),
        "WFX-02": lambda army: army.size(army.named("Gor Herd"), "Gor", 9),
    },
}
"""What makes the first list of each game break each rule."""

REMINDERS: dict[str, set[str]] = {"fantasy-8th": {"WF-21", "WF-38"}}
"""Warnings that the first list of a game has as it is: spells to be chosen, and weapons that are not used."""


@pytest.mark.parametrize("game", FIRED)
def test_a_rule_fires_from_a_list_of_the_communitys_data(game: str, shared: Path, viewer: Viewer) -> None:
    wanted = lists_of(game)[0]
    library = library_in(shared / "battlescribe" / "data" / DATA[game], wanted.files or None)
    system = published(game, library)
    legal = Clerk(viewer, system, library, wanted)
    before = legal.rules()
    assert before >= REMINDERS.get(game, set())
    silent = {}
    for rule, recipe in share(FIRED[game].items(), of=2):
        with legal.on_trial() as army:
            recipe(army)
            if rule in before or rule not in army.rules():
                silent[rule] = sorted(army.rules())
    assert silent == {}


@pytest.mark.parametrize(("rule", "name", "times"), [("WF-12", "Razorgor Herd", 4), ("WF-13", "Cygor", 3)])
def test_too_many_of_one_kind_are_told_once(rule: str, name: str, times: int, shared: Path, viewer: Viewer) -> None:
    """The rulebook's limit stands on the last of them, the data's on the first."""
    wanted = lists_of("fantasy-8th")[0]
    library = library_in(shared / "battlescribe" / "data" / DATA["fantasy-8th"], wanted.files or None)
    army = Clerk(viewer, published("fantasy-8th", library), library, wanted)
    more(name, times=times)(army)
    told = [one.rule for one in army.report.findings if one.node_name == name and "at most" in one.message.en]
    assert told == [rule]


def test_two_army_standards_are_told_once(shared: Path, viewer: Viewer) -> None:
    """The data's limit on the option is the same objection, for the option as for whoever takes it."""
    wanted = lists_of("fantasy-8th")[0]
    library = library_in(shared / "battlescribe" / "data" / DATA["fantasy-8th"], wanted.files or None)
    army = Clerk(viewer, published("fantasy-8th", library), library, wanted)
    more("Wargor", "Wargor > Battle Standard Bearer")(army)
    army.edit(e.Duplicate(node_id=army.named("Wargor")))
    assert [error.partition(":")[0] for error in army.errors()] == ["WFX-05"]


def test_two_legions_are_told_once(shared: Path, viewer: Viewer) -> None:
    """The data allows one choice of a Legion, which is what HH-21 says of the rule that comes with it."""
    wanted = lists_of("horus-heresy")[0]
    library = library_in(shared / "battlescribe" / "data" / DATA["horus-heresy"], wanted.files or None)
    army = Clerk(viewer, published("horus-heresy", library), library, wanted)
    of_legions("LA - Baneblade", "V: White Scars")(army)
    assert [error.partition(":")[0] for error in army.errors() if "Legion" in error] == ["HH-21"]
