"""What whole lists cost, worked out by hand from the prices that the data prints, unit by unit."""

from decimal import Decimal
from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from tests.armylists.named_lists import Clerk, lists_of, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in
from tests.breadth import share

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

GAME = "fantasy-8th"
SHEET = Path(__file__).parent / "price_sheets" / f"{GAME}.txt"

Priced = list[tuple[str, Decimal]]


def price(sum_of: str) -> Decimal:
    """`10 x 7 + 10 x 1 + 10` is what ten Gors with shields and a musician cost."""
    total = Decimal(0)
    for term in sum_of.split(" + "):
        number, times, each = term.rpartition(" x ")
        total += (Decimal(number) if times else 1) * Decimal(each)
    return total


def sheets() -> dict[str, tuple[Decimal, Priced]]:
    """Lists by name: their total, and each unit with its price."""
    found: dict[str, tuple[Decimal, Priced]] = {}
    lines: Priced = []
    for line in SHEET.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name, _, total = line[1:].partition("] ")
            lines = []
            found[name] = (Decimal(total), lines)
        elif line and not line.startswith("#"):
            unit, _, sum_of = line.partition(": ")
            lines.append((unit, price(sum_of)))
    return found


@pytest.mark.parametrize("name", share(sheets(), of=4))
def test_a_list_costs_what_its_units_do(name: str, shared: Path, viewer: Viewer) -> None:
    total, lines = sheets()[name]
    assert sum(cost for _, cost in lines) == total
    wanted = next(one for one in lists_of(GAME) if one.name == name)
    library = library_in(shared / "battlescribe" / "data" / DATA[GAME], wanted.files or None)
    report = Clerk(viewer, published(GAME, library), library, wanted).report
    points = library.cost_types[0].id
    units = [
        (unit.name.strip(), sum((part.cost(points) for part in unit.walk()), Decimal(0)))
        for force in report.state.all_forces()
        for unit in force.selections
    ]
    assert sorted(unit for unit in units if unit[1]) == sorted(lines)
    assert report.points.total == total


def test_ten_lists_are_priced() -> None:
    assert len(sheets()) == 10
