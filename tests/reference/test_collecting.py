"""Cycles among what is made are freed now and then, once there is enough of them."""

import gc
import weakref

import pytest

from armybuilder.reference.collecting import WORTH, collect_young, collecting_later


class Knot:
    """Holds itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(("made", "is_freed"), [(0, False), (WORTH, True)])
def test_what_is_made_is_looked_through_once_there_is_enough(made: int, is_freed: bool) -> None:
    gc.collect()
    with collecting_later():
        knot = weakref.ref(Knot())
        _stay = [[] for _ in range(made)]
        collect_young()
        assert (knot() is None) is is_freed
