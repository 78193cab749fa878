"""Mutated files: whatever happens to the bytes, the answer is a library, a roster or a named refusal, never a crash."""

import copy
import random
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import monotonic

import pytest
from lxml import etree

from armybuilder.engine.battlescribe_files.library import load_readable
from armybuilder.engine.battlescribe_files.ros_xml import read_roster, settle
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, unzipped, zipped
from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import offers
from armybuilder.engine.roster.evaluate import evaluate
from tests.breadth import some
from tests.engine.battlescribe_files.files import army_file, catalogue, system_file

SECONDS = 8
"""Longest a fuzz test goes on; what it did not reach this time it reaches with another seed."""

SNIPPETS = [
    b"<", b">", b'"', b"&", b"&#0;", b"]]>", b"<!--", b"<![CDATA[", b"\0", b"\xff\xfe", b"NaN", b"-1", b"1e99",
    b"::", b'type="selectionEntryGroup"', b'targetId="boss"', b'id="boss"', b'scope="parent"', b'childId="any"',
    b'value="0"', b"<selectionEntries>", b"</selectionEntry>", b"<modifiers/>", b'hidden="TRUE"', b'import="false"',
    "\u0416".encode(),
]  # fmt: skip


class Figures:
    """What a fuzz test did, said even when it passes: cases, seconds, and how they ended."""

    def __init__(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._name, self._capsys, self._began = name, capsys, monotonic()
        self.ends: Counter[str] = Counter()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return monotonic() - self._began

    def say(self) -> None:
        """Print one line."""
        ends = ", ".join(f"{count} {end}" for end, count in sorted(self.ends.items()))
        with self._capsys.disabled():
            print(f"\nfuzz, {self._name}: {self.ends.total()} cases in {self.seconds:.1f} s ({ends})")


@pytest.fixture
def figures(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[Figures]:
    """Counts the cases of one test and prints them at its end."""
    figures = Figures(request.node.name.removeprefix("test_").replace("_", " "), capsys)
    yield figures
    figures.say()


def outcome(library: Library) -> str:
    """How reading ended: `read`, or `refused` with the file named."""
    return "refused" if any(problem.kind == "unreadable-file" for problem in library.problems) else "read"


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


VALUES = [
    "",
    "-1",
    "0",
    "1",
    "1e99",
    "NaN",
    "inf",
    "true",
    "any",
    "self",
    "parent",
    "force",
    "roster",
    "ancestor",
    "and",
]


def rearranged(data: bytes, rng: random.Random) -> bytes:
    """The same document, still well-formed: elements taken away, copied elsewhere, attributes exchanged."""
    root = etree.fromstring(data)
    elements = list(root.iter(etree.Element))
    for _ in range(rng.randint(1, 12)):
        one, other = rng.choice(elements), rng.choice(elements)
        kind = rng.randrange(4)
        parent = one.getparent()
        if kind == 0 and parent is not None:
            parent.remove(one)
        elif kind == 1 and len(one) < 50 and sum(1 for _ in one.iter()) < 200:
            other.append(copy.deepcopy(one))
        elif one.attrib:
            name = rng.choice(list(one.attrib))
            alike = [element.get(name, "") for element in rng.sample(elements, min(40, len(elements)))]
            one.set(name, rng.choice(VALUES if kind == 2 or not any(alike) else list(filter(None, alike))))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


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


@pytest.mark.long
def test_mutated_small_files(figures: Figures) -> None:
    rng = random.Random(20240)
    while figures.seconds < SECONDS and figures.ends.total() < some(1500, of=6):
        data = mutated(army_file().data, rng)
        library = load_readable([system_file(), SourceFile("Army.cat", data)])
        figures.ends[outcome(library)] += 1
        use(library, rng)
    assert min(figures.ends["read"], figures.ends["refused"]) > 5


def test_mutated_old_files_and_archives(figures: Figures) -> None:
    rng = random.Random(7)
    old = catalogue().replace('battleScribeVersion="2.03"', 'battleScribeVersion="1.15"').encode()
    packed = zipped(army_file().data, member_name="Army.cat")
    while figures.seconds < SECONDS and figures.ends.total() < 600:
        name, data = (("Old.cat", old), ("Army.catz", packed))[figures.ends.total() % 2]
        library = load_readable([system_file(), SourceFile(name, mutated(data, rng))])
        figures.ends[outcome(library)] += 1
        use(library, rng)
    assert min(figures.ends["read"], figures.ends["refused"]) > 5


@pytest.mark.long
def test_rearranged_small_files(figures: Figures) -> None:
    rng = random.Random(4)
    while figures.seconds < SECONDS and figures.ends.total() < some(1500, of=6):
        files = [rearranged(file.data, rng) for file in (system_file(), army_file())]
        try:
            library = load_readable([SourceFile("Game.gst", files[0]), SourceFile("Army.cat", files[1])])
        except UnreadableFile:  # no game system is left
            figures.ends["refused"] += 1
            continue
        figures.ends[outcome(library)] += 1
        use(library, rng)
    assert figures.ends["read"] > 50


@pytest.mark.shared
def test_rearranged_real_files(shared: Path, figures: Figures) -> None:
    """Real files with elements and attributes in each other's places: they are read, built with and evaluated."""
    rng = random.Random(12)
    files = list(corpus(shared))
    while figures.seconds < 2 * SECONDS and figures.ends.total() < some(200, of=6):
        game, name, army = files[figures.ends.total() % len(files)]
        library = load_readable([game, SourceFile(name, rearranged(army, rng))])
        figures.ends[outcome(library)] += 1
        use(library, rng)
    assert figures.ends["read"] >= 5


def corpus(shared: Path) -> Iterator[tuple[SourceFile, str, bytes]]:
    """Game system, name and bytes of one army list of every format and age."""
    for folder, system, name in (
        ("wh40k-6th-1.14b", "Warhammer40K.gst", "Imperial Knights - Codex.cat"),
        ("phalanx-sample", "Spec Kata Wars 9000.gst", "Grannies.cat"),
        ("horus-heresy", "2022 - Horus Heresy.gstz", "2022 - Questoris Household.cat"),
    ):
        data = shared / "battlescribe" / "data" / folder
        game = SourceFile(system, unzipped((data / system).read_bytes(), file_name=system))
        yield game, name, (data / name).read_bytes()


@pytest.mark.shared
def test_mutated_real_files(shared: Path, figures: Figures) -> None:
    """A corpus of real files, both formats, each damaged in a few places."""
    rng = random.Random(99)
    files = list(corpus(shared))
    while figures.seconds < 2 * SECONDS and figures.ends.total() < some(75, of=6):
        game, name, army = files[figures.ends.total() % len(files)]
        library = load_readable([game, SourceFile(name, mutated(army, rng))])
        figures.ends[outcome(library)] += 1
        use(library, rng)
    assert figures.ends.total() >= 10


@pytest.mark.shared
def test_mutated_real_rosters(shared: Path, figures: Figures) -> None:
    rng = random.Random(5)
    library = load_readable([system_file(), army_file()])
    files = sorted((shared / "battlescribe" / "data" / "horus-heresy" / "tests").glob("*.test"))
    assert files
    while figures.seconds < SECONDS and figures.ends.total() < some(400, of=6):
        try:
            roster = read_roster(mutated(rng.choice(files).read_bytes(), rng), file_name="list.ros")
        except UnreadableFile:
            figures.ends["refused"] += 1
            continue
        figures.ends["read"] += 1
        evaluate(library, settle(library, roster).roster)
        evaluate(library, roster)
    assert figures.ends["read"] > 5
