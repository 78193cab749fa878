"""What the doors ask of the reference: filters, search, order, and a fixed number of queries."""

from uuid import uuid4

import pytest
from django.utils.translation import override

from armybuilder.accounts.errors import NotFound
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing, queries
from armybuilder.reference.models import BattlefieldRole
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, entry, release


@pytest.fixture
def published(game: PublishedSystem) -> PublishedSystem:
    """The invented game with its first release."""
    publishing.publish(game, release(), origin="a test")
    return game


def test_a_system_without_a_release_is_not_offered(game: PublishedSystem) -> None:
    assert not queries.systems().exists()
    with pytest.raises(NotFound):
        queries.system("invented")
    publishing.publish(game, release(), origin="a test")
    assert [system.pk for system in queries.systems()] == ["invented"]


@pytest.mark.parametrize(
    ("case", "filters", "names"),
    [
        ("everything", {}, ["Captain", "Line Squad", "Line Squad"]),
        ("one faction", {"faction": "blue"}, ["Line Squad"]),
        ("an unknown faction", {"faction": "green"}, []),
        ("one role", {"role": "hq"}, ["Captain"]),
        ("at least the price", {"minimum_points": 120}, ["Captain"]),
        ("one point more", {"minimum_points": 121}, []),
        ("at most the price", {"maximum_points": 70}, ["Line Squad", "Line Squad"]),
        ("one point less", {"maximum_points": 69}, []),
        ("an English word in capitals", {"text": "CAPTAIN"}, ["Captain"]),
        ("a Russian word in capitals", {"text": "КАПИТАН"}, ["Captain"]),
        ("a special rule, in Russian", {"text": "бесстрашие"}, ["Captain", "Line Squad", "Line Squad"]),
        ("two words, both needed", {"text": "line hq"}, []),
        ("a sign is no word", {"text": "%"}, ["Captain", "Line Squad", "Line Squad"]),
        ("a slip of the finger", {"text": "captian"}, ["Captain"]),
    ],
)
def test_units_are_filtered(published: PublishedSystem, case: str, filters: dict, names: list[str]) -> None:
    assert [unit.name for unit in queries.units("invented", **filters)] == names, case


def test_units_of_another_system_stay_out(published: PublishedSystem) -> None:
    assert not queries.units("other").exists()
    assert queries.units().count() == 3


def test_lists_cost_the_same_whatever_their_length(published: PublishedSystem, django_assert_num_queries) -> None:
    many = [entry(f"u{number}", f"Squad {number}", category="troops", points=number) for number in range(30)]
    publishing.publish(published, release(catalogue("red", "Red Host", *many), revision=2), origin="a test")
    with django_assert_num_queries(1):
        shown = [(u.label, u.faction.label, u.faction.system.label, u.role and u.role.label) for u in queries.units()]
    assert len(shown) == 30
    with django_assert_num_queries(1):
        assert [(f.label, f.for_alliances.label, f.unit_count) for f in queries.factions("invented")]
    with django_assert_num_queries(1):
        assert [f.system.label for f in queries.fortifications()] == ["Invented Game"]
    with django_assert_num_queries(1):
        assert [s.current_release and s.current_release.number for s in queries.systems()] == [2]


def test_units_come_in_the_order_of_the_chart(game: PublishedSystem) -> None:
    for position, key in enumerate(("troops", "hq")):
        BattlefieldRole.objects.create(system=game, key=key, name=key, position=position)
    publishing.publish(game, release(catalogue("red", "Red Host", CAPTAIN, SQUAD)), origin="a test")
    assert [unit.name for unit in queries.units()] == ["Line Squad", "Captain"]


def test_one_unit_and_one_faction_by_id_and_key(published: PublishedSystem) -> None:
    captain = queries.units(text="captain").get()
    assert queries.unit(captain.pk) == captain
    assert queries.faction("invented", "old").catalogue_id == ""
    for ask in (lambda: queries.unit(uuid4()), lambda: queries.faction("invented", "green")):
        with pytest.raises(NotFound):
            ask()


def test_names_follow_the_language_of_the_reader(published: PublishedSystem) -> None:
    captain = queries.units(text="captain").get()
    in_russian = ("Капитан", "Красное войско", "Командные войска")
    for language, expected in (("en", ("Captain", "Red Host", "HQ")), ("ru", in_russian)):
        with override(language):
            assert (captain.label, captain.faction.label, captain.role.label) == expected
