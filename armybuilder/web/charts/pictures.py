"""Charts as files of their own: the drawings of the pages with their colours inside, as SVG or PNG.

Their addresses are signed (`simulations.chart_addresses`): whoever has one sees that one chart and nothing else, so it
can be shown in a forum.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from django.template.loader import render_to_string

from armybuilder.armylists.samples import called
from armybuilder.reference.names import Names
from armybuilder.simulations.chart_addresses import AT_LEAST, OF_A_DOCUMENT
from armybuilder.simulations.models import RunKind, SimulationRun
from armybuilder.web.charts.distributions import HEIGHT
from armybuilder.web.charts.heat_maps import heat_map, short
from armybuilder.web.charts.timelines import WIDTH
from armybuilder.web.pages.battle_answers import BattleView, battle_view
from armybuilder.web.pages.matchup_answers import (
    DIRECTIONS,
    MEASURES,
    PairPart,
    matrix_view,
    pair_view,
    part_of_document,
)

FONTS = sorted(str(path) for path in (Path(__file__).parents[1] / "fonts").glob("*.ttf"))
ZOOM = 2
"""A PNG has this many pixels for each unit of the drawing."""

_HEAT = ("#f5f6f5", "#e6f0f1", "#cfe3e6", "#b2d3d7", "#8fbfc5", "#69a7af", "#2f7f89", "#1c6a74", "#0e5660", "#06434b")

STYLE = """
svg { font-family: "Source Sans 3", "Noto Sans", "DejaVu Sans", sans-serif; font-size: 13px; }
.chart__ground { fill: #ffffff; }
.chart__bar, .chart__share--mine { fill: #0b5a63; }
.chart__share--theirs { fill: #b06a00; }
.chart__grid { stroke: #d3d8d5; stroke-width: 1; }
.chart__axis { stroke: #7c8580; stroke-width: 1; }
.chart__mean { stroke: #1a1f1d; stroke-width: 1.5; stroke-dasharray: 4 3; }
.chart__mean-label, .chart__title-text { fill: #1a1f1d; font-weight: 600; }
.chart__scale, .chart__axis-label { fill: #545d59; }
.chart__label { fill: #1a1f1d; }
.chart__figure { fill: #1a1f1d; font-size: 11px; }
.chart__curve { fill: none; stroke: #0b5a63; stroke-width: 2.5; }
.chart__band--1 { fill: #0b5a63; fill-opacity: 0.14; }
.chart__band--2 { fill: #b06a00; fill-opacity: 0.14; }
.chart__line { fill: none; stroke-width: 2.5; }
.chart__line--1 { stroke: #0b5a63; } .chart__line--2 { stroke: #b06a00; stroke-dasharray: 7 4; }
.chart__dot--1, .chart__name--1 { fill: #0b5a63; } .chart__dot--2, .chart__name--2 { fill: #8f5600; }
.chart__name { font-weight: 600; }
.chart__part--win { fill: #0b5a63; } .chart__part--draw { fill: #c3cac6; } .chart__part--lose { fill: #b06a00; }
.chart__part-figure { font-weight: 600; font-size: 15px; fill: #ffffff; } .chart__part-figure--draw { fill: #1a1f1d; }
.chart__cell-figure { font-weight: 600; fill: #1a1f1d; } .chart__cell-figure--dark { fill: #ffffff; }
""" + "\n".join(f".chart__cell--{step} {{ fill: {colour}; }}" for step, colour in enumerate(_HEAT))

LETTER = 8
"""Width of most letters of a title, or less."""

LINE, LINE_LETTERS = 18, 50
"""Height of a line of a title, and the letters that fit into it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A title above a chart: where the picture begins, how high it is, and baseline and text of each line."""

    top: int
    height: int
    lines: tuple[tuple[int, str], ...]


def svg_of(run: SimulationRun, result: Mapping[str, Any], names: Names, name: str) -> str | None:
    """A chart of a finished run as an SVG document; None when the run has no chart of that name."""
    found = _drawing(run, result, names, name)
    if found is None:
        return None
    template, context = found
    return render_to_string(template, {"standalone": True, "style": STYLE, "id": "chart", **context}).strip()


def png_of(svg: str) -> bytes:
    """An SVG document as pixels."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - large, and few pages are pictures

    return bytes(
        svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=FONTS,
            font_family="Source Sans 3",
            sans_serif_family="Source Sans 3",
            zoom=ZOOM,
            background="#ffffff",
        )
    )


def _drawing(
    run: SimulationRun, result: Mapping[str, Any], names: Names, name: str
) -> tuple[str, dict[str, Any]] | None:
    title = " – ".join(called(part) for part in run.title.split(" – "))
    if run.kind == RunKind.BATTLE:
        return _of_battle(battle_view(result, names), fitted(title, WIDTH), name)
    if run.kind == RunKind.MATRIX:
        way, _, measure = name.partition("-")
        if way not in DIRECTIONS or measure not in MEASURES:
            return None
        chart = heat_map(matrix_view(result, names, measure=measure, way=way))
        return "charts/_heat.html", {"chart": chart, "title": fitted(title, chart.width)}
    if run.kind == RunKind.PAIR:
        return _of_parts(pair_view(result, names).parts, name)
    if run.kind == RunKind.MATCHUP:
        return _of_parts((part_of_document(OF_A_DOCUMENT, run.title, result, names),), name)
    return None


def _of_battle(battle: BattleView, title: str, name: str) -> tuple[str, dict[str, Any]] | None:
    if name == "outcomes":
        return "charts/_outcomes.html", {"battle": battle}
    if name == "timeline":
        return "charts/_timeline.html", {"chart": battle.timeline, "title": title}
    if name == "survival":
        facts = {"chart": battle.survival, "mine": battle.mine, "theirs": battle.theirs}
        return "charts/_survival.html", {"title": title, **facts}
    return None


def _of_parts(parts: tuple[PairPart, ...], name: str) -> tuple[str, dict[str, Any]] | None:
    key, curve = name.removesuffix(AT_LEAST), name.endswith(AT_LEAST)
    part = next((part for part in parts if part.key == key and part.chart is not None), None)
    if part is None:
        return None
    facts = {"chart": part.chart, "title": part.title, "axis": part.axis, "heading": heading(part.title)}
    return f"charts/_{'curve' if curve else 'bars'}.html", facts


def fitted(title: str, width: int) -> str:
    """A title of one line above a drawing of that width: where it is too long its two names are shortened."""
    letters = width // LETTER - 3
    if len(title) <= letters:
        return title
    return short(" – ".join(short(name, (letters - 3) // 2) for name in title.split(" – ", 1)), letters)


def heading(title: str) -> Heading:
    """A title above a chart of its own, in as many lines as it needs."""
    lines = wrap(title, LINE_LETTERS)
    top = -LINE * len(lines) - 12
    return Heading(top, HEIGHT - top, tuple((top + LINE * (n + 1), line) for n, line in enumerate(lines)))
