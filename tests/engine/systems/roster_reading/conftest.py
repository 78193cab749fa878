"""Where the community's data lies."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    return shared / "battlescribe" / "data"
