"""A run that is shared out among several processes: what is kept together, and what comes first."""

import os

import pytest

SEEN: list[str] = []


@pytest.fixture(autouse=True)
def _is_shared_out(request: pytest.FixtureRequest) -> None:
    if not hasattr(request.config, "workerinput"):
        pytest.skip("this run is not shared out: -n 2 --dist loadfile")


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_a_file_is_kept_together(turn: int) -> None:
    SEEN.append(os.environ["PYTEST_XDIST_WORKER"])
    assert len(SEEN) == turn, "what a file shares is made in several processes"


def test_browsers_come_before_quick_tests(request: pytest.FixtureRequest) -> None:
    quick = request.session.items.index(request.node)
    assert all("chromium" not in getattr(item, "fixturenames", ()) for item in request.session.items[quick:])
