"""Row "API check": an army document of 11 KB is posted and checked, against REST framework answering from memory."""

import json
from itertools import cycle

from bench.check import fourteen_units
from bench.http_load import CannotMeasure, Request, disturbed, in_turn, limit_server, our_server, require_tools
from bench.row import cannot_run, report
from bench.site import fresh_site

ROW = "API check"
MUST, TARGET = 0.2, 0.45
BYTES = 11_000
SELECTIONS = 60


PROFILE = {"M": 7, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 7, "Sv": "3+"}


def eleven_kilobytes() -> bytes:
    """The 14-unit army of the row "check" written out in full: sixty units, model groups and options in 11 KB."""
    army = json.loads(json.dumps(fourteen_units()))
    units = [unit for detachment in army["detachments"] for unit in detachment["units"]]
    for unit in units:
        if unit.get("type", "infantry") != "infantry":
            continue
        count = unit.get("models", 1)
        groups = count if isinstance(count, list) else [{"name": unit["name"], "count": count}]
        unit["models"] = [
            group | {"profile": PROFILE, "wargear": ["Power Armour", "Bolter", "Bolt Pistol", "Frag Grenades"]}
            for group in groups
        ]
    places = cycle(unit for unit in units if unit.get("type") != "fortification")
    groups = sum(len(unit["models"]) for unit in units if isinstance(unit.get("models"), list))
    for number in range(SELECTIONS - len(units) - groups):
        next(places).setdefault("options", []).append({"name": f"Option {number}", "count": 1, "points": 5})
    number = 0
    while len(json.dumps(army)) < BYTES:
        next(places).setdefault("wargear", []).append(f"Piece of wargear number {number}")
        number += 1
    return json.dumps(army).encode()


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with (
            fresh_site() as site,
            our_server(site.environment) as ours,
            limit_server() as limit,
        ):
            headers = {"Authorization": f"Bearer {site.secret}", "Content-Type": "application/json"}
            check, memory = in_turn(
                [Request(f"{ours}/api/v1/check/", headers, [eleven_kilobytes()]), Request(f"{limit}/drf", {})]
            )
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    ratio, tail = check.rps / memory.rps, check.p99 / memory.p99
    report(
        ROW,
        f"{check.rps:.0f}/s, p99 {check.p99:.1f} ms; L {memory.rps:.0f}/s, {memory.p99:.1f} ms: "
        f"{ratio:.2f} x L, p99 {tail:.1f} x{disturbed([check, memory])}",
        must=f">= {MUST} x L",
        target=f">= {TARGET} x L, p99 <= 3 x",
        met=ratio >= MUST,
    )


if __name__ == "__main__":
    main()
