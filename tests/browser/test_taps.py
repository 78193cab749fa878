"""Twenty taps on a phone from New list to a legal list of ten units that others can see, in all five games."""

import pytest

from tests.browser.conftest import PHONE, Visitors
from tests.browser.tapping import MOST_TAPS, Thumb


@pytest.mark.parametrize(
    ("game", "faction"),
    [
        ("horus-heresy", "Sons of Horus"),
        ("wh40k-6th", "Space Marines"),
        ("fantasy-8th", "Empire"),
        ("epic", "Codex Astartes Space Marines"),
    ],
)
def test_ten_units_legal_and_shared(visitors: Visitors, game: str, faction: str) -> None:
    thumb = Thumb(visitors.arrive(size=PHONE, touch=True))
    thumb.begin(game, "#id_faction", faction)
    thumb.add_units()
    thumb.make_legal()
    thumb.share()
    assert thumb.taps <= MOST_TAPS


def test_a_hero_legal_and_shared(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    thumb = Thumb(page)
    thumb.begin("relic", "#id_character", "Ultramarines Captain")
    for _ in range(2):
        thumb.tap(page.locator("#b-take-power"))
    thumb.make_legal()
    thumb.share()
    assert thumb.taps <= MOST_TAPS
