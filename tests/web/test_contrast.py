"""Colours of both themes: text at least 4.5 : 1 on what it stands on, marks and focus rings at least 3 : 1."""

import re
from pathlib import Path

import pytest

import armybuilder.web

CSS = (Path(armybuilder.web.__file__).parent / "static" / "web" / "site.css").read_text(encoding="utf-8")
TEXT_ON = [
    *((ink, ground) for ink in ("ink", "muted", "accent") for ground in ("ground", "panel", "sunk")),
    *(
        (kind, ground)
        for kind in ("error", "warning", "info", "unknown", "legal")
        for ground in ("panel", "sunk", f"{kind}-soft")
    ),
    *(("ink", f"{kind}-soft") for kind in ("error", "warning", "info", "unknown", "legal", "accent")),
    ("muted", "accent-soft"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    *(("heat-light-ink", f"heat-{step}") for step in range(6)),
    *(("heat-dark-ink", f"heat-{step}") for step in range(6, 10)),
]
MARKS_ON = [("edge", "panel"), ("edge", "ground"), ("accent", "ground"), ("accent", "panel")]


def themes() -> dict[str, dict[str, str]]:
    colours = re.findall(r"--([\w-]+): var\(--light, (#[0-9a-f]{6})\) var\(--dark, (#[0-9a-f]{6})\);", CSS)
    assert len(colours) > 20
    return {
        "light": {name: light for name, light, _ in colours},
        "dark": {name: dark for name, _, dark in colours},
    }


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_what_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_legible(theme: str) -> None:
    colours = themes()[theme]
    weak = {
        f"{a} on {b}": round(contrast(colours[a], colours[b]), 2)
        for a, b in TEXT_ON
        if contrast(colours[a], colours[b]) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_and_focus_rings_can_be_seen(theme: str) -> None:
    colours = themes()[theme]
    weak = {
        f"{a} on {b}": round(contrast(colours[a], colours[b]), 2)
        for a, b in MARKS_ON
        if contrast(colours[a], colours[b]) < 3
    }
    assert weak == {}


def test_the_dark_theme_is_the_same_by_choice_and_by_device() -> None:
    """Both only switch which of the two values of every colour holds."""
    dark = r"\{ color-scheme: dark; --light: ; --dark: initial; \}"
    assert re.search(rf'\(prefers-color-scheme: dark\) \{{ :root:not\(\[data-theme="light"\]\) {dark} \}}', CSS)
    assert re.search(rf'\n\[data-theme="dark"\] {dark}', CSS)
