"""Seats in transports: everybody who can be seated is, and nobody sits in two carriers at once."""

import pytest

from armybuilder.engine.systems.epic.army import Transport, Unit
from armybuilder.engine.systems.epic.boarding import board, fits


def carrier(name: str, count: int, slots: int, *accepts: str) -> Unit:
    return Unit(id=name, name=name, type="AV", count=count, transport=Transport(slots=slots, accepts=accepts or None))


def seats(riders: list[Unit], carriers: list[Unit]) -> list[tuple[str, int, str | None]]:
    return [(part.name, part.count, part.embarked_in) for part in board(riders, carriers, taken={})]


def test_units_are_split_between_carriers() -> None:
    squads = Unit(id="s", name="Squads", type="INF", count=6)
    found = seats([squads], [carrier("Rhino", 2, 2), carrier("Razorback", 2, 1)])
    assert sorted(found, key=str) == [("Squads", 2, "Razorback"), ("Squads", 4, "Rhino")]


def test_those_who_fit_in_one_carrier_only_get_its_seats() -> None:
    """A greedy seating would put the squads into the Land Raider and leave the Terminators standing."""
    squads = Unit(id="s", name="Squad", type="INF", count=2)
    terminators = Unit(id="t", name="Terminator", type="INF", count=2)
    found = seats([squads, terminators], [carrier("Raider", 1, 2), carrier("Rhino", 1, 2, "Squad")])
    assert found == [("Squad", 2, "Rhino"), ("Terminator", 2, "Raider")]


def test_who_finds_no_seat_is_aboard_all_the_same() -> None:
    found = seats([Unit(id="s", name="Squad", type="INF", count=3)], [carrier("Rhino", 1, 2)])
    assert found == [("Squad", 3, "Rhino")]


def test_large_units_are_seated_first() -> None:
    ogryns = Unit(id="o", name="Ogryn", type="INF", slots=2)
    squad = Unit(id="s", name="Squad", type="INF", count=2)
    found = seats([squad, ogryns], [carrier("Chimera", 1, 2), carrier("Truck", 2, 1, "Squad")])
    assert found == [("Squad", 2, "Truck"), ("Ogryn", 1, "Chimera")]


def test_large_units_leave_the_carrier_that_others_need() -> None:
    """The Ogryns fit into both, the squads into one only."""
    ogryn = Unit(id="o", name="Ogryn", type="INF", slots=2)
    squads = Unit(id="s", name="Squad", type="INF", count=2)
    found = seats([squads, ogryn], [carrier("Chimera", 1, 2), carrier("Ogryn carrier", 1, 2, "Ogryn")])
    assert found == [("Squad", 2, "Chimera"), ("Ogryn", 1, "Ogryn carrier")]


@pytest.mark.parametrize(
    ("large", "small", "carriers", "fit"),
    [
        (1, 0, [carrier("Truck", 2, 1)], False),  # two single seats are no place for one large unit
        (2, 0, [carrier("Wagon", 2, 3)], True),
        (3, 0, [carrier("Wagon", 2, 3)], False),  # six places, but only one large unit in each wagon
        (2, 2, [carrier("Wagon", 2, 3)], True),
        (2, 3, [carrier("Wagon", 2, 3)], False),
        (0, 4, [carrier("Rhino", 2, 2, "Small")], True),
        (1, 3, [carrier("Rhino", 2, 2, "Small")], False),
        (0, 0, [], True),
        (0, 1, [], False),
    ],
)
def test_whether_everybody_fits(large: int, small: int, carriers: list[Unit], fit: bool) -> None:
    riders = [
        Unit(id="l", name="Large", type="INF", count=large, slots=2),
        Unit(id="s", name="Small", type="INF", count=small),
    ]
    assert fits([rider for rider in riders if rider.count], carriers) is fit
