"""The library: what ids name, expansion on touch, and numbers as data may write them."""

from decimal import Decimal
from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import group_by_system
from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.gamedata.links import Library, SourceFile, UnknownId
from armybuilder.engine.gamedata.numbers import is_number, number, plain
from armybuilder.engine.gamedata.places import TooManyEntries, root_entries
from tests.engine.roster.builders import Player, change, entry, group, link, make_library, when
from tests.libraries import compiled_library


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("5.0", 5), ("-1", -1), ("0.1", Decimal("0.1")), ("1e3", 1000), (" 7 ", 7), (None, 0)],
)
def test_number(text: str | None, value: object) -> None:
    assert number(text) == value
    assert isinstance(number(text), type(value))


@pytest.mark.parametrize("text", ["", "NaN", "inf", "-Infinity", "1e999", "0x10", "1_000", "٣", "1" * 40, "5 pts"])
def test_no_number(text: str) -> None:
    assert not is_number(text)
    assert number(text, 3) == 3


@pytest.mark.parametrize(("value", "text"), [(5, "5"), (Decimal("0.50"), "0.5"), (Decimal("1E+2"), "100")])
def test_plain(value: int | Decimal, text: str) -> None:
    assert plain(value) == text


def test_ids_have_names_and_links_the_names_of_their_targets() -> None:
    library = make_library(link("l", "s"), catalogue={"sharedSelectionEntries": [entry("s", name="Sword")]})
    assert [library.name_of(wanted) for wanted in ("s", "l", "hq", "patrol", "army", "pts", "none")] == [
        "Sword", "Sword", "HQ", "Patrol", "Army", "pts", None,
    ]  # fmt: skip


def test_unknown_ids_are_refused_by_name() -> None:
    library = make_library(entry("a"))
    with pytest.raises(UnknownId, match="Army"):
        library.roots("nothing")
    assert library.find_root("army", "nothing") is None
    assert library.force_spec("army", "nothing") is None


def test_a_census_counts_one_file() -> None:
    unit = entry("a", least=1, selectionEntryGroups=[group("g", entry("b"), link("l", "s"))])
    library = make_library(unit, catalogue={"sharedSelectionEntries": [entry("s", rules=[{"id": "r", "name": "R"}])]})
    census = library.census("army")
    assert (census.entries, census.groups, census.links, census.constraints, census.rules) == (3, 1, 1, 1, 1)
    assert library.census("gs").entries == 0


def test_only_what_is_touched_is_expanded() -> None:
    deep = entry("a", selectionEntries=[entry("b", selectionEntries=[entry("c")])])
    (root,) = make_library(deep).roots("army")
    assert root._children is None
    assert [place.path for place in root.entries] == ["b"]
    assert root.entries[0]._children is None


def test_catalogues_share_what_both_offer() -> None:
    library = make_library(entry("a"), system={"selectionEntries": [entry("s")]})
    system, army = library.roots("gs"), library.roots("army")
    assert [place.path for place in army] == ["a", "s"]
    assert army[1] is system[0]


def test_whether_an_entry_has_options_is_told_without_making_them() -> None:
    library = make_library(
        entry("bare"),
        entry("armed", selectionEntries=[entry("sword")]),
        entry("open", entryLinks=[link("to", "nothing")]),
        entry("linked", entryLinks=[link("l", "s")]),
        catalogue={"sharedSelectionEntries": [entry("s")]},
    )
    found = {place.path: place for place in library.roots("army")}
    assert {path: place.spec.holds for path, place in found.items()} == {
        "bare": False, "armed": True, "open": False, "linked": True,
    }  # fmt: skip
    assert all(place._children is None for place in found.values())
    assert all(bool(place.children) is place.spec.holds for place in found.values())


def test_what_is_written_alike_is_one_object() -> None:
    asks, other = when("atLeast", 1, "any"), when("atLeast", 2, "any")
    both = {"type": "or", "conditions": [asks, other]}
    library = make_library(
        entry(
            "a", modifiers=[change("set", "hidden", "true", asks), change("set", "name", "B", conditionGroups=[both])]
        ),
        entry(
            "b", modifiers=[change("set", "hidden", "true", asks), change("set", "name", "C", conditionGroups=[both])]
        ),
        entry("c", modifiers=[change("set", "hidden", "true", other)]),
    )
    a, b, c = (place.spec for place in library.roots("army"))
    assert a.hidden_modifiers[0].conditions is b.hidden_modifiers[0].conditions
    assert a.name_modifiers[0].groups is b.name_modifiers[0].groups
    assert a.hidden_modifiers[0] is not b.hidden_modifiers[0]
    assert c.hidden_modifiers[0].conditions[0] is a.name_modifiers[0].groups[0].conditions[1]
    assert c.hidden_modifiers[0].conditions[0].value == 2


