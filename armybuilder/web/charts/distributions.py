"""Geometry and words of the site's own charts: numbers in, ready coordinates out, so that templates only loop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

WIDTH, HEIGHT = 400, 220
"""Size of a chart in its own units; the page scales it."""

LEFT, RIGHT, TOP, BOTTOM = 36, 392, 36, 184
MOST_BARS = 24
"""More values than this are drawn in groups of equal width."""
WIDEST_BAR = 44
NEGLIGIBLE = 5e-4
"""Values at the ends that are rarer than this are left out of the drawing; the table keeps them."""
HEAT_STEPS = 10
MEAN_TOP = 8
FIGURE_WIDTH, FIGURE_HEIGHT = 34, 12
"""Room of the figure over a bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: where it stands, what it says.

    Attributes:
        label: the value, or the group of values, under the bar.
        first: smallest value of the group.
        chance: of the value or group.
        caption_y: baseline of the figure over the bar; None where it would not fit.
    """

    label: str
    first: int
    chance: float
    x: float
    y: float
    width: float
    height: float
    middle: float
    caption_y: float | None
    labelled: bool


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale."""

    y: float
    chance: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table under a chart."""

    value: int
    chance: float
    at_least: float


@dataclass(frozen=True, slots=True)
class DistributionChart:
    """A distribution drawn as bars, its "at least" curve, and the table that says the same.

    Attributes:
        mean_lines: top and bottom of each piece of the line at the mean, which leaves out the figures over the bars.
    """

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    mean: float
    mean_x: float
    mean_anchor: str
    mean_lines: tuple[tuple[float, float], ...]
    curve: str
    curve_ticks: tuple[Tick, ...]
    rows: tuple[Row, ...]
    grouped: int


@dataclass(frozen=True, slots=True)
class Description:
    """How often at least so many: "in 7 of 10 fights at least 4".

    Attributes:
        of_ten: 1 to 9; 0 stands for less than 1 in 20, 10 for more than 19 in 20.
        at_least: the value reached.
        typical_low, typical_high: the shortest run of values that holds at least 8 of 10 fights.
    """

    of_ten: int
    at_least: int
    typical_low: int
    typical_high: int


def in_order(chances: Mapping[str, float] | Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    """A distribution as pairs in rising order of value, gaps filled with zero."""
    known = {int(value): float(chance) for value, chance in chances.items()}
    if not known:
        return ((0, 1.0),)
    return tuple((value, known.get(value, 0.0)) for value in range(min(0, *known), max(known) + 1))


def mean_of(chances: Mapping[str, float] | Mapping[int, float]) -> float:
    """The expected value."""
    return sum(value * chance for value, chance in in_order(chances))


def at_least(pairs: Sequence[tuple[int, float]]) -> tuple[float, ...]:
    """For each value the chance of reaching it, in the order of the pairs."""
    sums: list[float] = []
    total = 0.0
    for _, chance in reversed(pairs):
        total += chance
        sums.append(min(1.0, total))
    return tuple(reversed(sums))


def describe(chances: Mapping[str, float] | Mapping[int, float]) -> Description:
    """The largest value that is reached in at least half of all fights, and how often it is.

    Where even 1 is reached in less than half, it speaks of 1.
    """
    pairs = in_order(chances)
    reached = at_least(pairs)
    likely = [(value, share) for (value, _), share in zip(pairs, reached, strict=True) if value >= 1 and share >= 0.5]
    if likely:
        value, share = likely[-1]
    else:
        value = 1
        share = next((share for (number, _), share in zip(pairs, reached, strict=True) if number == 1), 0.0)
    of_ten = 0 if share < 0.05 else 10 if share > 0.95 else min(9, max(1, round(share * 10)))
    low, high = _shortest_run(pairs, 0.8)
    return Description(of_ten, value, low, high)


def _shortest_run(pairs: Sequence[tuple[int, float]], share: float) -> tuple[int, int]:
    best = (pairs[0][0], pairs[-1][0])
    start, held = 0, 0.0
    for value, chance in pairs:
        held += chance
        while held - pairs[start][1] >= share - 1e-12:
            held -= pairs[start][1]
            start += 1
        if held >= share - 1e-12 and value - pairs[start][0] < best[1] - best[0]:
            best = (pairs[start][0], value)
    return best


def distribution_chart(chances: Mapping[str, float] | Mapping[int, float]) -> DistributionChart:
    """A distribution as a chart: bars with their share, the mean, the curve of "at least", and all rows."""
    pairs = in_order(chances)
    reached = at_least(pairs)
    shown = _without_rare_ends(pairs)
    step = max(1, ceil(len(shown) / MOST_BARS))
    groups = [shown[index : index + step] for index in range(0, len(shown), step)]
    shares = [sum(chance for _, chance in group) for group in groups]
    top = _round_up(max(shares))
    pitch = (RIGHT - LEFT) / len(groups)
    every = max(1, ceil(len(groups) / (16 if step == 1 else 8)))
    bars = tuple(
        _bar(group, share, index, pitch=pitch, top=top, labelled=index % every == 0)
        for index, (group, share) in enumerate(zip(groups, shares, strict=True))
    )
    mean = sum(value * chance for value, chance in pairs)
    first = shown[0][0]
    mean_x = LEFT + ((mean - first) / step + (0.5 if step == 1 else 0.5 / step)) * pitch
    mean_x = min(max(mean_x, LEFT), RIGHT)
    return DistributionChart(
        bars=bars,
        ticks=tuple(Tick(round(_y(top * part / 2, top), 1), top * part / 2) for part in range(3)),
        mean=mean,
        mean_x=round(mean_x, 1),
        mean_anchor="end" if mean_x > (LEFT + RIGHT) * 0.6 else "start",
        mean_lines=_around_figures(bars, mean_x),
        curve=_curve(groups, dict(zip((value for value, _ in pairs), reached, strict=True)), pitch),
        curve_ticks=tuple(Tick(round(_y(part / 4, 1.0), 1), part / 4) for part in range(5)),
        rows=tuple(Row(value, chance, share) for (value, chance), share in zip(pairs, reached, strict=True)),
        grouped=step,
    )


def _around_figures(bars: Sequence[Bar], x: float) -> tuple[tuple[float, float], ...]:
    """The line at the mean from top to bottom, in pieces: it does not cross the figure over a bar."""
    figures = [bar.caption_y for bar in bars if bar.caption_y is not None and abs(bar.middle - x) < FIGURE_WIDTH / 2]
    pieces, top = [], float(MEAN_TOP)
    for baseline in sorted(figures):
        if baseline - FIGURE_HEIGHT > top:
            pieces.append((round(top, 1), round(baseline - FIGURE_HEIGHT, 1)))
        top = max(top, baseline + 3)
    if top < BOTTOM:
        pieces.append((round(top, 1), float(BOTTOM)))
    return tuple(pieces)


def _without_rare_ends(pairs: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    start, end = 0, len(pairs)
    while end - start > 1 and pairs[end - 1][1] < NEGLIGIBLE:
        end -= 1
    while end - start > MOST_BARS and pairs[start][1] < NEGLIGIBLE:  # a short axis keeps its zero
        start += 1
    return pairs[start:end]


def _round_up(share: float) -> float:
    for top in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8):
        if share <= top:
            return top
    return 1.0


def _y(chance: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * chance / top


def _bar(
    group: Sequence[tuple[int, float]], share: float, index: int, *, pitch: float, top: float, labelled: bool
) -> Bar:
    first, last = group[0][0], group[-1][0]
    y = _y(share, top)
    width = min(pitch * 0.8, WIDEST_BAR)
    return Bar(
        label=str(first) if first == last else f"{first}–{last}",
        first=first,
        chance=share,
        x=round(LEFT + index * pitch + (pitch - width) / 2, 2),
        y=round(y, 2),
        width=round(width, 2),
        height=round(BOTTOM - y, 2),
        middle=round(LEFT + (index + 0.5) * pitch, 2),
        caption_y=round(y - 4, 2) if share >= 0.005 and pitch >= 22 else None,
        labelled=labelled,
    )


def _curve(groups: Sequence[Sequence[tuple[int, float]]], reached: Mapping[int, float], pitch: float) -> str:
    steps = []
    for index, group in enumerate(groups):
        y = round(_y(reached[group[0][0]], 1.0), 1)
        left = round(LEFT + index * pitch, 1)
        steps.append(f"{'M' if index == 0 else 'L'}{left} {y}H{round(left + pitch, 1)}")
    return "".join(steps)


def heat_step(value: float, most: float) -> int:
    """Which of the ten shades a figure has, 0 the palest; the largest figure of the map has the darkest."""
    if most <= 0 or value <= 0:
        return 0
    return min(HEAT_STEPS - 1, max(1, round(value / most * (HEAT_STEPS - 1))))
