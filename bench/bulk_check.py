"""Row "bulk check": a hundred documents in one request, against a hundred requests of one, on the same server."""

import json

from bench.api_check import eleven_kilobytes
from bench.http_load import CannotMeasure, Request, disturbed, in_turn, our_server, require_tools
from bench.row import cannot_run, report
from bench.site import fresh_site

ROW = "bulk check"
TARGET = 5
DOCUMENTS = 100


def _small() -> bytes:
    """The army of two units that the description of the API has as its example."""
    from api.checks import SMALL_ARMY

    return json.dumps(SMALL_ARMY).encode()


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with fresh_site() as site, our_server(site.environment) as ours:
            headers = {"Authorization": f"Bearer {site.secret}", "Content-Type": "application/json"}
            said, ratios = [], []
            for label, document in (("two units", _small()), ("11 KB", eleven_kilobytes())):
                many = b"[" + b",".join([document] * DOCUMENTS) + b"]"
                one, bulk = in_turn(
                    [
                        Request(f"{ours}/api/v1/check/", headers, document),
                        Request(f"{ours}/api/v1/checks/", headers, many),
                    ]
                )
                ratios.append(bulk.rps * DOCUMENTS / one.rps)
                said.append(
                    f"{label}: {one.rps:.0f} and {bulk.rps * DOCUMENTS:.0f} documents/s, {ratios[-1]:.1f} x"
                    f"{disturbed([one, bulk])}"
                )
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    report(ROW, "; ".join(said), must=f">= {TARGET} x", target="the same", met=min(ratios) >= TARGET)


if __name__ == "__main__":
    main()
