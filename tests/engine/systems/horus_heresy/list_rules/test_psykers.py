"""HH-57 and HH-58 on their boundaries: psykers and disciplines."""

import pytest

from tests.engine.systems.horus_heresy.builders import EXTRA, Json, found_on, make_army, make_unit

PSYKER = ["character", "psyker"]
GROUPS = [{"name": "Librarian", "count": 1, "subtypes": ["Psyker"]}, {"name": "Veteran", "count": 4}]


@pytest.mark.parametrize(
    ("case", "facts", "at", "fires"),
    [
        ("a Psyker", {"subtypes": PSYKER, "psychic_disciplines": ["Telepathy"]}, "", False),
        ("a discipline", {"psychic_disciplines": ["Telepathy"]}, "/psychic_disciplines/0", True),
        ("a power", {"psychic_powers": ["Hallucination"]}, "/psychic_powers/0", True),
        ("a Psyker in the squad", {"models": GROUPS, "psychic_disciplines": ["Telepathy"]}, "", False),
    ],
)
def test_hh_57(case: str, facts: Json, at: str, fires: bool) -> None:
    assert found_on(make_army(make_unit(**facts))) == ([("HH-57", f"{EXTRA}{at}")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("with a discipline", {"subtypes": PSYKER, "psychic_disciplines": ["Telepathy"]}, False),
        ("without", {"subtypes": PSYKER}, True),
        ("with a power only", {"subtypes": PSYKER, "psychic_powers": ["Hallucination"]}, True),
        ("in a squad", {"models": GROUPS}, True),
        ("no Psyker", {}, False),
    ],
)
def test_hh_58(case: str, facts: Json, fires: bool) -> None:
    found = found_on(make_army(make_unit(**facts)))
    assert found == ([("HH-58", f"{EXTRA}/psychic_disciplines")] if fires else []), case
