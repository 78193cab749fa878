"""Rules of Epic that fire from lists of the community's army lists, built from empty with the edits of a page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from tests.armylists.named_lists import Clerk, NamedList, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

MARINES = ("Space Marines: Codex Astartes", "Space Marines - EA.catz")
CUSTODES = ("Adeptus Custodes", "Adeptus Custodes - Talons of the Emperor - EA.catz")
TEMPLARS = ("Space Marines: Black Templars", "Space Marines - Black Templars - EA.catz")
TRADERS = ("Rogue Trader: Expedition", "Rogue Trader - Expedition - EA.catz")
TITANS = ("Adeptus Mechanicus: Adeptus Titanicus", "Adeptus Mechanicus - Adeptus Titanicus - EA.catz")
ATTILA = ("Imperial Guard: Attila", "Imperial Guard - Attila - EA.catz")
BADAB = ("Space Marines: Badab War", "Space Marines - Badab War - EA.catz")
NIGHT_LORDS = ("Chaos: Night Lords", "Chaos - Night Lords - EA.catz")
THOUSAND_SONS = ("Chaos: Thousand Sons", "Chaos - Thousand Sons - EA.catz")
SQUATS = ("Squats: Grindel", "Squats - Grindel Stronghold - EA.catz")


class Built(NamedTuple):
    """An army list, the formations taken from it with their options, and what a player then states or changes."""

    army: tuple[str, str]
    units: tuple[tuple[str, ...], ...]
    then: Callable[[Clerk], Any] = lambda _: None


def stated(name: str, **facts: Any) -> Callable[[Clerk], Any]:
    """Facts of a formation, or of what is called so behind a ">" in it."""

    def state(army: Clerk) -> None:
        army.unit_facts(part(army, name), **facts)

    return state


def part(army: Clerk, name: str) -> str:
    formation, _, inside = name.partition(" > ")
    return army.find(army.named(formation), inside).id if inside else army.named(formation)


def aboard(name: str, carrier: str, fact: str = "embarked_in") -> Callable[[Clerk], Any]:
    return lambda army: army.unit_facts(part(army, name), **{fact: part(army, carrier)})


def all_of(*steps: Callable[[Clerk], Any]) -> Callable[[Clerk], Any]:
    return lambda army: [step(army) for step in steps]


def community(name: str) -> Callable[[Clerk], Any]:
    """Another community's version of the army list, chosen after its formations."""

    def choose(army: Clerk) -> None:
        chosen = next(one for one in army.document.roster.forces[0].selections if one.name == "-Community-")
        for old in chosen.selections:
            if old.name in ("GW", "NetEA", "F-ERC", "EpicUK"):
                army.edit(e.Remove(node_id=old.id))
        army.take(chosen.id, name)

    return choose


def watchful(army: Clerk) -> None:
    for _, node_id in army.units:
        army.unit_facts(node_id, deployment="garrison", overwatch_at_start=True)


FIRED: dict[str, Built] = {
    "EP-06": Built(ATTILA, (("Tank Detachment",),)),
    "EP-10": Built(
        MARINES,
        (("Tactical", "Tactical > Chaplain"), ("Devastator",)),
        aboard("Tactical > Chaplain", "Devastator", "host"),
    ),
    "EP-13": Built(CUSTODES, (("Constantin Valdor",),)),
    "EP-14": Built(THOUSAND_SONS, (("Warp Palace",),)),
    "EP-16": Built(MARINES, (("Tactical", "Tactical > Rhino"), ("Scout",)), aboard("Scout", "Tactical > Rhino")),
    "EP-17": Built(
        MARINES,
        (("Tactical", "Tactical > Rhino"), ("Thunderhawk",)),
        all_of(stated("Thunderhawk", transport_slots=8), aboard("Tactical > Tactical Squad", "Thunderhawk")),
    ),
    "EP-23": Built(MARINES, (("Scout",), ("Scout",), ("Scout",)), watchful),
    "EP-26": Built(MARINES, (("Landing Craft",),), stated("Landing Craft", deployment="planetfall")),
    "EP-29": Built(
        NIGHT_LORDS, (("Spacecraft", "-Strike Cruiser", "Battle Barge"),), stated("Spacecraft", plan={"turn": 1})
    ),
    "EP-33": Built(BADAB, (("Remote Defenses",),)),
    "EP-34": Built(MARINES, (("Terminators",),)),
    "EP-37": Built(MARINES, (("Tactical",),)),
    "EP-38": Built(MARINES, (("Tactical",),)),
    "EP-39": Built(SQUATS, (("Thunderfire Battery",),)),
    "EPL-02": Built(MARINES, (("Tactical", "Tactical > Vindicator"),), community("NetEA")),
    "EPL-08": Built(
        BADAB,
        (("Bike", "-Bikes", "Attack Bike"),),
        lambda army: army.size(army.named("Bike"), "Attack Bike", 6),
    ),
    "EPL-09": Built(MARINES, (("Predators",),), community("F-ERC")),
}


def list_of(army: tuple[str, str], units: tuple[tuple[str, ...], ...], shared: Path, viewer: Viewer) -> Clerk:
    """A list of 3,000 points of these formations."""
    name, file = army
    library = library_in(shared / "battlescribe" / "data" / DATA["epic"], ("Epic.gstz", file))
    wanted = NamedList(name=name, catalogue=name, force="Epic Armageddon", limit=3000, points=0, units=units, spoils=())
    return Clerk(viewer, published("epic", library), library, wanted)


def test_a_third_that_the_army_list_asks_for_in_words(shared: Path, viewer: Viewer) -> None:
    """“At least a third of the detachments … must be Black Templars Tactical detachments”: one of three, two of four.

    No number of the data says so, and nothing was said.
    """
    crusaders = ("Black Templar Tactical - Crusaders",)
    army = list_of(TEMPLARS, (("Assault",), ("Bikes",), crusaders), shared, viewer)
    assert "EPL-04" not in army.rules()
    army.write("Land Raiders")
    (told,) = (one for one in army.report.findings if one.rule == "EPL-04")
    assert told.message.en == "“Black Templars Tactical”: 1 taken, allowed: at least 2."
    army.write(*crusaders)
    assert "EPL-04" not in army.rules()


@pytest.mark.parametrize(
    ("army", "words"),
    [(TRADERS, "At least one-third of the points value"), (TITANS, "one additional Battle Titan for every full")],
)
def test_a_share_in_words_that_nobody_checks_is_named(
    army: tuple[str, str], words: str, shared: Path, viewer: Viewer
) -> None:
    report = list_of(army, (), shared, viewer).report
    (told,) = (part for part in report.unchecked if words in part.text.en)
    assert told.text.en.endswith("the army list asks for it in words, and it is not checked.")


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_list_of_the_communitys_epic_data(rule: str, shared: Path, viewer: Viewer) -> None:
    built = FIRED[rule]
    army = list_of(built.army, built.units, shared, viewer)
    built.then(army)
    found = [one for one in army.report.findings if one.rule == rule]
    assert found, sorted({f"{one.rule} {one.message.en}" for one in army.report.findings})
    assert all(one.message.en and one.message.ru for one in found)