def test_a_place_knows_its_keys_before_they_are_made() -> None:
    library = make_library(
        entry("a", selectionEntryGroups=[group("g", entry("b"), link("l", "s"))]),
        catalogue={"sharedSelectionEntries": [entry("s")]},
    )
    for place in library.roots("army")[0].entries:
        assert not place.has_key("") and not place.has_key("h") and not place.has_key("=g::h")
        assert all(place.has_key(key) for key in place.keys)


def test_a_cycle_of_groups_ends() -> None:
    loop = {"sharedSelectionEntryGroups": [group("g", entry("x"), link("again", "g", to_group=True))]}
    library = make_library(entry("a", entryLinks=[link("l", "g", to_group=True)]), catalogue=loop)
    (root,) = library.roots("army")
    assert 1 <= len(root.entries) <= 100
    player = Player(library)
    chosen = player.take("a")
    player.take("x", chosen)
    assert player.tree() == [["1 A", "1 X"]]


def test_links_that_multiply_are_refused_in_bounded_time() -> None:
    groups = [
        group(f"g{n}", link(f"a{n}", f"g{n + 1}", to_group=True), link(f"b{n}", f"g{n + 1}", to_group=True))
        for n in range(40)
    ]
    bomb = {"sharedSelectionEntryGroups": [*groups, group("g40", entry("x"))]}
    player = Player(make_library(entry("a", entryLinks=[link("l", "g0", to_group=True)]), catalogue=bomb))
    with pytest.raises(TooManyEntries, match="more than 20000"):
        player.take("x", player.take("a"))


def test_a_root_link_to_a_group_offers_its_entries() -> None:
    shared = {"sharedSelectionEntryGroups": [group("g", entry("x"), entry("y"))]}
    player = Player(make_library(link("l", "g", to_group=True), catalogue=shared))
    assert player.node(player.take("y")).entry_id == "l::y"


def test_a_long_lived_library_forgets_expansions_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armybuilder.engine.gamedata.links.MAX_PLACES", 5)
    library = make_library(*(entry(f"e{n}", selectionEntries=[entry(f"c{n}")]) for n in range(8)))
    player = Player(library)
    before = player.take("e3")
    for n in range(8):
        player.take(f"c{n}", player.take(f"e{n}"))
    assert player.node(before).name == "E3"
    assert len(player.tree()) == 9
    assert player.errors == []


def real(shared: Path, folder: str) -> list[SourceFile]:
    root = shared / "battlescribe" / "data" / folder
    files = [path for path in sorted(root.iterdir()) if path.suffix in {".gst", ".cat", ".gstz", ".catz"}]
    return [SourceFile(path.name, unzipped(path.read_bytes(), file_name=path.name)) for path in files]


def links_open(library: Library) -> int:
    return sum(1 for problem in library.problems if problem.kind == "unresolved-link")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "catalogues", "unresolved"),
    [
        ("horus-heresy-2023-10-07", 30, 0),
        ("wh40k-7th-edition", 4, 0),
        ("wh40k-6th-1.14b", 5, 0),
        ("wh40k-epic-armageddon", 173, 0),
        ("phalanx-sample", 2, 0),
    ],
)
def test_real_sets_load_whole(shared: Path, folder: str, catalogues: int, unresolved: int) -> None:
    library = compiled_library(real(shared, folder))
    assert len(library.catalogues) == catalogues
    assert links_open(library) == unresolved
    for info in library.catalogues:
        assert root_entries(library.roots(info.id)) or info.library, info.name


@pytest.mark.shared
def test_a_mixed_folder_of_three_games(shared: Path) -> None:
    groups = group_by_system(real(shared, "whfb"))
    assert [len(group_.files) - 1 for group_ in groups] == [7, 21, 7]
    for group_ in groups:
        assert links_open(compiled_library(group_.files)) == 0


@pytest.mark.shared
def test_a_set_with_a_missing_file_names_every_link_that_stays_open(shared: Path) -> None:
    library = compiled_library(real(shared, "horus-heresy"))
    broken: dict[str, int] = {}
    for problem in library.problems:
        if problem.kind == "unresolved-link":
            broken[problem.file_name] = broken.get(problem.file_name, 0) + 1
    assert len(broken) == 20  # the 18 Legions, Blackshields and Shattered Legions
    for whole in ("2022 - LI - Solar Auxilia.cat", "2022 - Mechanicum.cat", "Titan Legions.cat"):
        assert whole not in broken
    in_system = [p for p in library.problems if p.file_name.endswith(".gst") and p.kind == "open-reference"]
    assert len({(p.node_id, p.target_id) for p in in_system}) == 5
