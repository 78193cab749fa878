"""A published game, and a list of the owner's in it."""

from collections.abc import Callable

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.datafiles.models import PublishedSystem
from tests.armylists.conftest import Muster, heresy, muster

__all__ = ["heresy", "muster"]


@pytest.fixture
def viewer(owner: User) -> Viewer:
    """Whose list it is."""
    return Viewer(user=owner)


@pytest.fixture
def built(heresy: PublishedSystem, muster: Callable[..., Muster]) -> Muster:
    """The owner's list."""
    return muster()
