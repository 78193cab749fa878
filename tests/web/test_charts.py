"""The geometry and the words of charts."""

from math import comb

import pytest

from armybuilder.web.charts.distributions import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MOST_BARS,
    RIGHT,
    TOP,
    at_least,
    describe,
    distribution_chart,
    heat_step,
    in_order,
    mean_of,
)
from armybuilder.web.charts.heat_maps import LONGEST_NAME, short
from armybuilder.web.charts.pictures import fitted, heading, png_of


def binomial(n: int, p: float) -> dict[str, float]:
    return {str(k): comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}


def test_values_stand_in_order_and_gaps_are_filled() -> None:
    assert in_order({"3": 0.25, "0": 0.75}) == ((0, 0.75), (1, 0.0), (2, 0.0), (3, 0.25))
    assert in_order({}) == ((0, 1.0),)


def test_at_least_adds_up_from_the_top() -> None:
    assert at_least(((0, 0.5), (1, 0.25), (2, 0.25))) == (1.0, 0.5, 0.25)


def test_mean() -> None:
    assert mean_of({"0": 0.5, "4": 0.5}) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("case", "chances", "of_ten", "reached"),
    [
        ("certain", {"0": 0.0, "3": 1.0}, 10, 3),
        ("seven of ten at least four", {"1": 0.3, "4": 0.3, "5": 0.4}, 7, 4),
        ("exactly half counts", {"0": 0.5, "2": 0.5}, 5, 2),
        ("just below half speaks of one", {"0": 0.51, "2": 0.49}, 5, 1),
        ("hardly ever", {"0": 0.96, "1": 0.04}, 0, 1),
        ("never", {"0": 1.0}, 0, 1),
    ],
)
def test_words_name_the_largest_value_reached_in_half_of_all_fights(
    case: str, chances: dict[str, float], of_ten: int, reached: int
) -> None:
    words = describe(chances)
    assert (words.of_ten, words.at_least) == (of_ten, reached), case


def test_the_typical_run_is_the_shortest_that_holds_eight_of_ten() -> None:
    words = describe({"0": 0.05, "1": 0.4, "2": 0.4, "3": 0.1, "4": 0.05})
    assert (words.typical_low, words.typical_high) == (1, 2)


def test_bars_stay_inside_the_drawing_and_keep_their_proportions() -> None:
    chart = distribution_chart(binomial(10, 0.5))
    assert len(chart.bars) == 11
    assert all(bar.x >= LEFT and bar.x + bar.width <= RIGHT for bar in chart.bars)
    assert all(bar.y >= TOP and bar.y + bar.height == pytest.approx(BOTTOM, abs=0.02) for bar in chart.bars)
    tallest = max(chart.bars, key=lambda bar: bar.height)
    assert tallest.label == "5"
    assert chart.bars[4].height / tallest.height == pytest.approx(210 / 252, abs=0.01)
    assert chart.mean == pytest.approx(5.0)
    assert chart.mean_x == pytest.approx(tallest.middle, abs=0.1)
    assert BOTTOM < HEIGHT


def test_many_values_are_grouped_and_nothing_is_lost() -> None:
    chart = distribution_chart({str(n): 1 / 100 for n in range(100)})
    assert len(chart.bars) <= MOST_BARS
    assert chart.grouped == 5
    assert chart.bars[0].label == "0–4"
    assert sum(bar.chance for bar in chart.bars) == pytest.approx(1.0)
    assert len(chart.rows) == 100
    assert chart.rows[99].at_least == pytest.approx(0.01)


def test_the_table_keeps_what_is_too_rare_to_draw() -> None:
    chart = distribution_chart({"0": 0.9999, "1": 0.0001})
    assert [bar.label for bar in chart.bars] == ["0"]
    assert [row.value for row in chart.rows] == [0, 1]


@pytest.mark.parametrize(
    ("value", "most", "step"), [(0.0, 8.0, 0), (8.0, 8.0, 9), (4.0, 8.0, 4), (0.01, 8.0, 1), (1.0, 0.0, 0)]
)
def test_shades_of_the_heat_map(value: float, most: float, step: int) -> None:
    assert heat_step(value, most) == step


@pytest.mark.parametrize(
    ("case", "chances"),
    [
        ("the mean on a bar with a figure", {"0": 0.25, "1": 0.5, "2": 0.25}),
        ("between two bars", {"0": 0.5, "1": 0.5}),
        ("many narrow bars", {str(n): 1 / 20 for n in range(20)}),
    ],
)
def test_the_line_at_the_mean_leaves_out_figures(case: str, chances: dict[str, float]) -> None:
    chart = distribution_chart(chances)
    near = [bar.caption_y for bar in chart.bars if bar.caption_y is not None and abs(bar.middle - chart.mean_x) < 17]
    assert chart.mean_lines[0][0] < TOP and chart.mean_lines[-1][1] == BOTTOM, case
    assert all(top < bottom for top, bottom in chart.mean_lines)
    for baseline in near:
        assert all(bottom <= baseline - 12 or top >= baseline for top, bottom in chart.mean_lines), case
    assert (len(chart.mean_lines) == 1) is (not near)


def test_a_long_title_takes_more_lines_and_the_picture_grows() -> None:
    short, long = (
        heading("Squad: shooting at Tank"),
        heading("Heavy Tanks: shooting at " + "Assault Squad " * 4),
    )
    assert (len(short.lines), len(long.lines)) == (1, 2)
    assert (short.top + short.height, long.top + long.height) == (220, 220)
    assert max(len(line) for _y, line in long.lines) <= 50 and long.top < long.lines[0][0] < long.lines[1][0] < 0


def test_a_title_of_one_line_stays_in_the_drawing() -> None:
    """Of two lists with long names the second was cut off by the edge of the picture."""
    assert fitted("Mine – Theirs", 640) == "Mine – Theirs"
    title = fitted(f"{'A long name of a list ' * 4}– {'Another one ' * 8}", 640)
    mine, theirs = title.split(" – ")
    assert mine.startswith("A long name") and theirs.startswith("Another") and len(title) <= 77
    assert len(fitted(" – ".join(["Mine"] * 50), 300)) <= 34


def test_a_shortened_name_keeps_the_number_of_a_twin() -> None:
    names = [short(f"Veletaris Storm Section of the Cohort{end}") for end in (" 1", " 2", "")]
    assert len(set(names)) == 3 and names[1].endswith("… 2") and names[2].endswith("…")
    assert all(len(name) <= LONGEST_NAME for name in names) and short("Rhino 1") == "Rhino 1"


@pytest.mark.parametrize("weight", [400, 600])
@pytest.mark.parametrize("letter", list("AzЖёЁЯя09%–—−×±½…«»“”’№"))
def test_a_picture_has_its_letters(letter: str, weight: int) -> None:
    """Fonts that moved left every PNG without a word, as nothing that is not found is drawn."""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        '<style>text {{ font-family: "Source Sans 3"; font-size: 30px }}</style>'
        '<text x="5" y="30" font-weight="{weight}">{letter}</text></svg>'
    )
    empty, unknown, known = (png_of(drawn.format(letter=one, weight=weight)) for one in (" ", "\ue000", letter))
    assert known not in (empty, unknown)
