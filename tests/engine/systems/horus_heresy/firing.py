"""A document for every rule of the Horus Heresy that makes it speak."""

from tests.engine.systems.horus_heresy.builders import (
    Json,
    make_allied,
    make_army,
    make_filler,
    make_lord_of_war,
    make_praetor,
    make_primary,
    make_squad,
    make_unit,
)

HORUS = make_unit(name="Horus", role="primarch", type="primarch", points=400)
FELLBLADE = make_unit(name="Fellblade", role="lord_of_war", points=400, rules=["Legiones Astartes (Iron Hands)"])
BUNKER = make_unit(name="Imperial Bunker", role="fortification", type="fortification", deployment="reserve")
WALL = make_unit(
    name="Fortified Wall", role="fortification", type="fortification", options=[{"name": "Strongpoint", "count": 3}]
)
RHINO = {"name": "Rhino", "type": "vehicle", "transport_capacity": 9, "dedicated_transport_for": "troops-9"}
SQUAD = make_squad(9, transport_options=["Rhino"])
LEADERLESS = make_praetor(warlord=None, warlord_trait=None)


def _allied(level: str, **leader: object) -> Json:
    army = make_army(others=(make_allied(),), alliances={"Mechanicum": level})
    army["detachments"][1]["units"][0] |= leader
    return army


def _with_leader(*extra: Json, **facts: object) -> Json:
    return make_army(primary=make_primary(*extra, hq=(make_praetor(**facts),)))


def _sergeant(**facts: object) -> Json:
    return make_squad(3, models=[{"name": "Sergeant", "count": 1, "warlord": True} | facts])


FIRING: dict[str, Json] = {
    "HH-01": make_army(allegiance=None),
    "HH-02": make_army(make_unit(allegiance="loyalist")),
    "HH-03": make_army(others=(make_allied(faction="Agents of the Emperor"),)),
    "HH-04": make_army(points_limit=None),
    "HH-05": make_army(make_filler(2091)),
    "HH-06": make_army(points_limit=1000),
    "HH-07": make_army(points_limit=1800),
    "HH-08": make_army(chart=None),
    "HH-09": make_army(detachments=[make_allied()]),
    "HH-10": make_army(make_filler(1500), others=(make_lord_of_war(), make_lord_of_war())),
    "HH-11": make_army(primary=make_primary(troops=1)),
    "HH-12": make_army(primary=make_primary(troops=1), others=(make_allied(),)),
    "HH-13": make_army(others=(make_allied(troops=0),)),
    "HH-14": make_army(others=(make_lord_of_war() | {"units": []},)),
    "HH-15": make_army(*[make_unit() for _ in range(5)]),
    "HH-16": make_army(make_unit(role="war_machine")),
    "HH-17": make_army(primary=make_primary(make_squad(2, rules=["Support Squad"]), troops=1)),
    "HH-18": make_army(make_unit(faction="Mechanicum")),
    "HH-19": make_army(others=(make_allied(faction="Sons of Horus"),)),
    "HH-20": make_army(make_filler(1500), others=(make_lord_of_war(FELLBLADE),)),
    "HH-21": make_army(make_unit(rules=["Legiones Astartes (Sons of Horus)", "Legiones Astartes (Iron Hands)"])),
    "HH-22": make_army(make_unit(army_list="Taghmata"), make_unit(army_list="Questoris")),
    "HH-23": make_army(others=(make_allied(),), alliances={}),
    "HH-24": _allied("distrusted_allies"),
    "HH-25": _allied("by_command"),
    "HH-26": _allied("fellow_warriors", joined_to="troops-1"),
    "HH-27": _allied("sworn_brothers", embarked_in="troops-1"),
    "HH-28": make_army(HORUS, points_limit=1999),
    "HH-29": make_army(HORUS, points_limit=2000),
    "HH-30": make_army(HORUS | {"points": 626}),
    "HH-31": make_army(HORUS, points_limit=3000),
    "HH-32": make_army(primary=make_primary(hq=(LEADERLESS,))),
    "HH-33": make_army(make_unit(warlord=True)),
    "HH-34": make_army(primary=make_primary(hq=(LEADERLESS,)), others=(make_allied(make_unit(warlord=True)),)),
    "HH-35": make_army(primary=make_primary(_sergeant(), hq=(LEADERLESS,))),
    "HH-36": make_army(primary=make_primary(make_unit(type="vehicle", warlord=True), hq=(LEADERLESS,))),
    "HH-37": make_army(HORUS),
    "HH-38": make_army(*[make_unit(must_be_warlord=True) for _ in range(2)]),
    "HH-39": _with_leader(warlord_trait=None),
    "HH-40": make_army(primary=make_primary(_sergeant(warlord_trait="Stoic Defender"), hq=(LEADERLESS,))),
    "HH-41": _with_leader(predetermined_warlord_trait="Sire"),
    "HH-42": _with_leader(warlord_trait="Master of Ambush"),
    "HH-43": make_army(make_unit(warlord_trait="Sire")),
    "HH-44": make_army(make_unit(dedicated_transport_for="nobody")),
    "HH-45": make_army(SQUAD, make_unit(**RHINO)),
    "HH-46": make_army(SQUAD | {"type": "cavalry", "models": 3}, make_unit(**RHINO)),
    "HH-47": make_army(WALL),
    "HH-48": make_army(BUNKER),
    "HH-49": _with_leader(make_unit(id="host", type="dreadnought"), joined_to="host"),
    "HH-50": _with_leader(make_unit(id="host", deployment="infiltrate"), joined_to="host"),
    "HH-51": make_army(make_unit(subtypes=["artillery"])),
    "HH-52": make_army(make_unit(subtypes=["flyer"], deployment="table")),
    "HH-53": make_army(make_unit(profile={"M": 0}, deployment="reserve")),
    "HH-54": make_army(make_unit(deployment="deep_strike_assault")),
    "HH-55": make_army(make_unit(deployment="flanking_assault")),
    "HH-56": make_army(deep_strike_assaults=2),
    "HH-57": make_army(make_unit(psychic_powers=["Hallucination"])),
    "HH-58": make_army(make_unit(subtypes=["psyker"])),
    "HH-59": make_army(make_unit(profile={"I": 0})),
    "HH-60": make_army(make_unit(type="vehicle", profile={"AV": 9, "HP": 3})),
    "HH-61": make_army(opponent={"allegiance": "traitor"}),
    "HH-62": make_army(opponent={"points_limit": 2000}),
    "HH-63": make_army(base_reactions=4),
    "HH-64": make_army(make_unit(options=[{"name": "Meltagun", "count": 3, "max": 2}])),
}
