"""The law of smaller armies on lists of the community's data: who leaves a unit at home wins no more often."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.game import battle_rules_of, roster_reader_of
from tests.armylists.named_lists import Clerk, lists_of, published
from tests.armylists.test_named_lists import DATA
from tests.armylists.units_alone import library_in

pytestmark = [pytest.mark.shared, pytest.mark.long, pytest.mark.django_db]

TRIALS = 1_000
NOISE = 0.06
"""Three standard errors of the difference of two chances."""

Army = tuple[Any, ...]


@pytest.fixture
def fighters_of(shared: Path, viewer: Viewer):  # type: ignore[no-untyped-def]
    """The units of a kept list as they fight."""

    def muster(game: str, name: str) -> Army:
        wanted = next(one for one in lists_of(game) if one.name == name)
        library = library_in(shared / "battlescribe" / "data" / (wanted.data or DATA[game]), wanted.files or None)
        reader = roster_reader_of(game)
        assert reader is not None and reader.fighters is not None
        with transaction.atomic():
            army = Clerk(viewer, published(game, library), library, wanted)
            found = tuple(reader.fighters(army.report.state))
            transaction.set_rollback(True)
        return found

    return muster


def battle(game: str, army: Sequence[Any], enemy: Sequence[Any]) -> Any:
    rules = battle_rules_of(game)
    assert rules is not None
    return prepared(rules, army, enemy)


def chance_to_win(game: str, army: Sequence[Any], enemy: Sequence[Any]) -> float:
    plans = Plans(battle(game, army, enemy).battle)
    return float(play.fought(plans, trials=TRIALS, seed=7).outcomes[0] / TRIALS)


@pytest.mark.parametrize(
    ("game", "name", "enemy", "spared"),
    [
        (
            "fantasy-8th",
            "High Elves, a prince on a griffon",
            "Warriors of Chaos, a lord on a Manticore",
            "Frostheart Phoenix",
        ),
        (
            "horus-heresy",
            "Imperial Fists, the Stone Gauntlet",
            "Sons of Horus, the Black Reaving",
            "Land Raider Phobos Squadron",
        ),
    ],
)
def test_a_unit_less_wins_no_more(fighters_of, game: str, name: str, enemy: str, spared: str) -> None:  # type: ignore[no-untyped-def]
    army, against = fighters_of(game, name), fighters_of(game, enemy)
    smaller = [fighter for fighter in army if fighter.name != spared]
    assert len(smaller) < len(army)
    assert chance_to_win(game, smaller, against) <= chance_to_win(game, army, against) + NOISE


def test_the_page_says_that_a_lord_on_a_monster_may_cost_more_than_he_brings(fighters_of) -> None:  # type: ignore[no-untyped-def]
    army = fighters_of("fantasy-8th", "Warriors of Chaos, a lord on a Manticore")
    enemy = fighters_of("fantasy-8th", "High Elves, a prince on a griffon")
    told = [one.how for one in battle("fantasy-8th", army, enemy).notes.approximated]
    assert any("a lord on a monster can cost more than he brings" in how.en for how in told)
    assert any("может стоить больше, чем приносит" in how.ru for how in told)
