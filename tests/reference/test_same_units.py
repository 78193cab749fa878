"""A unit of several army lists is worked out once where they answer the same to what it asks, and is always right."""

from pathlib import Path

import pytest

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.beyond import Surroundings
from armybuilder.reference.default_units import DefaultUnits
from armybuilder.reference.unit_rows import ArmyListRow, army_lists
from tests.armylists.units_alone import library_in
from tests.breadth import some
from tests.engine.roster.builders import Data, change, entry, make_library, repeat, when
from tests.reference.test_unit_rows import unit

ARMIES = ("north", "south", "west")
LEGENDS = [{"id": "legends", "name": "Legends", "targetId": "book", "importRootEntries": True}]
SETS = [
    ("wh40k-6th-1.14b", "wh40k-6th"),
    ("horus-heresy-2023-10-07", "horus-heresy"),
    ("wh40k-epic-armageddon", "epic"),
]
BANNER = entry("banner", least=1, category="hq")


def armies(*shared: Data, **fields: Data) -> Library:
    """Three army lists that import the same book of units; fields of one by its name."""
    book: Data = {"id": "book", "name": "Book", "gameSystemId": "gs", "library": True, "selectionEntries": list(shared)}
    lists = [
        {"id": army, "name": army.title(), "gameSystemId": "gs", "catalogueLinks": LEGENDS, **fields.get(army, {})}
        for army in ARMIES
    ]
    return make_library(catalogue=lists[0], more=[book, *lists[1:]])


def worked_out(monkeypatch: pytest.MonkeyPatch, library: Library, rule_pack: str = "") -> tuple[list[ArmyListRow], int]:
    """The army lists, the same as when each unit is worked out by itself, and how many units were."""
    taken, work_out = 0, DefaultUnits._work_out

    def counted(*arguments: object) -> object:
        nonlocal taken
        taken += 1
        return work_out(*arguments)  # type: ignore[arg-type] - handed on

    with monkeypatch.context() as patch:
        patch.setattr(DefaultUnits, "_work_out", counted)
        found = list(army_lists(library, rule_pack=rule_pack))
    with monkeypatch.context() as patch:
        patch.setattr(Surroundings, "answers", lambda *_: None)
        assert list(army_lists(library, rule_pack=rule_pack)) == found
    return found, taken


def dearer(*conditions: Data, **fields: object) -> Data:
    """A unit of 10 points that costs 5 more where something holds."""
    return unit("men", "troops", modifiers=[change("increment", "pts", 5, *conditions, **fields)])


@pytest.mark.parametrize(
    ("men", "south", "points", "times"),
    [
        pytest.param(dearer(when("equalTo", 7, "any", "self")), {}, 10, 1, id="nothing"),
        pytest.param(dearer(when("instanceOf", 1, "south", "primary-catalogue")), {}, 15, 2, id="the army list"),
        pytest.param(dearer(when("instanceOf", 1, "south", "force")), {}, 15, 2, id="the force's army list"),
        pytest.param(dearer(when("instanceOf", 1, "south", "ancestor")), {}, 15, 2, id="what it stands in"),
        pytest.param(dearer(when("instanceOf", 1, "south", "parent")), {}, 15, 2, id="its parent"),
        pytest.param(dearer(when("atLeast", 1, "banner", "roster")), BANNER, 15, 2, id="an entry"),
        pytest.param(dearer(when("atLeast", 1, "banner", "parent")), BANNER, 15, 2, id="an entry beside it"),
        pytest.param(dearer(when("atLeast", 1, "hq", "force")), BANNER, 15, 2, id="a category"),
        pytest.param(dearer(when("atLeast", 1, "banner", "hq")), BANNER, 15, 2, id="an entry of a category"),
        pytest.param(dearer(when("atLeast", 2, "any", "force")), BANNER, 15, 2, id="anything"),
        pytest.param(dearer(when("atLeast", 1, "banner", "patrol")), BANNER, 15, 2, id="an entry in a detachment"),
        pytest.param(
            dearer(when("atLeast", 2, "any", "primary-category")), entry("flag", least=1, category="troops"), 15, 2,
            id="anything of its category",
        ),
        pytest.param(dearer(when("atLeast", 1, "banner", "primary-category")), BANNER, 10, 1, id="of another category"),
        pytest.param(dearer(repeats=[repeat(1, "banner", "roster")]), BANNER, 15, 2, id="how many"),
        pytest.param(  # the men have a part in the answer: each is worked out by itself
            dearer(when("equalTo", 50, "banner", "force", percentValue=True)), BANNER, 15, 3, id="a share"
        ),
        pytest.param(
            dearer(when("atLeast", 3, "banner", "roster", field="pts")),
            BANNER | {"costs": [{"name": "pts", "typeId": "pts", "value": 3}]}, 15, 4,
            id="points",
        ),
        pytest.param(dearer(when("atLeast", 1, "other", "force")), BANNER, 10, 1, id="what is nowhere"),
    ],
)  # fmt: skip
def test_an_army_list_that_answers_otherwise_has_its_own_unit(
    monkeypatch: pytest.MonkeyPatch, men: Data, south: Data, points: int, times: int
) -> None:
    found, taken = worked_out(monkeypatch, armies(men, south={"selectionEntries": [south]} if south else {}))
    costs = {row.name: [one.points for one in row.units if one.name == "Men"] for row in found}
    assert costs == {"North": [10], "South": [points], "West": [10]}
    assert taken == times


def test_options_that_a_banner_forbids_are_asked_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it must take is decided before it stands there."""
    least = {"id": "least", "type": "min", "value": 0, "field": "selections", "scope": "parent", "shared": True}
    armed = change("set", "least", 1, when("atLeast", 1, "banner", "roster"))
    spear = entry("spear", pts=3, constraints=[least], modifiers=[armed])
    found, taken = worked_out(
        monkeypatch, armies(unit("men", "troops", selectionEntries=[spear]), south={"selectionEntries": [BANNER]})
    )
    assert [[one.points for one in row.units if one.name == "Men"] for row in found] == [[10], [13], [10]]
    assert taken == 2


def test_a_category_of_two_files_is_what_each_army_list_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"categoryEntries": [{"id": "troops", "name": "Footmen"}]}
    found, taken = worked_out(monkeypatch, armies(unit("men", "troops"), south=named))
    assert [row.units[0].category_name for row in found] == ["Troops", "Footmen", "Troops"]
    assert taken == 3


def test_what_changes_others_from_afar_leaves_each_army_list_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    lends = change("increment", "pts", 5) | {"scope": "force", "affects": "self.entries.recursive"}
    king = entry("king", least=1, category="hq", modifiers=[lends])
    found, _ = worked_out(monkeypatch, armies(unit("men", "troops"), south={"selectionEntries": [king]}))
    assert [[one.points for one in row.units if one.name == "Men"] for row in found] == [[10], [15], [10]]


@pytest.mark.shared
@pytest.mark.long
@pytest.mark.parametrize(("data", "rule_pack"), SETS[: some(len(SETS), of=len(SETS))])
def test_community_units_are_what_each_is_by_itself(
    monkeypatch: pytest.MonkeyPatch, shared: Path, data: str, rule_pack: str
) -> None:
    library = library_in(shared / "battlescribe" / "data" / data)
    found, _ = worked_out(monkeypatch, library, rule_pack)
    assert sum(len(row.units) for row in found) > 200
