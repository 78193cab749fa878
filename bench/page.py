"""Row "page": the builder of a list of 60 entries, signed in, against a plain Django template page of 60 entries."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO

from bench.http_load import CannotMeasure, Request, disturbed, in_turn, limit_server, our_server, require_tools
from bench.row import cannot_run, report
from bench.site import migrated_site

ROW = "page"
MUST, TARGET, TARGET_CPU = 0.5, 2.0, 0.45
ENTRIES = 60
UNITS = ("hh-la-praetor", "hh-la-tactical-squad", "hh-la-tactical-squad", "hh-la-predator-squadron")


@dataclass(frozen=True, slots=True)
class Installation:
    """A seeded site, and the way to one list of it.

    Attributes:
        cookie: of a browser in which the list's owner is signed in.
        entries: selections of the list, on all levels.
    """

    environment: Mapping[str, str]
    path: str
    cookie: str
    entries: int


@contextmanager
def seeded_site() -> Iterator[Installation]:
    """A site with the shipped data and a list of about 60 selections; gone afterwards."""
    with migrated_site(ALLOWED_HOSTS="localhost,127.0.0.1,testserver") as environment:
        from django.core.management import call_command

        call_command("seed", stdout=StringIO())
        yield _with_a_list(environment)


def _with_a_list(environment: Mapping[str, str]) -> Installation:
    from django.test import Client

    from armybuilder.accounts.models import User
    from armybuilder.accounts.viewers import Viewer
    from armybuilder.armylists import services
    from armybuilder.armylists.edits import AddUnit

    user = User.objects.create_user("bench", password=secrets.token_urlsafe(16))
    viewer = Viewer(user=user)
    made = services.create_army_list(
        viewer,
        system_id="horus-heresy",
        name="Sixty entries",
        catalogue_id="hh-legion-sons-of-horus",
        points_limit=3000,
        allegiance="traitor",
    )
    report = services.check_army_list(made)
    force_id, revision, entries, number = report.state.forces[0].id, made.revision, 0, 0
    while entries < ENTRIES:
        edit = AddUnit(force_id=force_id, entry_id=UNITS[number % len(UNITS)])
        result = services.apply_edit(viewer, made.pk, edit, expected_revision=revision)
        revision, number = result.army_list.revision, number + 1
        entries = sum(1 for _ in result.report.state.all_selections())
    browser = Client()
    browser.force_login(user)
    return Installation(environment, f"/lists/{made.pk}/", browser.cookies["sessionid"].value, entries)


def main() -> None:
    """Measure and print the row."""
    try:
        require_tools()
        with (
            seeded_site() as site,
            our_server(site.environment) as ours,
            limit_server() as limit,
        ):
            headers = {"Cookie": f"sessionid={site.cookie}"}
            page, plain = in_turn([Request(f"{ours}{site.path}", headers), Request(f"{limit}/page", {})])
    except CannotMeasure as missing:
        cannot_run(ROW, str(missing))
        return
    ratio, tail, cpu = page.rps / plain.rps, page.p99 / plain.p99, page.cpu_us / plain.cpu_us
    report(
        ROW,
        f"{site.entries} entries: {page.rps:.0f}/s, p99 {page.p99:.1f} ms; L {plain.rps:.0f}/s, {plain.p99:.1f} ms: "
        f"{ratio:.2f} x L, p99 {tail:.1f} x, cpu {page.cpu_us:.0f} us = {cpu:.2f} x{disturbed([page, plain])}",
        must=f">= {MUST} x L",
        target=f">= {TARGET} x L, cpu <= {TARGET_CPU} x",
        met=ratio >= MUST,
    )


if __name__ == "__main__":
    main()
