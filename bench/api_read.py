"""Row "API read": a stored list of 60 selections, signed in by token, against REST framework answering from memory."""

from bench.http_load import CannotMeasure, Request, disturbed, in_turn, limit_server, our_server, require_tools
from bench.row import cannot_run, report
from bench.site import fresh_site

ROW = "API read"
MUST, TARGET = 0.4, 0.75


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with (
            fresh_site() as site,
            our_server(site.environment) as ours,
            limit_server() as limit,
        ):
            headers = {"Authorization": f"Bearer {site.secret}"}
            read, memory = in_turn(
                [Request(f"{ours}/api/v1/lists/{site.list_id}/", headers), Request(f"{limit}/drf", {})]
            )
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    ratio, tail = read.rps / memory.rps, read.p99 / memory.p99
    report(
        ROW,
        f"{read.rps:.0f}/s, p99 {read.p99:.1f} ms; L {memory.rps:.0f}/s, {memory.p99:.1f} ms: "
        f"{ratio:.2f} x L, p99 {tail:.1f} x{disturbed([read, memory])}",
        must=f">= {MUST} x L",
        target=f">= {TARGET} x L, p99 <= 2 x",
        met=ratio >= MUST,
    )


if __name__ == "__main__":
    main()
