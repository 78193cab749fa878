"""Break points, ratings, seats and starts in the words of both languages."""

from typing import Any

import pytest

from armybuilder.engine.documents import parse_army
from armybuilder.engine.systems.epic.army import Army
from armybuilder.engine.systems.epic.list_rules.summary import summarised
from armybuilder.engine.systems.list_summary import ListSummary
from tests.engine.systems.epic.builders import make_army, make_formation, make_titan, make_transport, make_unit


def look(document: dict[str, Any]) -> ListSummary:
    army = parse_army(document)
    assert isinstance(army, Army)
    return summarised(army, {"/formations/1": "node"})


def shown(*units: dict[str, Any], **formation: Any) -> tuple[list[str], list[str]]:
    facts = look(make_army(make_formation("f", *units, **formation))).units["node"]
    return [fact.en for fact in facts], [fact.ru for fact in facts]


def test_a_formation_says_when_it_breaks_and_how_it_starts() -> None:
    en, ru = shown(make_unit("s", count=6), initiative="1+", deployment="garrison", overwatch_at_start=True)
    assert en == ["initiative 1+", "breaks at 6", "garrison", "on Overwatch"]
    assert ru == ["инициатива 1+", "разбивается при 6", "гарнизон", "в «Надзоре»"]


def test_a_war_engine_counts_its_damage_capacity() -> None:
    assert "breaks at 16" in shown(make_titan(count=2))[0]


@pytest.mark.parametrize(("squads", "said"), [(4, "seats 4 of 4"), (5, "5 places needed, 4 in its transports")])
def test_seats_are_counted(squads: int, said: str) -> None:
    assert said in shown(make_unit("s", count=squads), make_transport("r", 2, count=2))[0]


def test_places_that_do_not_fit_together_seat_nobody() -> None:
    """Two places in all, but a unit of two places does not fit into single ones of different carriers."""
    said, _ = shown(make_unit("o", slots=2), make_transport("r", 1, count=2))
    assert "2 places needed, 2 in its transports" in said


def test_carriers_alone_say_what_they_carry() -> None:
    assert "carries 6" in shown(make_transport("r", 2, count=3))[0]


def test_the_strategy_rating_is_the_army_s() -> None:
    assert [fact.en for fact in look(make_army()).army] == ["Strategy rating 5"]
