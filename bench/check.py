"""Row "check": the rulebook check of a 14-unit army document, parsed beforehand; from bytes to bytes beside it."""

import json

import msgspec

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army, read_json
from bench.row import report, timed

MUST_SECONDS, TARGET_SECONDS = 2e-3, 500e-6
CALLS = 200
LEGION = "Legiones Astartes (Sons of Horus)"


def _squad(number: int, role: str, name: str, points: int, **facts: object) -> dict[str, object]:
    return {"id": f"u{number}", "name": name, "role": role, "points": points, "rules": [LEGION], **facts}


def fourteen_units() -> dict[str, object]:
    """A legal 3,000-point army that gives every family of rules something to look at."""
    models = [{"name": "Legionary", "count": 9}, {"name": "Sergeant", "count": 1, "subtypes": ["character"]}]
    hull = {"BS": 4, "AV": {"front": 13, "side": 12, "rear": 10}, "HP": 4}
    transport = {"type": "vehicle", "subtypes": ["transport"], "transport_capacity": 12, "rules": []}
    primary = [
        _squad(1, "hq", "Praetor", 150, subtypes=["character"], warlord=True, warlord_trait="Bloody-handed",
               rules=["Independent Character", LEGION], joined_to="u3", profile={"I": 5, "W": 4, "Sv": "2+"}),
        _squad(2, "hq", "Librarian", 110, subtypes=["character", "psyker"], psychic_disciplines=["Telepathy"],
               psychic_powers=["Hallucination"], rules=["Independent Character", LEGION]),
        _squad(3, "troops", "Tactical Squad", 150, models=models, transport_options=["Rhino"], deployment="table"),
        _squad(4, "troops", "Rhino", 35, dedicated_transport_for="u3", **transport),
        _squad(5, "troops", "Tactical Squad", 150, models=models, transport_options=["Rhino"]),
        _squad(6, "elites", "Veterans", 200, models=10, wargear=["Jump Pack"], deployment="deep_strike_assault"),
        _squad(7, "elites", "Contemptor", 175, type="dreadnought", profile={"WS": 5, "T": 7, "W": 6, "Sv": "2+"}),
        _squad(8, "fast_attack", "Outriders", 180, type="cavalry", models=6, options=[{"name": "Meltagun", "max": 2}]),
        _squad(9, "fast_attack", "Storm Eagle", 210, type="vehicle", subtypes=["flyer"], deployment="reserve",
               rules=[], profile=hull),
        _squad(10, "heavy_support", "Predator", 150, type="vehicle", rules=[], profile=hull),
        {"name": "Imperial Bunker", "role": "fortification", "points": 110, "type": "fortification",
         "options": [{"name": "Icarus lascannon"}]},
    ]  # fmt: skip
    allied = [
        {"id": "a1", "name": "Magos", "role": "hq", "points": 140, "subtypes": ["character"]},
        {"id": "a2", "name": "Thallax", "role": "troops", "points": 170, "models": 3, "army_list": "Taghmata"},
    ]
    lord_of_war = [_squad(14, "lord_of_war", "Fellblade", 500, type="vehicle", subtypes=["super_heavy"], rules=[])]
    return {
        "system": "horus-heresy",
        "allegiance": "traitor",
        "points_limit": 3000,
        "alliances": {"Mechanicum": "fellow_warriors"},
        "detachments": [
            {"type": "primary", "faction": "Sons of Horus", "units": primary},
            {"type": "allied", "faction": "Mechanicum", "units": allied},
            {"type": "lord_of_war", "faction": "Sons of Horus", "units": lord_of_war},
        ],
        "opponent": {"allegiance": "loyalist", "points_limit": 3000},
        "base_reactions": 1,
    }


def main() -> None:
    """Print the row."""
    text = json.dumps(fourteen_units()).encode()
    raw = read_json(text)
    armies = iter([parse_army(raw) for _ in range(CALLS * 7)])  # a fresh army each time: its answers are kept in it
    assert check(parse_army(raw)).legal

    seconds = timed(lambda: check(next(armies)), calls=CALLS)
    whole = timed(lambda: msgspec.json.encode(check(parse_army(read_json(text)))), calls=CALLS)
    report(
        "check",
        f"{seconds * 1e6:.0f} µs ({whole * 1e6:.0f} µs from bytes to bytes, {len(text)} bytes)",
        must=f"≤ {MUST_SECONDS * 1e3:.0f} ms",
        target=f"≤ {TARGET_SECONDS * 1e6:.0f} µs",
        met=seconds <= MUST_SECONDS,
    )


if __name__ == "__main__":
    main()
