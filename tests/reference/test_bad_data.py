"""Hostile and broken game data through the import: a refusal or a listed problem that names file, line or id."""

import resource
import zipfile
from collections.abc import Callable
from io import BytesIO
from time import monotonic
from typing import Any

import pytest

from armybuilder.datafiles.bundles import IncomingFile, bundle_of_uploads
from armybuilder.datafiles.models import DataFile, DataRelease, PublishedSystem
from armybuilder.engine.errors import GameError
from armybuilder.reference import publishing
from armybuilder.reference.importing import import_games
from armybuilder.reference.models import Faction, Slot, UnitEntry
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, game_system, release

pytestmark = pytest.mark.django_db


@pytest.fixture
def published(game: PublishedSystem) -> DataRelease:
    """What is current, and has to stay."""
    return publishing.publish(game, release(), origin="a test").release


def stored() -> list[object]:
    return [
        list(model.objects.order_by("pk").values())
        for model in (PublishedSystem, DataRelease, DataFile, Faction, UnitEntry)
    ]


def archive(*members: tuple[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
        for name, content in members:
            written.writestr(name, content)
    return out.getvalue()


def red(*entries: str, change: Callable[[bytes], bytes] = lambda content: content) -> list[tuple[str, bytes]]:
    """The game system and a Red Host with these entries, as uploads."""
    system, host = game_system(), catalogue("red", "Red Host", *entries)
    return [(system.name, system.content), (host.name, change(host.content))]


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a0 "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    + b']><catalogue id="red" name="&a9;" gameSystemId="game"/>'
)
FILE_ENTITY = (
    b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b'<catalogue id="red" gameSystemId="game"><x>&x;</x></catalogue>'
)
NESTED = "<selectionEntryGroups><selectionEntryGroup id='g' name='g'>" * 5_000


@pytest.mark.parametrize(
    ("case", "uploads", "words"),
    [
        ("zip bomb", lambda: [("bomb.zip", archive(("a.cat", b"\0" * 80_000_000)))], r"a\.cat is larger"),
        ("zipped catalogue bomb", lambda: [*red()[:1], ("a.catz", archive(("a.cat", b" " * 80_000_000)))], r"a\.cat"),
        ("entity bomb", lambda: [*red()[:1], ("red.cat", BOMB)], r"red\.cat"),
        ("entity of a file", lambda: [*red()[:1], ("red.cat", FILE_ENTITY)], r"red\.cat"),
        ("truncated", lambda: red(SQUAD, change=lambda content: content[:700]), r"red\.cat, line \d+"),
        ("no XML", lambda: [*red()[:1], ("red.cat", b"%PDF-1.4")], r"red\.cat, line 1"),
        ("wrong encoding", lambda: red(SQUAD, change=lambda c: c.replace(b"Line Squad", b"\xff\xfe\xfa")), r"red\.cat"),
        ("unknown encoding", lambda: red(change=lambda c: c.replace(b"UTF-8", b"KLINGON")), r"red\.cat"),
        ("nested without end", lambda: red(NESTED), r"red\.cat"),
        (
            "list without an id",
            lambda: red(change=lambda c: c.replace(b'id="red" ', b"", 1)),
            r"red\.cat: .*no id; take",
        ),
        (
            "list with an empty id",
            lambda: red(change=lambda c: c.replace(b'id="red"', b'id=""', 1)),
            r"red\.cat: .*no id",
        ),
        ("another root", lambda: [*red()[:1], ("red.cat", b"<roster/>")], r"red\.cat"),
        ("empty file", lambda: [*red()[:1], ("red.cat", b"")], r"red\.cat"),
        ("no game system", lambda: red()[1:], r"\.gst"),
        ("two systems in one", lambda: [*red(), ("two.gst", game_system(2).content)], "more than one game system"),
        ("no archive", lambda: [("x.zip", b"PK\x03\x04nothing")], r"x\.zip"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name_and_nothing_changes(
    published: DataRelease, case: str, uploads: Callable[[], list[tuple[str, bytes]]], words: str
) -> None:
    before = stored()
    with pytest.raises(GameError, match=words):
        import_games(bundle_of_uploads(uploads()), origin="a test", by=None, publish=True)
    assert stored() == before, case


GROUP, GROUP_END = (
    "<selectionEntryGroups><selectionEntryGroup id='g{}' name='g'>",
    "</selectionEntryGroup></selectionEntryGroups>",
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "depth", "words"),
    [
        ("without end", 500_000, r"red\.cat, line \d+: elements are nested deeper"),
        ("forty deep, side by side", 40, r"Line Squad.*offers more than 20000 entries and groups"),
    ],
)
def test_fifty_megabytes_of_nested_groups_take_bounded_time_and_memory(
    published: DataRelease, settings: Any, case: str, depth: int, words: str
) -> None:
    """Even where an administrator allows files of that size; usually they are refused for it."""
    chain = GROUP.format("") * depth + GROUP_END * depth
    chains = 50_000_000 // len(chain) + 1
    many = "".join(chain.replace("'g'", f"'g{number}'", 1) for number in range(chains))
    uploads = red(SQUAD.replace("<selectionEntries>", f"{many}<selectionEntries>", 1))
    assert len(uploads[1][1]) > 50_000_000
    with pytest.raises(GameError, match=r"red\.cat is larger than"):
        bundle_of_uploads(uploads)
    settings.GAMEDATA_MAX_FILE_BYTES = 60_000_000
    before, memory, began = stored(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, monotonic()
    with pytest.raises(GameError, match=words):
        import_games(bundle_of_uploads(uploads), origin="a test", by=None, publish=True)
    assert stored() == before, case
    assert monotonic() - began < 40
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < 600_000_000


def reported(uploads: list[tuple[str, bytes]]) -> list[dict[str, object]]:
    """The problems listed when these files are published."""
    (made,) = import_games(bundle_of_uploads(uploads), origin="a test", by=None, publish=True)
    problems: list[dict[str, object]] = made.report["problems"]
    return problems


LOST = '<entryLink id="l" name="Lost" targetId="nowhere" type="selectionEntry" hidden="false"/>'
LOOP = (
    '<selectionEntryGroup id="a" name="A" hidden="false"><entryLinks>'
    '<entryLink id="l2" name="B" targetId="a" type="selectionEntryGroup" hidden="false"/></entryLinks>'
    "</selectionEntryGroup>"
)


def with_links(links: str, shared: str = "") -> Callable[[bytes], bytes]:
    end = b"</selectionEntries>\n</catalogue>"
    more = f"</selectionEntries><entryLinks>{links}</entryLinks>{shared}</catalogue>".encode()
    return lambda content: content.replace(end, more)


@pytest.mark.parametrize("cost", ["NaN", "inf", "-inf", "1e400", "1e9999999", "twelve", "٣", ""])
def test_costs_that_are_no_numbers_are_listed_and_do_no_harm(published: DataRelease, cost: str) -> None:
    problems = reported(red(CAPTAIN.replace('value="100"', f'value="{cost}"'), SQUAD))
    assert [(row["file"], row["kind"]) for row in problems] == [("red.cat", "bad-number")], cost
    captain = UnitEntry.objects.get(entry_id="captain")
    assert captain.points == 20, "what the troopers cost"


def test_a_negative_cost_is_a_number(published: DataRelease) -> None:
    assert reported(red(CAPTAIN.replace('value="100"', 'value="-5"'), SQUAD)) == []
    assert UnitEntry.objects.get(entry_id="captain").points == 15


@pytest.mark.parametrize("cost", ["99999999999999999999999999", "1e300", "0.123456789012345678901234567890"])
def test_costs_beyond_counting_are_listed_and_count_nothing(published: DataRelease, cost: str) -> None:
    (problem,) = reported(red(CAPTAIN.replace('value="100"', f'value="{cost}"'), SQUAD))
    assert problem["kind"] == "bad-number" and "captain" in str(problem["message"])
    assert UnitEntry.objects.get(entry_id="captain").points == 20


@pytest.mark.both_databases
@pytest.mark.parametrize(("cost", "kept"), [("99999999999", "9999999.99"), ("-99999999999", "-9999999.99")])
def test_a_huge_price_is_kept_as_high_as_a_row_can_hold(published: DataRelease, cost: str, kept: str) -> None:
    assert reported(red(CAPTAIN.replace('value="100"', f'value="{cost}"'), SQUAD)) == []
    assert str(UnitEntry.objects.get(entry_id="captain").points) == kept


@pytest.mark.both_databases
def test_limits_and_ids_beyond_a_row_do_no_harm(published: DataRelease) -> None:
    many = CAPTAIN.replace('value="2" field', 'value="99999" field').replace('value="5" field', 'value="99999" field')
    long_id = SQUAD.replace('id="squad"', f'id="{"x" * 5_000}"')
    (system, host) = red(many, long_id)
    slots = (
        system[1]
        .replace(b'value="3" field', b'value="99999999999" field')
        .replace(b'value="1" field', b'value="-7" field')
    )
    reported([(system[0], slots), host])
    assert UnitEntry.objects.get(entry_id="captain").models_count == 5_000, "as many as the roster engine takes"
    assert not UnitEntry.objects.filter(name="Line Squad", faction__catalogue_id="red").exists()


@pytest.mark.parametrize(
    ("limit", "other", "kept"),
    [
        (b'type="max" value="3"', b'type="max"', (0, 0)),
        (b'type="max" value="3"', b'type="max" value="0"', (0, 0)),
        (b'type="min" value="1"', b'type="min" value="9"', (3, 3)),
    ],
)
def test_a_role_of_which_more_is_asked_than_allowed_is_published(
    published: DataRelease, limit: bytes, other: bytes, kept: tuple[int, int]
) -> None:
    (_, system), host = red(SQUAD, CAPTAIN)
    assert limit in system
    reported([("game.gst", system.replace(limit, other, 1)), host])
    slot = Slot.objects.get(detachment__entry_id="primary", role__key="hq")
    assert (slot.minimum, slot.maximum) == kept


def test_missing_targets_and_doubled_ids_are_listed_with_their_ids(published: DataRelease) -> None:
    problems = reported(red(CAPTAIN, SQUAD, SQUAD, change=with_links(LOST)))
    kinds = {str(row["kind"]) for row in problems}
    assert {"unresolved-link", "duplicate-id"} <= kinds
    assert any("nowhere" in str(row["message"]) for row in problems)
    assert all(row["file"] == "red.cat" for row in problems)


def test_links_in_a_circle_end(published: DataRelease) -> None:
    link = '<entryLink id="l1" name="A" targetId="a" type="selectionEntryGroup" hidden="false"/>'
    shared = f"<sharedSelectionEntryGroups>{LOOP}</sharedSelectionEntryGroups>"
    reported(red(CAPTAIN, SQUAD, change=with_links(link, shared)))
    assert UnitEntry.objects.filter(entry_id="captain").exists()


def test_catalogues_that_link_each_other_end(published: DataRelease) -> None:
    def linking(other: str) -> Callable[[bytes], bytes]:
        link = f'<catalogueLinks><catalogueLink id="to-{other}" name="{other}" targetId="{other}" type="catalogue" '
        return lambda content: content.replace(
            b"</catalogue>", f'{link}importRootEntries="true"/></catalogueLinks></catalogue>'.encode()
        )

    uploads = red(CAPTAIN, change=linking("blue"))
    uploads.append(("blue.cat", linking("red")(catalogue("blue", "Blue Host", SQUAD).content)))
    reported(uploads)
    assert {unit.faction.catalogue_id for unit in UnitEntry.objects.filter(entry_id="captain")} == {"red", "blue"}


def test_a_catalogue_of_another_game_is_listed_and_left_out(published: DataRelease) -> None:
    stranger = catalogue("green", "Green Host", SQUAD, game="other-game")
    problems = reported([*red(CAPTAIN), (stranger.name, stranger.content)])
    assert [(row["file"], row["kind"]) for row in problems] == [("green.cat", "wrong-game-system")]
    assert "other-game" in str(problems[0]["message"])
    assert not Faction.objects.filter(catalogue_id="green").exists()


def test_a_version_nobody_knows_is_read_as_the_newest(published: DataRelease) -> None:
    reported(red(CAPTAIN, change=lambda c: c.replace(b'battleScribeVersion="2.03"', b'battleScribeVersion="9.99"')))
    assert UnitEntry.objects.filter(entry_id="captain").exists()


def test_names_that_climb_out_of_an_archive_stay_inside(published: DataRelease) -> None:
    files = bundle_of_uploads([("x.zip", archive(*((f"../../../etc/{n}", c) for n, c in red(CAPTAIN))))])
    assert [file.name for file in files] == ["game.gst", "red.cat"]
    import_games(files, origin="a test", by=None, publish=True)
    assert sorted(DataFile.objects.order_by("-release__number").values_list("name", flat=True)[:2]) == [
        "game.gst",
        "red.cat",
    ]


def test_constructs_nobody_understands_are_listed_with_their_line(published: DataRelease) -> None:
    problems = reported(
        red(CAPTAIN, change=lambda c: c.replace(b"<selectionEntries>", b"<spells/>\n<selectionEntries>", 1))
    )
    assert [(row["kind"], row["file"]) for row in problems] == [("unknown-element", "red.cat")]
    assert problems[0]["line"]


def test_a_release_that_is_stored_already_is_that_release(published: DataRelease) -> None:
    before = stored()
    files = tuple(IncomingFile(file.name, file.content) for file in release())
    assert import_games(files, origin="again", by=None, publish=False) == (published,)
    assert stored() == before
