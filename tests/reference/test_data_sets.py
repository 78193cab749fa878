"""Several data sets of one game: imported data joins the game, whose tables hold for all of them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.known_games import join_game
from armybuilder.datafiles.models import SHIPPED_ORIGIN, PublishedSystem
from armybuilder.reference import publishing, queries
from armybuilder.reference.game_tables import complete_data_sets
from armybuilder.reference.models import BattlefieldRole, Faction
from armybuilder.reference.services import record_alliances
from armybuilder.reference.shipped import (
    AllianceFacts,
    FactionFacts,
    LevelFacts,
    RoleFacts,
    Shipped,
    SystemFacts,
    load_shipped,
)
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, game_system, release

pytestmark = pytest.mark.django_db


@pytest.fixture
def community(game: PublishedSystem) -> PublishedSystem:
    """The invented game with samples of the site, and data of the community beside them."""
    publishing.publish(game, release(), origin=SHIPPED_ORIGIN)
    Faction.objects.filter(system=game, key="blue").update(fixed_allegiance="loyalist", legion=True)
    BattlefieldRole.objects.filter(system=game, key="hq").update(name_ru="Штаб")
    found = join_game(PublishedSystem(pk="invented-2026", name="(HH V2) Invented v7"), game.pk)
    found.save()
    system = IncomingFile("other.gst", game_system().content.replace(b'id="game"', b'id="community"'))
    army = catalogue("theirs", "LA - Red Host:", CAPTAIN, SQUAD, game="community")
    publishing.publish(found, (system, army), origin="a repository")
    return found


def test_imported_data_joins_the_game_under_its_name(community: PublishedSystem, game: PublishedSystem) -> None:
    assert (community.game, community.name, community.home_id) == (game, game.name, game.pk)
    found = queries.games()
    assert [(row.home.pk, [data_set.pk for data_set in row.data_sets]) for row in found] == [
        (game.pk, [community.pk, game.pk])
    ]
    assert found[0].usual == community


def test_tables_of_the_game_hold_for_each_data_set(
    community: PublishedSystem, game: PublishedSystem, factions: dict[str, Faction]
) -> None:
    record_alliances(game.pk, {(factions["red"], factions["blue"]): "by_command"}, source="a page", by=None)
    assert queries.alliance_matrix(community.pk).system == game
    assert queries.alliance_levels(community.pk).count() == queries.alliance_levels(game.pk).count() == 2
    assert queries.recorded_levels(community.home_id) == {("Red Host", "Blue Host"): "by_command"}
    assert queries.has_alliances(community)


def test_factions_and_roles_take_over_what_the_game_says(community: PublishedSystem, game: PublishedSystem) -> None:
    home = Faction.objects.get(system=game, key="red")
    joined = Faction.objects.get(system=community, name="Red Host")
    assert (joined.name_ru, joined.belongs_to) == (home.name_ru, home)
    assert BattlefieldRole.objects.get(system=community, key="hq").name_ru == "Штаб"


def test_a_data_set_that_was_there_before_the_tables_is_completed(
    community: PublishedSystem, game: PublishedSystem
) -> None:
    Faction.objects.filter(system=community).update(name_ru="", belongs_to=None)
    Faction.objects.filter(system=game, key="red").update(fixed_allegiance="traitor")
    complete_data_sets(game)
    joined = Faction.objects.get(system=community, name="Red Host")
    assert (joined.name_ru, joined.fixed_allegiance) == ("Красное войско", "traitor")


def test_a_player_chooses_a_game_and_then_a_data_set(community: PublishedSystem, game: PublishedSystem) -> None:
    page = Client().get(reverse("web:list-new")).content.decode()
    assert page.count('class="tile"') == 0  # there is one game only
    first, second = page.index(f'?system={community.pk}#choices"'), page.index(f'?system={game.pk}#choices"')
    assert first < second
    assert f'name="system" value="{community.pk}"' in page
    assert "Samples of this site" in page
    chosen = Client().get(reverse("web:list-new"), {"system": game.pk}).content.decode()
    assert f'name="system" value="{game.pk}"' in chosen


def test_a_game_with_two_data_sets_stands_once_wherever_a_game_is_chosen(
    community: PublishedSystem, game: PublishedSystem, client: Client, django_user_model: type[User]
) -> None:
    PublishedSystem.objects.update(rule_pack="horus-heresy")
    client.force_login(django_user_model.objects.create_user("organiser"))
    assert 'class="chip"' not in client.get(reverse("web:matchup-new")).content.decode()  # there is one game only
    assert client.get(reverse("web:targets")).content.decode().count(f"{reverse('web:target-new')}?system=") == 1
    page = client.get(reverse("web:event-new")).content.decode()
    assert f'<optgroup label="{game.name}">' in page
    assert re.findall(r'<option value="[^"]*invented[^"]*">([^<]*)<', page) == [
        "Invented Game",
        f"{game.name} – Samples of this site",  # a field that is closed shows no heading
    ]


@pytest.mark.parametrize(("name", "expected"), [("Invented Game", "Выдумка"), ("Ours", "")])
def test_a_game_of_other_data_gets_its_russian_name_unless_it_was_given_one(
    game: PublishedSystem, name: str, expected: str
) -> None:
    """Its data was imported before what ships with the site was loaded."""
    published = publishing.publish(game, release(), origin="a test").release
    assert published.name == "Invented Game"
    PublishedSystem.objects.filter(pk=game.pk).update(name=name, name_ru="")
    load_shipped(Shipped(system=SystemFacts(id=game.pk, name="Invention", name_ru="Выдумка", rule_pack="")))
    assert PublishedSystem.objects.get(pk=game.pk).name_ru == expected


def test_what_was_imported_before_what_ships_is_completed_once(game: PublishedSystem) -> None:
    """Its factions were no Legions and stood in no matrix, though the site ships with all of that."""
    publishing.publish(game, release(), origin="a test")
    PublishedSystem.objects.filter(pk=game.pk).update(name="Invented Game", name_ru="")
    BattlefieldRole.objects.update(name_ru="")
    Faction.objects.update(name_ru="", matrix_position=None)
    imported = Faction.objects.get(system=game, name="Blue Host")
    facts = Shipped(
        system=SystemFacts(id=game.pk, name="Invention", name_ru="Выдумка", rule_pack="", position=3),
        roles=(RoleFacts("troops", "Troops", "Войска"), RoleFacts("hq", "HQ", "Штаб")),
        factions=(
            FactionFacts("people", "People", "Народ", matrix=1),
            FactionFacts("azure", imported.name.upper(), "Лазурные", matrix=2, legion=True, belongs_to="people"),
        ),
        alliance_levels=(LevelFacts("friends", "Friends"),),
        alliances=(AllianceFacts("azure", "people", "friends", "a book"),),
    )
    for _ in range(2):
        load_shipped(facts)
        imported.refresh_from_db()
        assert (imported.legion, imported.matrix_position, imported.name_ru) == (True, 2, "Лазурные")
        assert imported.for_alliances.key == "people"
        assert PublishedSystem.objects.get(pk=game.pk).position == 3, "it would be offered behind all other games"
        assert Faction.objects.filter(system=game, name__iexact=imported.name).count() == 1
        assert [role.name_ru for role in BattlefieldRole.objects.filter(system=game)][:2] == ["Войска", "Штаб"]
    Faction.objects.filter(pk=imported.pk).update(legion=False)
    load_shipped(facts)
    assert not Faction.objects.get(pk=imported.pk).legion, "an administrator has said so since"


@pytest.mark.parametrize(("language", "shown"), [("en", "Invented Game"), ("ru", "Выдумка – Invented Game")])
def test_units_are_looked_for_in_a_game_by_its_own_name(
    community: PublishedSystem, game: PublishedSystem, client: Client, language: str, shown: str
) -> None:
    PublishedSystem.objects.update(name_ru="Выдумка")
    page = client.get(reverse("web:units"), headers={"accept-language": language}).content.decode()
    found = dict(re.findall(r'<option value="([^"]*invented[^"]*)"[^>]*>([^<]*)<', page))
    assert found[community.pk] == shown


@pytest.mark.parametrize(("limit", "over"), [("", False), ("5", True)])
def test_a_list_begun_without_a_points_limit_has_none_whatever_its_data_begins_with(
    client: Client, owner: User, game: PublishedSystem, limit: str, *, over: bool
) -> None:
    """Epic, Age of Sigmar and the old files of 40k begin with 0."""
    system, *others = release()
    limited = system.content.replace(b'defaultCostLimit="-1"', b'defaultCostLimit="0"')
    publishing.publish(game, (IncomingFile(system.name, limited), *others), origin="a test")
    client.force_login(owner)
    client.post(reverse("web:list-new"), {"system": game.pk, "faction": "red", "points_limit": limit})
    made = ArmyList.objects.get()
    force = services.check_army_list(made).state.forces[0]
    taken = e.AddUnit(force_id=force.id, entry_id="captain")
    services.apply_edit(Viewer(user=owner), made.pk, taken, expected_revision=made.revision)
    page = client.get(reverse("web:list", args=[made.pk])).content.decode()
    assert "Captain" in page
    assert ("the limit is" in page) is over
