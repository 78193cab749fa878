"""What benchmarks print becomes the page of measured figures."""

import pytest

from bench.__main__ import table
from bench.row import cannot_run


def test_a_line_becomes_a_row() -> None:
    lines = ["check | 1 ms | must ≤ 2 ms | target ≤ 1 ms | must met", "page | not measured: wrk is not installed"]
    text = table(lines, day="2026-01-02")
    assert "| check | 1 ms | ≤ 2 ms | ≤ 1 ms | must met |" in text
    assert "| page | not measured: wrk is not installed |  |  |  |" in text


def test_why_a_row_was_not_measured_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    cannot_run("page", "answered with errors:\n  Latency\n  1.2s\n")
    (line,) = capsys.readouterr().out.splitlines()
    assert line == "page | not measured: answered with errors: Latency 1.2s"
    assert "| page | not measured: answered with errors: Latency 1.2s |  |  |  |" in table([line], day="2026-01-02")
