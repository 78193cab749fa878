"""The Russian short form of points ends with a full stop, so no sentence may end with it."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
STOP_AFTER_POINTS = re.compile(r'\{% trans "pts" %\}(?:\s|</?\w[^>]*>|\{% (?:end)?if[^%]*%\})*\.')


def test_no_template_puts_a_full_stop_behind_points() -> None:
    pages = list(TEMPLATES.rglob("*.html"))
    assert sum('{% trans "pts" %}' in page.read_text(encoding="utf-8") for page in pages) > 10
    assert [str(page) for page in pages if STOP_AFTER_POINTS.search(page.read_text(encoding="utf-8"))] == []
