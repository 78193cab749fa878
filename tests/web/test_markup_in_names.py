"""Markup in every name that somebody may choose – players, organisers, authors of game data – is shown as letters.

All such names carry the same markup; then every page, picture and export that can be reached is read as a browser does,
and none may have the carrier's tag or attribute.
"""

import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.programs import register_program
from armybuilder.accounts.services import issue_token
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import replies, services
from armybuilder.armylists.collection import keep_units
from armybuilder.armylists.layouts import keep_layout
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.events import services as events
from armybuilder.events.packs import Ban, Cap, EventPack, ExtraField
from armybuilder.reference.data_reports import report_mistake
from armybuilder.reference.publishing import publish
from armybuilder.simulations import dispatch
from armybuilder.simulations import services as simulations
from armybuilder.simulations.chart_addresses import addresses_of, charts_of
from armybuilder.simulations.list_requests import ListReference
from armybuilder.simulations.models import SavedTarget, SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import FIXTURES, SONS, Muster
from tests.breadth import in_turn

pytestmark = [pytest.mark.django_db, pytest.mark.long]

TAG, ATTRIBUTE = "zzcarrier", "onzzcarried"
MARKUP = f"\"'><{TAG} {ATTRIBUTE}=1>"
"""Ends an attribute in either quotes and a tag, and begins one of its own with an attribute of its own."""

NAMED = "selectionEntry|selectionEntryGroup|profile|rule|catalogue|gameSystem|publication|infoGroup"
NOT_READ = re.compile("/(docs|design|static|api/v1/schema|accounts/sign-out|admin/logout)/")
READ_AT_LEAST, SHOWN_AT_LEAST = 200, 100
PAGES_OF_A_KIND = 2
"""Pages of one address pattern that are read: those of the hundredth unit are as those of the first."""


class Reader(HTMLParser):
    """Reads markup as a browser does; keeps the addresses, and whatever the carrier has become part of."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        super().__init__()
        self.carried: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag or an attribute that is the carrier's."""
        if TAG in tag or any(ATTRIBUTE in name or TAG in name for name, _ in attrs):
            self.carried.append(self.get_starttag_text() or tag)
        for name, value in attrs:
            if name in ("href", "src", "action", "hx-get") and value:
                self.links.append(value)
            if name in ("href", "src", "action") and (value or "").strip().lower().startswith(
                ("javascript:", "data:text")
            ):
                self.carried.append(f"{name}={value}")

    handle_startendtag = handle_starttag


def marked(source: bytes) -> bytes:
    """Game data whose authors put markup into every name and text."""
    escaped = MARKUP.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    text = re.sub(rf'(<(?:{NAMED}) [^>]*?\bname=")([^"]*)"', rf'\1\2{escaped}"', source.decode())
    return re.sub(r"(<(?:description|characteristic)[^>]*>)([^<]+)<", rf"\1\2{escaped}<", text).encode()


@pytest.fixture
def marked_game(db: None, administrator: User) -> PublishedSystem:
    """The Horus Heresy with markup in the names and texts of its data, published as it would be."""
    system = PublishedSystem.objects.create(id="horus-heresy", name=f"Heresy {MARKUP}", rule_pack="horus-heresy")
    wanted = ("horus-heresy.gst", "legiones-astartes.cat", "sons-of-horus.cat", "solar-auxilia.cat")
    files = [IncomingFile(name, marked((FIXTURES / name).read_bytes())) for name in wanted]
    publish(system, files, origin=f"from {MARKUP}", by=administrator)
    return system


