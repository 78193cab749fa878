"""Magic items as rows and lores as the rulebook prints them: seeded once, found, shown, and read over the API."""

from collections import Counter
from pathlib import Path

import pytest
from django.contrib.admin.sites import site
from django.test import Client, RequestFactory

from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.engine.systems.fantasy_8th.reference import magic_items
from armybuilder.reference import queries
from armybuilder.reference.admin import MagicItemAdmin
from armybuilder.reference.magic import load_magic_items, lores
from armybuilder.reference.models import MagicItem
from armybuilder.reference.shipped import load_shipped, read_shipped
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db

API = "/api/v1/systems/fantasy-8th/"


@pytest.fixture
def fantasy() -> PublishedSystem:
    """The game as it ships, with a release."""
    system = load_shipped(read_shipped(Path(ROOT) / "fixtures" / "fantasy-8th" / "reference.toml"))
    system.current_release = DataRelease.objects.create(system=system, number=1, content_hash="c" * 64)
    system.save()
    return system


def test_all_items_of_the_rules_text_are_seeded_once(fantasy: PublishedSystem) -> None:
    rows = {item.name: (item.name_ru, item.category, item.points) for item in MagicItem.objects.all()}
    assert rows == {item.en: (item.ru, item.category, item.points) for item in magic_items().values()}
    kinds = {"weapon": 19, "armour": 12, "talisman": 12, "banner": 10, "arcane": 14, "enchanted": 14}
    assert Counter(item.category for item in MagicItem.objects.all()) == kinds
    MagicItem.objects.filter(key="war-banner").update(points=40)
    load_magic_items(fantasy)
    assert MagicItem.objects.count() == 81
    assert MagicItem.objects.get(key="war-banner").points == 40


def test_a_game_without_magic_items_gets_none() -> None:
    system = PublishedSystem.objects.create(id="horus-heresy", name="Heresy", rule_pack="horus-heresy")
    load_magic_items(system)
    assert not MagicItem.objects.exists()
    assert lores(system) == {}


@pytest.mark.parametrize(
    ("text", "category", "found"),
    [
        ("war banner", None, ["War Banner"]),
        ("БОЕВОЕ знамя", None, ["War Banner"]),
        ("ночлег", None, []),
        ("shield", "arcane", ["Scroll of Shielding"]),
        ("monstrous", None, ["Arabyan Carpet"]),
    ],
)
def test_items_are_found_by_words_of_both_languages(
    fantasy: PublishedSystem, text: str, category: str | None, found: list[str]
) -> None:
    assert [item.name for item in queries.magic_items("fantasy-8th", category=category, text=text)] == found


def test_an_edited_item_is_found_by_its_new_name(fantasy: PublishedSystem) -> None:
    item = MagicItem.objects.get(key="luckstone")
    item.name_ru = "Камушек"
    MagicItemAdmin(MagicItem, site).save_model(RequestFactory().post("/"), item, form=None, change=True)
    assert list(queries.magic_items("fantasy-8th", text="камушек")) == [item]


def test_the_api_lists_items_and_lores(fantasy: PublishedSystem) -> None:
    client = Client()
    items = client.get(f"{API}magic-items/").json()
    assert len(items) == 81
    assert items[0] == {
        "key": "giant-blade",
        "name": {"en": "Giant Blade", "ru": "Клинок гиганта"},
        "category": "weapon",
        "points": 60,
        "one_use": False,
        "bearers": {"en": "characters", "ru": "персонажи"},
        "source": "L2153",
    }
    cheap = client.get(f"{API}magic-items/?category=banner&max_points=5").json()
    assert [item["name"]["en"] for item in cheap] == ["Gleaming Pennant", "Scarecrow Banner"]
    assert client.get(f"{API}magic-items/?category=hats").status_code == 400
    found = client.get(f"{API}lores/").json()
    assert [lore["key"] for lore in found] == list(lores(fantasy))
    assert [spell["number"] for spell in found[0]["spells"]] == list(range(7))


def test_pages(fantasy: PublishedSystem) -> None:
    client = Client()
    page = client.get("/systems/fantasy-8th/").content.decode()
    assert "/systems/fantasy-8th/magic-items/" in page
    assert "/systems/fantasy-8th/lores/" in page
    assert "Allegiance" not in page
    listed = client.get("/systems/fantasy-8th/magic-items/?kind=banner&q=war").content.decode()
    assert "War Banner" in listed
    assert "Razor Standard" not in listed
    part = client.get("/systems/fantasy-8th/magic-items/?q=nothing+like+it", headers={"HX-Request": "true"})
    assert "No magic item fits" in part.content.decode()
    assert "<h1>" not in part.content.decode()
    assert "Fireball" in client.get("/systems/fantasy-8th/lores/").content.decode()


def test_a_game_without_magic_has_no_such_pages(db: None) -> None:
    system = PublishedSystem.objects.create(id="horus-heresy", name="Heresy", rule_pack="horus-heresy")
    system.current_release = DataRelease.objects.create(system=system, number=1, content_hash="d" * 64)
    system.save()
    for part in ("magic-items", "lores"):
        assert Client().get(f"/systems/horus-heresy/{part}/").status_code == 404
        assert Client().get(f"/api/v1/systems/horus-heresy/{part}/").json() == []
