"""The README's map is true: every path it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_path_of_the_map_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.split("## Where each concern lives")[1].split("##")[0]
    paths = re.findall(r"`([^`]+)`", table)
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_linked_file_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
