"""Ten or twenty lists a game from the community's data, built from empty as a page does, each spoiled in three ways.

What makes a list legal or not was worked out on the rulebook's chapter about armies and on what the data prints of
each unit: slots and shares by the category of each unit, its sizes and options, and who may lead.
"""

from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.gamedata.links import Library
from tests.armylists.named_lists import Clerk, NamedList, lists_of, published
from tests.armylists.units_alone import library_in
from tests.breadth import in_turn, share

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

DATA = {
    "horus-heresy": "horus-heresy-2023-10-07",
    "wh40k-6th": "wh40k-6th-1.14b",
    "fantasy-8th": "whfb",
    "epic": "wh40k-epic-armageddon",
}


@pytest.mark.parametrize(
    ("game", "number", "wanted"),
    [
        pytest.param(game, number, wanted, id=f"{game}: {wanted.name}")
        for game in DATA
        for number, wanted in enumerate(share(lists_of(game), of=4))
    ],
)
def test_a_list_is_legal_until_it_is_spoiled(
    game: str, number: int, wanted: NamedList, shared: Path, viewer: Viewer
) -> None:
    library: Library = library_in(shared / "battlescribe" / "data" / (wanted.data or DATA[game]), wanted.files or None)
    system = published(game, library)
    legal = Clerk(viewer, system, library, wanted)
    assert legal.errors() == []
    assert (legal.report.points.total, legal.report.legal) == (wanted.points, True)
    wrong = []
    for spoil in in_turn(number, wanted.spoils, of=3):
        with legal.on_trial() as army:
            army.spoil(spoil)
            assert army.report.legal is False
            if sorted({error.partition(":")[0] for error in army.errors()}) != sorted(spoil.rules):
                wrong.append((spoil, army.errors()))
    assert wrong == []


def test_ten_lists_a_game() -> None:
    assert {game: len(lists_of(game)) for game in DATA} == {
        "horus-heresy": 37,
        "wh40k-6th": 41,
        "fantasy-8th": 54,
        "epic": 50,
    }
    assert all(len(wanted.spoils) == 3 for game in DATA for wanted in lists_of(game))
