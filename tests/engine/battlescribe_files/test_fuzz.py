"""Mutated files: whatever happens to the bytes, the answer is a library, a roster or a named refusal, never a crash."""

import random
from itertools import count
from pathlib import Path
from time import monotonic

import pytest

from armybuilder.engine.battlescribe_files.library import load_readable
from armybuilder.engine.battlescribe_files.ros_xml import read_roster, settle
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, unzipped, zipped
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.offers import offers
from tests.engine.battlescribe_files.files import army_file, catalogue, system_file

SECONDS = 8
"""Longest a fuzz test goes on; what it did not reach this time it reaches with another seed."""

SNIPPETS = [
    b"<", b">", b'"', b"&", b"&#0;", b"]]>", b"<!--", b"<![CDATA[", b"\0", b"\xff\xfe", b"NaN", b"-1", b"1e99",
    b"::", b'type="selectionEntryGroup"', b'targetId="boss"', b'id="boss"', b'scope="parent"', b'childId="any"',
    b'value="0"', b"<selectionEntries>", b"</selectionEntry>", b"<modifiers/>", b'hidden="TRUE"', b'import="false"',
    "\u0416".encode(),
]  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The bytes with up to six cuts, copies, swaps and insertions."""
    work = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randrange(len(work) + 1), rng.choice((1, 1, 3, 20, 200))
        kind = rng.randrange(5)
        if kind == 0:
            del work[at : at + size]
        elif kind == 1:
            work[at:at] = rng.choice(SNIPPETS)
        elif kind == 2:
            there = rng.randrange(len(work) + 1)
            work[there:there] = work[at : at + size]
        elif kind == 3 and at < len(work):
            work[at] = rng.randrange(256)
        else:
            work[at : at + size] = rng.choice(SNIPPETS)
        if not work:
            break
    return bytes(work)


def use(library: Library, rng: random.Random) -> None:
    """Build a little with every catalogue; only refusals may come."""
    numbers = count(1)
    for info in library.catalogues[:3]:
        roster = edits.new_roster(library, name="F", new_id=lambda: f"n{next(numbers)}").roster
        for force in library.force_entries(info.id)[:2]:
            try:
                edit = edits.add_force(
                    library,
                    roster,
                    force_entry_id=force.id,
                    catalogue_id=info.id,
                    new_id=lambda: f"n{next(numbers)}",
                )
                roster = edit.roster
                rows = offers(library, evaluate(library, roster), node_id=edit.node_id or "")
                for row in rng.sample(rows, min(3, len(rows))):
                    wanted = getattr(row, "entry_id", "nothing")
                    roster = edits.select(
                        library,
                        roster,
                        parent_id=edit.node_id or "",
                        entry_id=wanted,
                        new_id=lambda: f"n{next(numbers)}",
                    ).roster
            except GameError:
                continue
        state = evaluate(library, roster)
        assert all(error.message for error in state.errors)
        assert all(isinstance(rule.name, str) for node in state.all_selections() for rule in node.rules)


def test_mutated_small_files() -> None:
    rng = random.Random(20240)
    end = monotonic() + SECONDS
    outcomes = {"read": 0, "refused": 0}
    for _ in range(1500):
        data = mutated(army_file().data, rng)
        library = load_readable([system_file(), SourceFile("Army.cat", data)])
        outcomes["refused" if any(p.kind == "unreadable-file" for p in library.problems) else "read"] += 1
        use(library, rng)
        if monotonic() > end:
            break
    assert outcomes["read"] > 5
    assert outcomes["refused"] > 5


def test_mutated_old_files_and_archives() -> None:
    rng = random.Random(7)
    end = monotonic() + SECONDS
    old = catalogue().replace('battleScribeVersion="2.03"', 'battleScribeVersion="1.15"').encode()
    packed = zipped(army_file().data, member_name="Army.cat")
    for turn in range(600):
        name, data = (("Old.cat", old), ("Army.catz", packed))[turn % 2]
        use(load_readable([system_file(), SourceFile(name, mutated(data, rng))]), rng)
        if monotonic() > end:
            break


@pytest.mark.shared
def test_mutated_real_files(shared: Path) -> None:
    """A corpus of real files, both formats, each damaged in a few places."""
    rng = random.Random(99)
    end = monotonic() + 2 * SECONDS
    done = 0
    for folder, system, name in (
        ("wh40k-6th-1.14b", "Warhammer40K.gst", "Imperial Knights - Codex.cat"),
        ("phalanx-sample", "Spec Kata Wars 9000.gst", "Grannies.cat"),
        ("horus-heresy", "2022 - Horus Heresy.gstz", "2022 - Questoris Household.cat"),
    ):
        data = shared / "battlescribe" / "data" / folder
        game = SourceFile(system, unzipped((data / system).read_bytes(), file_name=system))
        army = (data / name).read_bytes()
        for _ in range(25):
            use(load_readable([game, SourceFile(name, mutated(army, rng))]), rng)
            done += 1
            if monotonic() > end:
                break
    assert done >= 10


@pytest.mark.shared
def test_mutated_real_rosters(shared: Path) -> None:
    rng = random.Random(5)
    end = monotonic() + SECONDS
    library = load_readable([system_file(), army_file()])
    files = sorted((shared / "battlescribe" / "data" / "horus-heresy" / "tests").glob("*.test"))
    assert files
    read = 0
    for _ in range(400):
        try:
            roster = read_roster(mutated(rng.choice(files).read_bytes(), rng), file_name="list.ros")
        except UnreadableFile:
            continue
        read += 1
        evaluate(library, settle(library, roster).roster)
        evaluate(library, roster)
        if monotonic() > end:
            break
    assert read > 5
