"""What belongs to another selection by its data needs it there: the format guide's section 13."""

import pytest

from tests.engine.roster.builders import Data, Player, entry, make_library


def belonging(child: str, scope: str = "parent", least: int = 1, **fields: object) -> list[Data]:
    return [{"id": "to", "name": "Bearer", "scope": scope, "childId": child, "min": least, "max": least, **fields}]


@pytest.mark.parametrize(
    ("scope", "child", "fits"),
    [("force", "men", True), ("roster", "troops", True), ("force", "unit", True), ("force", "riders", False)],
)
def test_what_belongs_to_something_needs_it_there(scope: str, child: str, fits: bool) -> None:
    guard = entry("guard", category="hq", associations=belonging(child, scope))
    men = entry("men", type="unit", category="troops")
    player = Player(make_library(guard, men, entry("riders", type="model", category="troops")))
    chosen = player.take("guard")
    names = {"men": "Men", "troops": "Troops", "unit": "Bearer", "riders": "Riders"}
    lack = [(chosen, "min", names[child], 0, 1)]
    assert [(one.node_id, one.kind, one.name, one.current, one.limit) for one in player.state.errors] == lack
    player.take("men")
    assert bool(player.state.errors) is not fits
    assert not player.library.problems


def test_an_association_looks_below_only_where_it_says_so() -> None:
    def objections(**fields: object) -> int:
        banner = entry("banner", associations=belonging("man", **fields))
        crew = entry("crew", selectionEntries=[entry("man", type="model", least=1)])
        squad = entry("squad", category="hq", type="unit", selectionEntries=[banner, crew])
        player = Player(make_library(squad))
        unit = player.take("squad")
        player.take("crew", unit)
        player.take("banner", unit)
        return len(player.state.errors)

    assert objections() == 1
    assert objections(includeChildSelections=True) == 0


@pytest.mark.parametrize(("child", "scope"), [("nobody", "force"), ("men", "nowhere"), ("", "force"), ("men", "")])
def test_an_association_that_leads_nowhere_is_listed_and_asks_for_nothing(child: str, scope: str) -> None:
    guard = entry("guard", category="hq", associations=belonging(child, scope))
    player = Player(make_library(guard, entry("men", type="unit", category="troops")))
    player.take("guard")
    assert not player.state.errors
    assert [one.kind for one in player.library.problems] in (["unsupported"], ["open-reference"])
