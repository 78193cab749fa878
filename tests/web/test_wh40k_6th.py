"""40k 6th edition on the pages: the allies table and its grid, alliances, a second chart, the warlord."""

import re

import pytest
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import queries
from armybuilder.reference.models import Alliance, Faction
from tests.armylists.conftest import Muster, shipped_game
from tests.armylists.test_verdicts_wh40k_6th import ALLIED, MARINES, ORKS, PRIMARY

GRID = "/admin/reference/alliance/matrix/wh40k-6th/"


@pytest.fixture
def game(db: None) -> PublishedSystem:
    """The game as it ships; the two armies are there to be chosen."""
    system = shipped_game("wh40k-6th")
    for key, catalogue_id in (("space-marines", MARINES), ("orks", ORKS)):
        Faction.objects.filter(system=system, key=key).update(catalogue_id=catalogue_id, release=system.current_release)
    return system


@pytest.fixture
def army(game: PublishedSystem, viewer: Viewer) -> Muster:
    """Space Marines with allied Orks, 1,999 points agreed."""
    made = services.create_army_list(viewer, system_id=game.pk, name="Truce", catalogue_id=MARINES, points_limit=1999)
    army = Muster(viewer, made)
    for name in ("captain", "tactical-squad", "tactical-squad"):
        army.unit(f"w40k-sm-{name}")
    force_id = army.detachment(ALLIED, ORKS)
    army.unit("w40k-orks-warboss", force_id=force_id)
    army.unit("w40k-orks-ork-boyz", force_id=force_id)
    return army


def page(client: Client, army: Muster, query: str = "") -> str:
    return client.get(f"/lists/{army.list_id}/{query}").content.decode()


def test_the_table_is_sixteen_by_sixteen_with_the_forbidden_pairs(client: Client, game: PublishedSystem) -> None:
    """39 forbidden pairs and 2 levels in both directions, and 16 armies that do not ally with themselves."""
    matrix = queries.alliance_matrix(game.pk)
    levels = [cell.level.key for _, row in matrix.rows for cell in row if cell.level is not None]
    assert len(matrix.factions) == 16
    assert (levels.count("come_the_apocalypse"), levels.count("battle_brothers"), len(levels)) == (39 * 2 + 16, 4, 98)
    assert matrix.unknown == 16 * 16 - 98
    text = client.get("/alliances/wh40k-6th/").content.decode()
    assert text.count('class="alliance-4"') == 94
    assert text.count('class="alliance-1"') == 4
    assert "158 pairs are not known yet" in text
    assert all(level.effects and level.effects_ru for level in matrix.levels)


def test_the_grid_of_this_game_is_filled_and_every_change_is_kept(
    as_administrator: Client, administrator: User, army: Muster, game: PublishedSystem
) -> None:
    assert [finding.rule for finding in army.report.findings] == ["W6L-12", "W6L-13"]
    text = as_administrator.get(GRID).content.decode()
    assert text.count("<select name=") == 256
    cells = re.findall(r'<select name="([^"]+)".*?</select>', text, re.DOTALL)
    assert "space-marines--orks" in cells
    form = {
        "space-marines--orks": "desperate_allies",
        "both_ways": "on",
        "source": "a book",
        "fingerprint": queries.alliance_matrix(game.pk).fingerprint,
    }
    assert as_administrator.post(GRID, form).status_code == 302
    kept = Alliance.objects.filter(system=game, level__key="desperate_allies")
    assert {(cell.from_faction.key, cell.to_faction.key, cell.source) for cell in kept} == {
        ("space-marines", "orks", "a book"),
        ("orks", "space-marines", "a book"),
    }
    assert all(cell.history.get().edited_by == administrator.username for cell in kept)
    assert [finding.rule for finding in army.report.findings] == ["W6L-13"]


def test_the_builder_says_the_level_what_it_means_or_that_it_is_unknown(as_owner: Client, army: Muster) -> None:
    assert "Alliance level not known" in page(as_owner, army)
    orks = Faction.objects.get(key="orks")
    marines = Faction.objects.get(key="space-marines")
    level = queries.alliance_levels("wh40k-6th").get(key="allies_of_convenience")
    Alliance.objects.create(system_id="wh40k-6th", from_faction=orks, to_faction=marines, level=level)
    text = page(as_owner, army)
    assert "Alliance level not known" not in text
    assert "Allies of Convenience." in text
    assert "share nothing" in text


@pytest.mark.parametrize(("limit", "offered"), [(1999, False), (2000, True)])
def test_a_second_chart_can_be_added_from_2000_points(
    as_owner: Client, army: Muster, limit: int, offered: bool
) -> None:
    army.edit(e.SetPointsLimit(points_limit=limit))
    text = page(as_owner, army, "?pane=detachments")
    assert (f'name="force_entry_id" value="{PRIMARY}"' in text) is offered
    assert f'name="force_entry_id" value="{ALLIED}"' not in text
    firsts = re.findall(r'<select [^>]*name="catalogue_id"><option value="([^"]+)"', text)
    assert set(firsts) == {MARINES}


def test_hq_of_the_primary_detachment_may_lead_and_have_no_traits(as_owner: Client, army: Muster) -> None:
    text = page(as_owner, army, "?pane=warlord")
    names = re.findall(r'role="radio".*?</span>([^<]+)</button>', text)
    assert names[0] == "Captain"
    first, others = text.split("Anybody else, where there is none of these")
    assert (first.count('id="b-warlord-'), others.count('id="b-other-')) == (1, 2)
    assert "Warboss" not in names
    assert 'id="trait-title"' not in text


def test_what_the_data_does_not_say_is_asked_for(as_owner: Client, army: Muster) -> None:
    text = page(as_owner, army, "?pane=settings")
    assert "doubled force organisation chart" in text.casefold()
    assert "army construction rules" in text.casefold()


def test_a_list_is_begun_without_an_allegiance(as_owner: Client, game: PublishedSystem) -> None:
    form = as_owner.get("/lists/new/?system=wh40k-6th").content.decode()
    assert 'name="allegiance"' not in form
    fields = {"system": game.pk, "faction": MARINES, "ally": ORKS, "points_limit": 2000, "chart": "standard"}
    answer = as_owner.post("/lists/new/", fields)
    assert answer.status_code == 302
    text = as_owner.get(answer.headers["Location"]).content.decode()
    assert text.count('class="detachment__head"') == 2
    assert "Alliance level not known" in text
