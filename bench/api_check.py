"""Row "API check": an army document of 11 KB is posted and checked, against REST framework answering from memory."""

import json

from bench.check import fourteen_units
from bench.http_load import ROOT, CannotMeasure, Request, gunicorn, in_turn, limit_server, require_tools
from bench.row import cannot_run, report
from bench.site import fresh_site

ROW = "API check"
MUST, TARGET = 0.2, 0.45
BYTES = 11_000


def eleven_kilobytes() -> bytes:
    """The 14-unit army of the row "check" with more Tactical Squads, until the document has 11 KB."""
    army = json.loads(json.dumps(fourteen_units()))
    units = army["detachments"][0]["units"]
    squad = next(unit for unit in units if unit["name"] == "Tactical Squad")
    number = 100
    while len(json.dumps(army)) < BYTES:
        units.append(squad | {"id": f"u{number}"})
        number += 1
    return json.dumps(army).encode()


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with (
            fresh_site() as site,
            gunicorn(
                "armybuilder.wsgi:application",
                folder=ROOT,
                environment=site.environment,
                ready="/api/v1/",
                config="/dev/null",
            ) as ours,
            limit_server() as limit,
        ):
            headers = {"Authorization": f"Bearer {site.secret}", "Content-Type": "application/json"}
            check, memory = in_turn(
                [Request(f"{ours}/api/v1/check/", headers, eleven_kilobytes()), Request(f"{limit}/drf", {})]
            )
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    ratio, tail = check.rps / memory.rps, check.p99 / memory.p99
    report(
        ROW,
        f"{check.rps:.0f}/s, p99 {check.p99:.1f} ms; L {memory.rps:.0f}/s, {memory.p99:.1f} ms: "
        f"{ratio:.2f} x L, p99 {tail:.1f} x",
        must=f">= {MUST} x L",
        target=f">= {TARGET} x L, p99 <= 3 x",
        met=ratio >= MUST,
    )


if __name__ == "__main__":
    main()