@pytest.fixture
def beginnings(marked_game: PublishedSystem, owner: User, stranger: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that can bear a name, with markup in it; addresses that lead to all of it."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    viewer = Viewer(user=owner)
    army = marked_list(viewer)
    other = services.make_variant(viewer, army.list_id, name=f"Variant {MARKUP}")
    link = services.publish_share_link(viewer, army.list_id, is_listed=True, takes_replies=True).token
    replies.comment(link, author=f"Ann {MARKUP}", text=f"Nice {MARKUP}")
    layout = keep_layout(viewer, name=f"Layout {MARKUP}", source=f"{MARKUP} {{{{ name }}}}")
    keep_units(viewer, "horus-heresy", {f"Home {MARKUP}": (2, 1)})
    issue_token(owner, name=f"Token {MARKUP}"[:80], scopes=["lists:read"])
    register_program(viewer, name=f"Program {MARKUP}", addresses=["https://bot.example/back"])
    report_mistake(marked_game, unit=f"Unit {MARKUP}", entry_id="x", text=f"Wrong {MARKUP}", by=owner.get_username())
    target = SavedTarget.objects.create(
        owner=owner, rule_pack="horus-heresy", name=f"Target {MARKUP}", side=json.dumps(attack()["defender"])
    )
    sides = {side: {"list": str(pk)} for side, pk in (("attacker", army.list_id), ("defender", other.pk))}
    found = [f"/s/{link}/", f"/s/{link}/embed/", f"/layouts/{layout.pk}/", f"/targets/{target.pk}/"]
    for question in (attack(), {"kind": "matrix", **sides}, {"kind": "battle", "trials": 50, "seed": 1, **sides}):
        run = simulations.request_simulation(viewer, question)
        perform_computation(str(run.computation_id))
        run = SimulationRun.objects.get(pk=run.pk)
        found += [f"/matchups/{run.pk}/", f"/m/{simulations.share(viewer, run.pk)}/"]
        for name in charts_of(run, json.loads(run.computation.result)):
            found.append(addresses_of(run, name, "en").svg)
    return found + held_event(viewer, Viewer(user=stranger), link)


def marked_list(viewer: Viewer) -> Muster:
    """A list that bears markup wherever its player may write."""
    facts: dict[str, Any] = {"system_id": "horus-heresy", "catalogue_id": SONS, "allegiance": "traitor"}
    army = Muster(viewer, services.create_army_list(viewer, name=f"List {MARKUP}", points_limit=3000, **facts))
    praetor, squad = army.units("hh-la-praetor", "hh-la-tactical-squad")
    army.edit(
        e.SetNotes(notes=f"Notes {MARKUP}"),
        e.Rename(node_id=praetor, name=f"Praetor {MARKUP}"),
        e.SetNotes(node_id=squad, notes=f"Notes {MARKUP}"),
        e.SetOwnUnit(force_id=army.force_id, name=f"Own {MARKUP}", notes=f"Own notes {MARKUP}"),
        e.SetWarlord(node_id=praetor, trait=f"Trait {MARKUP}"),
    )
    services.file_army_list(viewer, army.list_id, folder=f"Folder {MARKUP}"[:60], tags=[MARKUP])
    services.name_revision(viewer, army.list_id, 1, label=f"Label {MARKUP}")
    return army


def attack() -> dict[str, Any]:
    """A document with markup in its names."""
    profile = {"WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 8, "Sv": "3+"}
    weapon = {
        "name": f"Bolter {MARKUP}",
        "range": 24,
        "S": 4,
        "AP": 5,
        "type": "Rapid Fire",
        "rules": [f"Odd {MARKUP}"],
    }
    models = [{"name": f"Marine {MARKUP}", "count": 5, "profile": profile, "weapons": [weapon], "rules": [MARKUP]}]
    side = {"name": f"Squad {MARKUP}", "models": models}
    return {"system": "horus-heresy", "kind": "shooting", "name": f"Run {MARKUP}", "attacker": side, "defender": side}


def held_event(organiser: Viewer, player: Viewer, link: str) -> list[str]:
    """An event in whose every text markup stands, with a list handed in; its addresses."""
    pack = EventPack(
        points_limit=100,
        bans=(Ban(name=f"Ban {MARKUP}", why=f"Why {MARKUP}"),),
        caps=(Cap(name=f"Cap {MARKUP}", most=0),),
        factions=(f"Faction {MARKUP}",),
        detachments=(f"Detachment {MARKUP}",),
        fields=(ExtraField(name="team", label=Text(f"Team {MARKUP}", f"Команда {MARKUP}")),),
    )
    event = events.create_event(organiser, system_id="horus-heresy", name=f"Cup {MARKUP}", pack=pack)
    handed = events.submit(
        player, event.token, ListReference(share=link), player=f"Bob {MARKUP}", fields={"team": f"Reds {MARKUP}"}
    )
    events.write_message(organiser, event.pk, f"All {MARKUP}")
    events.write_message(organiser, event.pk, f"You {MARKUP}", submission_id=handed.pk)
    return [
        f"/events/{event.pk}/",
        f"/events/{event.pk}/change/",
        f"/e/{event.token}/",
        f"/e/{event.token}/{handed.secret}/",
    ]


def pages(client: Client, beginnings: list[str]) -> Iterator[tuple[str, str, Reader]]:
    """Every page and picture that links lead to from there: its address, its text, and what was read in it."""
    waiting, seen, kinds = deque(beginnings), set(beginnings), Counter[object]()
    while waiting:
        at = waiting.popleft()
        answer = client.get(at)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code >= 300 or not re.search("html|svg|xml", kind):
            continue
        reader, text = Reader(), answer.content.decode()
        reader.feed(text)
        yield at, text, reader
        for link in reader.links:
            found = urlsplit(urljoin(at, link))
            address = found._replace(fragment="").geturl()
            is_sorted_anew = found.path.startswith("/admin/") and found.query
            if found.netloc or is_sorted_anew or address in seen or NOT_READ.match(found.path):
                continue
            pattern = (re.sub(r"[0-9a-f-]{36}|[\w-]{22}|\d+", "*", found.path), tuple(sorted(parse_qs(found.query))))
            kinds[pattern] += 1
            if kinds[pattern] <= PAGES_OF_A_KIND:
                seen.add(address)
                waiting.append(address)


@pytest.fixture
def unlimited(settings: Any) -> None:
    """A crawl asks for more than a player."""
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {
        "DEFAULT_THROTTLE_RATES": dict.fromkeys(("anon", "user", "simulate"), "1000000/min")
    }


@pytest.mark.parametrize(
    "page", [f"<p>{MARKUP}</p>", f'<p title="{MARKUP}">', f"<p title='{MARKUP}'>", f"<svg>{MARKUP}"]
)
def test_the_reader_sees_what_is_not_escaped(page: str) -> None:
    wrong, right = Reader(), Reader()
    wrong.feed(page)
    right.feed(page.replace(MARKUP, escape(MARKUP)))
    assert wrong.carried and not right.carried


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("language", in_turn(0, ["ru", "en"], of=2))
def test_no_page_takes_a_name_for_markup(
    beginnings: list[str], owner: User, administrator: User, language: str
) -> None:
    everywhere = ["/", "/lists/", "/units/", "/systems/", "/matchups/", "/targets/", "/collection/", "/events/"]
    everywhere += ["/public/", "/layouts/", "/accounts/", "/accounts/tokens/", "/accounts/programs/", "/device/"]
    carried, shown, read = [], 0, 0
    for user, begin in ((owner, everywhere + beginnings), (administrator, ["/admin/"]), (None, ["/", *beginnings])):
        browser = Client(headers={"Accept-Language": language})
        if user is not None:
            browser.force_login(user)
        for at, text, reader in pages(browser, begin):
            read += 1
            shown += TAG in text
            carried += [(at, what) for what in reader.carried]
    assert carried == []
    assert (read >= READ_AT_LEAST, shown >= SHOWN_AT_LEAST) == (True, True), (read, shown)
