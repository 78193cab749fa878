"""The circumstances on a form: what is always asked for, and special cases that fold away until they are used."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from armybuilder.engine.systems.game import LIST_RULES, has_matchups, matchup_rules_of
from armybuilder.web.forms.conditions import ConditionsForm

GAMES = [system for system in LIST_RULES if has_matchups(system)]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Titles are compared as an English reader sees them."""
    with translation.override("en"):
        yield


def form(system: str, data: dict[str, str] | None = None) -> ConditionsForm:
    made = ConditionsForm(data)
    made.ask(system)
    return made


@pytest.mark.parametrize("system", GAMES)
def test_every_circumstance_stands_in_one_group(system: str) -> None:
    first, *special = form(system).groups
    shown = [field.name for group in (first, *special) for field in (*group.values, *group.switches)]
    assert sorted(shown) == sorted(matchup_rules_of(system).conditions.__struct_fields__)
    assert "distance" in [field.name for field in first.values]
    assert special and not any(group.is_open for group in special)


def test_a_special_case_that_is_used_or_wrong_stands_open() -> None:
    plain = {"distance": "12", "facing": "front"}
    used = form("horus-heresy", plain | {"models_covered": "3"}).groups
    assert [group.is_open for group in used if group.title == "Special cases of shooting"] == [True]
    wrong = form("horus-heresy", plain | {"models_covered": "many"})
    assert not wrong.is_valid()
    assert [group.is_open for group in wrong.groups if group.title == "Special cases of shooting"] == [True]
    assert [group.is_open for group in form("horus-heresy", plain).groups if group.title == "Reactions and turns"] == [
        False
    ]
