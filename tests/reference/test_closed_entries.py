"""Forces that are not asked, as another said it already: the rows are the same as if each were asked."""

import pytest

from armybuilder.reference import unit_rows
from armybuilder.reference.closed_entries import ClosedEntries
from tests.engine.roster.builders import Data, change, entry, limit, when
from tests.reference.test_unit_rows import rows, unit


def force(key: str, *below: Data, category: str = "hq", **fields: object) -> Data:
    links = [{"id": f"{key}-{category}", "targetId": category}]
    return {"id": key, "name": key.title(), "categoryLinks": links, "forceEntries": list(below), **fields}


def shown_when(*conditions: Data) -> Data:
    return {"hidden": True, "modifiers": [change("set", "hidden", "false", *conditions)]}


def asked_forces(monkeypatch: pytest.MonkeyPatch, *entries: Data, forces: list[Data]) -> tuple[list[str], list[str]]:
    """Names of the units, the same as when every force is asked, and of the forces that were."""
    asked: list[str] = []
    fill, below = unit_rows._force, unit_rows._child_force

    def filled(*arguments: object) -> object:
        answer = fill(*arguments)  # type: ignore[arg-type] - handed on
        asked.append(answer[1].spec.name)
        return answer

    def inside(*arguments: object) -> object:
        answer = below(*arguments)  # type: ignore[arg-type] - handed on
        asked.append(answer[1].spec.name)
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(unit_rows, "_force", filled)
        patch.setattr(unit_rows, "_child_force", inside)
        found = rows(*entries, forces=forces)
    with monkeypatch.context() as patch:
        patch.setattr(ClosedEntries, "closed", lambda *_: False)
        patch.setattr(ClosedEntries, "tells_by_itself", lambda *_: False)
        assert rows(*entries, forces=forces) == found
    return [row.name for row in found], asked


def test_what_asks_for_nothing_that_may_be_there_is_asked_of_one_force(monkeypatch: pytest.MonkeyPatch) -> None:
    ally = unit("ally", "hq", **shown_when(when("atLeast", 1, "bridge", "roster")))
    found = asked_forces(monkeypatch, unit("lord", "hq"), ally, forces=[force("patrol"), force("war"), force("siege")])
    assert found == (["Lord"], ["Patrol"])


def test_the_force_that_an_entry_asks_for_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for_war = unit("ram", "hq", **shown_when(when("instanceOf", 1, "war", "force")))
    forces = [force("patrol"), force("raid"), force("war"), force("siege")]
    assert asked_forces(monkeypatch, unit("lord", "hq"), for_war, forces=forces) == (["Lord", "Ram"], ["Patrol", "War"])


def test_what_a_force_starts_with_opens_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A banner that only war brings shows its bearer; neither asks for the force by name."""
    banner = entry("banner", least=1, **shown_when(when("instanceOf", 1, "war", "force")))
    bearer = unit("bearer", "hq", **shown_when(when("atLeast", 1, "banner", "roster")))
    found = asked_forces(monkeypatch, banner, bearer, forces=[force("patrol"), force("raid"), force("war")])
    assert found == (["Bearer"], ["Patrol", "Raid", "War"])


def test_how_many_forces_there_are_may_open_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    second = unit("herald", "hq", **shown_when(when("atLeast", 2, "any", "roster", field="forces")))
    patrol = force("patrol", force("guard"))
    assert asked_forces(monkeypatch, second, forces=[patrol]) == (["Herald"], ["Patrol", "Guard"])


def test_of_two_forces_below_one_only_the_first_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hangs on the selections of the army is the same for each of its regiments."""
    chosen = entry("banner", least=1)
    shy = unit(
        "shy", "hq", hidden=False, modifiers=[change("set", "hidden", "true", when("atLeast", 1, "banner", "roster"))]
    )
    army = force("army", force("left"), force("right"), category="troops")
    found = asked_forces(monkeypatch, chosen, shy, unit("men", "troops"), forces=[army])
    assert found == (["Men"], ["Army", "Left"])


def test_what_stands_there_may_lend_a_category_that_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    lends = change("add", "category", "fast") | {"scope": "force", "affects": "self.entries.recursive"}
    king = entry("king", least=1, modifiers=[lends])
    guard = unit("guard", "hq", **shown_when(when("instanceOf", 1, "fast", "self")))
    found = asked_forces(monkeypatch, king, guard, forces=[force("patrol"), force("war")])
    assert found == (["Guard"], ["Patrol"])


def test_a_regiment_that_no_army_opens_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = force("ghosts", **shown_when(when("instanceOf", 1, "other", "primary-catalogue")))
    armies = [force("army", category="troops"), force("host", hidden, category="troops")]
    assert asked_forces(monkeypatch, unit("lord", "hq"), unit("men", "troops"), forces=armies) == (["Men"], ["Army"])


def test_what_no_minimum_can_ask_for_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minimum of none that nothing changes brings no house, whatever else of the house is changed."""
    in_war = when("instanceOf", 1, "war", "force")
    bearer = unit("bearer", "hq", **shown_when(when("atLeast", 1, "house", "roster")))
    forces = [force("patrol"), force("raid"), force("war")]

    def asked(*modifiers: Data) -> tuple[list[str], list[str]]:
        none = limit("house-min", "min", 0, "force")
        house = unit("house", "hq", constraints=[none], modifiers=list(modifiers))
        return asked_forces(monkeypatch, house, bearer, forces=forces)

    assert asked(change("set", "name", "Hall", in_war)) == (["House"], ["Patrol"])
    assert asked(change("set", "house-min", 1, in_war)) == (["House", "Bearer"], ["Patrol", "Raid", "War"])
