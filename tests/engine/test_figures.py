"""Numbers in sentences: thousands apart and decimals, as each language writes them."""

import pytest

from armybuilder.engine.findings import in_figures


@pytest.mark.parametrize(
    ("number", "en", "ru"),
    [
        ("0", "0", "0"),
        ("999", "999", "999"),
        ("1000", "1,000", "1 000"),
        ("1234567", "1,234,567", "1 234 567"),
        ("-1555", "-1,555", "-1 555"),
        ("33.75", "33.75", "33,75"),
        ("2000.5", "2,000.5", "2 000,5"),
        ("?", "?", "?"),
    ],
)
def test_figures(number: str, en: str, ru: str) -> None:
    assert (in_figures(number).en, in_figures(number).ru) == (en, ru)
