"""Rules that fire from a legal list of the community's data when a player states or changes one thing about it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from tests.armylists.named_lists import Clerk, lists_of, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in

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


FIRED: dict[str, dict[str, Recipe]] = {
    "horus-heresy": {
        "HH-02": unit("Assault Squad", allegiance="traitor"),
        "HH-04": limit(None),
        "HH-06": limit(1749),
        "HH-07": limit(1999),
        "HH-08": stated(chart="my own"),
        "HH-09": detachment("Crusade Force Organisation Chart"),
        "HH-13": detachment("Allied Detachment"),
        "HH-35": leads("Assault Squad"),
        "HH-41": unit("Centurion, Cataphractii", predetermined_warlord_trait="Stoic Defender"),
        "HH-42": leads("Centurion, Cataphractii", "Terrible singer"),
        "HH-52": unit("Storm Eagle Gunship", deployment="table"),
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
        "W6L-10": detachment("Allied Detachment"),
        "W6L-14": leads("Tactical Squad"),
    },
    "epic": {
        "EP-04": stated(strategy_rating=-1),
        "EP-05": unit("Tactical", initiative=7),
        "EP-18": unit("Tactical", deployment="reserve"),
        "EP-19": unit("Tactical", deployment="teleport"),
        "EP-20": unit("Thunderhawk", deployment="table"),
        "EP-21": unit("Tactical", deployment="space"),
        "EP-22": unit("Land Raiders", deployment="garrison"),
        "EP-24": unit("Tactical", overwatch_at_start=True),
        "EP-25": unit("Tactical", deployment="planetfall"),
        "EP-30": unit("Tactical", deployment="tunnel"),
        "EP-31": unit("Tactical", deployment="tunnel", plan={"turn": 2, "surface_half": "enemy"}),
        "EP-32": unit("Tactical", stand={"kind": "infantry", "width_mm": 50, "depth_mm": 20}),
    },
    "fantasy-8th": {
        "WF-02": lambda army: army.facts(general=army.named("Gor Herd")),
        "WF-15": unit("Gor Herd", army_standard=True),
        "WF-46": lambda army: army.unit_facts(
            army.named("Taurox, The Brass Bull"), joined_to=army.named("Tuskgor Chariot")
        ),
        "WF-74": stated(scenario="dawn_attack"),
    },
}
"""What makes the first list of each game break each rule."""


@pytest.mark.parametrize("game", FIRED)
def test_a_rule_fires_from_a_list_of_the_communitys_data(game: str, shared: Path, viewer: Viewer) -> None:
    wanted = lists_of(game)[0]
    library = library_in(shared / "battlescribe" / "data" / DATA[game], wanted.files or None)
    system = published(game, library)
    before = Clerk(viewer, system, library, wanted).rules()
    silent = {}
    for rule, recipe in FIRED[game].items():
        army = Clerk(viewer, system, library, wanted)
        recipe(army)
        if rule in before or rule not in army.rules():
            silent[rule] = sorted(army.rules())
    assert silent == {}
