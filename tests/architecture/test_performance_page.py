"""What benchmarks print becomes the page of measured figures."""

from bench.__main__ import table


def test_a_line_becomes_a_row() -> None:
    lines = ["check | 1 ms | must ≤ 2 ms | target ≤ 1 ms | must met", "page | not measured: wrk is not installed"]
    text = table(lines, day="2026-01-02")
    assert "| check | 1 ms | ≤ 2 ms | ≤ 1 ms | must met |" in text
    assert "| page | not measured: wrk is not installed |  |  |  |" in text
