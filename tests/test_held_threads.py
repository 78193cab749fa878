"""Long answers of every kind together leave threads to all the others."""

from contextlib import ExitStack

import pytest

from api import progress_events, simulations
from armybuilder.armylists import repairs
from armybuilder.armylists.errors import PressBusy
from armybuilder.armylists.exports.press import PRESS
from armybuilder.held_threads import ALL, HeldThreads


def test_some_of_each_kind_are_not_all_threads() -> None:
    """Four waited for simulations, two followed them, and two of three papers were the whole process."""
    free = ALL.free
    assert free == 6  # of eight
    with ExitStack() as held:
        taken = sum(
            held.enter_context(kind.one())
            for kind in (simulations._WAITING, progress_events._places, repairs.PLACES)
            for _ in range(8)
        )
        assert taken == free
        with pytest.raises(PressBusy), PRESS.turn():
            pass
    assert ALL.free == free
    with PRESS.turn():
        assert ALL.free == free - 1
    assert ALL.free == free


def test_a_place_that_was_not_had_is_not_given_back() -> None:
    one = HeldThreads(1)
    with one.one() as first, one.one() as second:
        assert (first, second) == (True, False)
    assert one.free == 1
