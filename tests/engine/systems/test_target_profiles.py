"""Yardsticks and forms as they stand in a `target_profiles.toml`."""

from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.target_profiles import TargetField, read_targets

ROWS = """
names = ["/name"]

[[standard]]
key = "men"
name = { en = "Men", ru = "Люди" }
points = 10
side = { name = "Men", count = 3 }

[[groups]]
name = { en = "The unit", ru = "Отряд" }
fields = [{ at = "/count", en = "Models", ru = "Моделей", default = "5" }]
"""


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    count: int


def test_yardsticks_are_sides_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "target_profiles.toml"
    path.write_text(ROWS, encoding="utf-8")
    book = read_targets(path, Band)
    assert [one.side for one in book.standard] == [Band("Men", 3)]
    label, group = Text("Models", "Моделей"), Text("The unit", "Отряд")
    assert book.fields == (TargetField(pointer="/count", label=label, group=group, default="5"),)


@pytest.mark.parametrize(
    ("old", "new"), [("count = 3", "number = 3"), ("points = 10", "price = 10"), ("ru = ", "rus = ")]
)
def test_a_row_that_is_none_is_refused(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "target_profiles.toml"
    path.write_text(ROWS.replace(old, new), encoding="utf-8")
    with pytest.raises(msgspec.ValidationError):
        read_targets(path, Band)
