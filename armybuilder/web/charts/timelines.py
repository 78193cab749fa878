"""Geometry of the charts of a whole battle: what is left turn by turn, how battles end, how much survives."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from armybuilder.web.charts.distributions import Tick

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 624, 40, 256

BAR_TOP, BAR_BOTTOM = 30, 196
BAR_LEFT, BAR_RIGHT = 44, 632


@dataclass(frozen=True, slots=True)
class Series:
    """One side of the timeline.

    Attributes:
        line: path of the means; band: outline between the typical extremes.
        dots: where the line has its points, with the figure of each.
    """

    name: str
    line: str
    band: str
    dots: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Points left by turn, both sides."""

    series: tuple[Series, Series]
    ticks: tuple[Tick, ...]
    turns: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the bar of outcomes; `figure` is empty where it would not fit."""

    key: str
    x: float
    width: float
    middle: float
    figure: str


@dataclass(frozen=True, slots=True)
class ShareBar:
    """One bar of the chart of what survives."""

    x: float
    y: float
    width: float
    height: float
    chance: float
    side: str


@dataclass(frozen=True, slots=True)
class ShareChart:
    """How often how much of each side is left.

    Attributes:
        labels: place and per cent.
        rows: per cent, chance of it for the attacker and for the defender.
    """

    bars: tuple[ShareBar, ...]
    ticks: tuple[Tick, ...]
    labels: tuple[tuple[float, int], ...]
    rows: tuple[tuple[int, float, float], ...]


def timeline(names: tuple[str, str], turns: Sequence[Mapping[str, Mapping[str, float]]]) -> Timeline:
    """The points that both sides have left, turn by turn.

    Args:
        turns: with the members attacker and defender: points_left, low, high; the first is before the battle.
    """
    top = _round_up(max(turn[side]["high"] for turn in turns for side in ("attacker", "defender")))
    step = (RIGHT - LEFT) / max(1, len(turns) - 1)
    places = [round(LEFT + number * step, 1) for number in range(len(turns))]

    def y(points: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * points / top, 1)

    series = []
    for side, name in zip(("attacker", "defender"), names, strict=True):
        middle = [y(turn[side]["points_left"]) for turn in turns]
        high = [y(turn[side]["high"]) for turn in turns]
        low = [y(turn[side]["low"]) for turn in turns]
        outline = [*zip(places, high, strict=True), *zip(places[::-1], low[::-1], strict=True)]
        series.append(
            Series(
                name=name,
                line=_path(zip(places, middle, strict=True)),
                band=_path(outline) + "Z",
                dots=tuple(
                    (x, at, f"{turn[side]['points_left']:.0f}")
                    for x, at, turn in zip(places, middle, turns, strict=True)
                ),
            )
        )
    return Timeline(
        series=(series[0], series[1]),
        ticks=tuple(Tick(y(top * part / 4), top * part / 4) for part in range(5)),
        turns=tuple((x, number) for number, x in enumerate(places)),
    )


def segments(shares: Mapping[str, float], figures: Mapping[str, str], *, width: float = 600) -> tuple[Segment, ...]:
    """The bar of outcomes: win, draw and loss in proportion."""
    found, x = [], 0.0
    for key, share in shares.items():
        size = share * width
        figure = figures[key] if size >= 44 else ""
        found.append(Segment(key, round(x, 1), round(size, 1), round(x + size / 2, 1), figure))
        x += size
    return tuple(segment for segment in found if segment.width > 0)


def share_chart(attacker: Mapping[str, float], defender: Mapping[str, float], *, step: int = 5) -> ShareChart:
    """How often so many per cent of the price are left, both sides beside each other."""
    values = list(range(0, 101, step))
    rows = tuple((value, attacker.get(str(value), 0.0), defender.get(str(value), 0.0)) for value in values)
    most = max(max(mine, theirs) for _, mine, theirs in rows)
    top = next((share for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8) if most <= share), 1.0)
    pitch = (BAR_RIGHT - BAR_LEFT) / len(values)
    height = BAR_BOTTOM - BAR_TOP
    bars = []
    for number, (_, mine, theirs) in enumerate(rows):
        for place, (side, chance) in enumerate((("mine", mine), ("theirs", theirs))):
            tall = height * chance / top
            x = BAR_LEFT + number * pitch + pitch * (0.1 + 0.4 * place)
            bars.append(
                ShareBar(round(x, 1), round(BAR_BOTTOM - tall, 1), round(pitch * 0.36, 1), round(tall, 1), chance, side)
            )
    return ShareChart(
        bars=tuple(bars),
        ticks=tuple(Tick(round(BAR_BOTTOM - height * part / 2, 1), top * part / 2) for part in range(3)),
        labels=tuple((round(BAR_LEFT + (n + 0.5) * pitch, 1), value) for n, value in enumerate(values) if n % 2 == 0),
        rows=rows,
    )


def _path(places: Iterable[tuple[float, float]]) -> str:
    return "".join(f"{'L' if number else 'M'}{x} {y}" for number, (x, y) in enumerate(places))


def _round_up(points: float) -> float:
    """A round number that the scale ends with."""
    size = 10 ** max(0, len(str(int(points))) - 1)
    return next(top for top in (size, 1.5 * size, 2 * size, 3 * size, 4 * size, 6 * size, 8 * size, 10 * size)
                if points <= top)  # fmt: skip
