"""Row "bulk check": a hundred documents in one request, against a hundred requests of one, on the same server."""

from collections.abc import Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path

from bench.api_check import eleven_kilobytes
from bench.http_load import CannotMeasure, Request, Window, disturbed, in_turn, our_server, require_tools
from bench.row import cannot_run, report
from bench.site import fresh_site

ROW = "bulk check"
TARGET = 5
DOCUMENTS = 100
CASES = Path(__file__).resolve().parent.parent / "fixtures"


def hundred_cases() -> list[bytes]:
    """A hundred documents of all games, of a few units each: those that players see as examples of the rules."""
    games = [file.read_bytes().splitlines() for file in sorted(CASES.glob("*/rule_cases.jsonl"))]
    in_turn_of_games = (case for case in chain.from_iterable(zip_longest(*games)) if case is not None)
    return list(islice(in_turn_of_games, DOCUMENTS))


def _said(label: str, one: Window, bulk: Window) -> str:
    a_second = bulk.rps * DOCUMENTS
    return f"{label}: {one.rps:.0f} and {a_second:.0f} documents/s, {a_second / one.rps:.1f} x{disturbed([one, bulk])}"


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with fresh_site() as site, our_server(site.environment) as ours:
            headers = {"Authorization": f"Bearer {site.secret}", "Content-Type": "application/json"}

            def measured(documents: Sequence[bytes]) -> tuple[Window, Window]:
                one, bulk = in_turn(
                    [
                        Request(f"{ours}/api/v1/check/", headers, documents),
                        Request(f"{ours}/api/v1/checks/", headers, [b"[" + b",".join(documents) + b"]"]),
                    ]
                )
                return one, bulk

            cases, large = measured(hundred_cases()), measured([eleven_kilobytes()] * DOCUMENTS)
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    one, bulk = cases
    report(
        ROW,
        f"{_said('a hundred cases of our rules', *cases)}; {_said('beside it 11 KB each', *large)}",
        must=f">= {TARGET} x",
        target="the same",
        met=bulk.rps * DOCUMENTS / one.rps >= TARGET,
    )


if __name__ == "__main__":
    main()
