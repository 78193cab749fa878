"""Walks take a share that is always the same and holds both ends; what must hold before a change is taken sees all."""

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.breadth import VARIABLE, WHOLE, in_turn, is_whole, share, some

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asked for the whole."""
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody did."""
    monkeypatch.setenv(VARIABLE, WHOLE)


@pytest.mark.usefixtures("in_part")
@pytest.mark.parametrize(
    ("count", "of", "taken"),
    [
        (0, 3, []),
        (1, 3, [0]),
        (2, 3, [0, 1]),
        (3, 3, [0, 2]),
        (9, 3, [0, 3, 6, 8]),
        (10, 3, [0, 3, 6, 9]),
        (10, 100, [0, 9]),
        (4, 1, [0, 1, 2, 3]),
    ],
)
def test_a_share_holds_the_first_and_the_last(count: int, of: int, taken: list[int]) -> None:
    assert share(range(count), of=of) == taken


@given(count=st.integers(1, 200), of=st.integers(1, 20))
def test_a_share_is_the_same_each_time_and_no_gap_is_wider_than_asked(count: int, of: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(VARIABLE, raising=False)
        taken = share(range(count), of=of)
        assert taken == share(iter(range(count)), of=of)
        assert (taken[0], taken[-1]) == (0, count - 1)
        assert all(0 < after - before <= of for before, after in pairwise(taken))


@pytest.mark.usefixtures("in_part")
@pytest.mark.parametrize("of", [1, 2, 3, 4])
def test_so_many_places_after_each_other_ask_everything_once(of: int) -> None:
    asked = [one for number in range(of) for one in in_turn(number, "abcd", of=of)]
    assert sorted(asked) == ["a", "b", "c", "d"]
    assert in_turn(0, "abcd", of=of)[0] == "a"


@pytest.mark.usefixtures("in_part")
def test_of_made_up_cases_there_is_one_at_least() -> None:
    assert [some(count, of=6) for count in (1, 6, 7, 1500)] == [1, 1, 2, 250]


@pytest.mark.usefixtures("whole")
def test_the_whole_is_everything() -> None:
    assert some(1500, of=6) == 1500
    assert share(range(50), of=7) == list(range(50))
    assert in_turn(3, "abcd", of=2) == ["a", "b", "c", "d"]


def test_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "hole")
    with pytest.raises(ValueError, match="it is 'whole'"):
        is_whole()


def test_what_must_hold_before_a_change_is_taken_asks_for_the_whole(tmp_path: Path) -> None:
    """`.ci/run` with a `make` that only tells what it was called with."""
    for name, does in {
        "make": f'echo "{VARIABLE}=${VARIABLE} make $*"',
        "id": "echo 1000",
        "dirname": 'echo "${1%/*}"',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{does}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/bash", str(ROOT / ".ci" / "run")],
        env={"PATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{VARIABLE}={WHOLE} make --no-print-directory lint types test\n"


def test_properties_are_searched_as_widely_as_walks_go(request: pytest.FixtureRequest) -> None:
    """Without an order of its own (`--hypothesis-profile`) a run tries more examples where the whole is asked for."""
    asked = request.config.getoption("--hypothesis-profile")
    expected = asked or ("ci" if os.environ.get(VARIABLE) == WHOLE else "dev")
    assert hypothesis_settings.default.max_examples == hypothesis_settings.get_profile(expected).max_examples
