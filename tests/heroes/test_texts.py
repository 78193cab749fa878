"""Every text of a hero is read back: the same document and verdict, in both languages, typed by hand too."""

import time
from collections.abc import Callable

import msgspec
import pytest
from django.utils import translation

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.files import import_file, recognised
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes.documents import parse_hero, read_hero
from armybuilder.heroes.services import create_hero
from armybuilder.heroes.text_reading import hero_in_text
from tests.heroes.hero import CAPTAIN, HeroInHand, hero_viewer, new_hero, relic
from tests.heroes.test_ten_heroes import HEROES, follow

__all__ = ["hero_viewer", "new_hero", "relic"]

TEXTS = (
    "text-battlescribe", "text-new-recruit", "text-wtc", "text-wtc-full", "text-gw", "text-owb", "text-owb-full",
    "markdown", "bbcode", "plain",
)  # fmt: skip

EVERYTHING = parse_hero(
    {
        "system": "relic",
        "players": 3,
        "hero": {
            "name": "Odo",
            "character": {
                "name": "Own (big) Card",
                "asset_limit": 3,
                "start": {"strength": 2, "willpower": 3, "life": 4},
                "power_limits": [{"from": 0, "to": 4, "limit": 2}, {"from": 5, "to": 12, "limit": 3}],
            },
            "checkpoint": "mid_turn",
            "experience_skipped": True,
            "tier": "inner",
            "level": 7,
            "attributes": {"strength": 4, "cunning": 2},
            "life": 3,
            "influence": 2,
            "power_cards": [{"number": 5}, {"number": 3, "name": "Secret Paths"}, {"number": 3, "name": "Own, other"}],
            "assets": [
                {"name": "Needle Rifle", "kind": "wargear", "class": "weapon", "charge_value": 2, "charges": 1,
                 "battle_bonus": {"color": "yellow", "value": 4}},
                {"name": "Blade: of Doom (old)", "kind": "threat_asset",
                 "skill_bonus": {"color": "violet", "value": -1}},
                {"name": "Plain (3)"},
            ],
            "missions": {"active": 1, "completed": 2},
            "corruption": [{"activation": 3, "face": "up"}, {"activation": 2, "flipped_by_effect": True}],
            "corruption_discarded": True,
            "corruption_threshold": 7,
            "trophies": [{"points": 4}, {"points": 2, "source": "scenario"}],
            "battle_kit": ["Needle Rifle", "Plain (3)"],
            "skill_kit": ["Plain (3)"],
            "corrupted_characters": ["Battle Sister"],
            "dice": 2,
            "roll_modifier": -1,
            "reroll": {"policy": "face_at_most", "face_at_most": 2, "times": 2},
            "power_cards_in_hand": 3,
            "power_numbers": [1, 6],
        },
        "actions": [
            {"action": "spend_charge", "card": "Needle Rifle", "phase": "engagement", "spent_this_turn": 1},
            {"action": "use_power_card", "use": ["number", "effect"], "numbers_for_one_roll": 2},
            {"action": "evade", "ability": True, "cannot_evade": True, "required_by_effect": True},
            {"action": "buy_wargear", "cost": 4, "space": "Fleet, old", "free_gain": True, "from_space": "Rift"},
            {"action": "choose_character", "character": "Battle Sister"},
        ],
    }
)  # fmt: skip


def without_name(document: Loadout) -> Loadout:
    return msgspec.structs.replace(document, name=None, notes=None)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ru"])
def test_everything_a_hero_states_is_read_back(hero_viewer: Viewer, relic: object, language: str) -> None:
    hero = create_hero(hero_viewer, system_id="relic", name="All - of it", document=EVERYTHING)
    with translation.override(language):
        for format_id in TEXTS:
            file = FORMATS[format_id].file_of(hero)
            assert recognised(file.content, file_name=file.name).reading is not None, file.content.decode()
            back = import_file(hero_viewer, file.content, file_name=file.name)
            assert without_name(read_hero(back.army_list.document)) == without_name(EVERYTHING), format_id
            assert (back.army_list.name, back.dropped) == ("All - of it", ()), format_id


@pytest.mark.long  # four hundred texts
@pytest.mark.django_db
@pytest.mark.parametrize("name", HEROES)
def test_ten_heroes_come_back_with_their_verdict(
    name: str, new_hero: Callable[..., HeroInHand], hero_viewer: Viewer
) -> None:
    """As they are, and once spoiled."""
    wanted = HEROES[name]
    hero = new_hero(name=name, character=wanted.character)
    follow(hero, wanted.steps)
    for spoil in ((), wanted.spoils[0][0]):
        follow(hero, spoil)
        row, document, before = hero.row, without_name(hero.document), hero.report
        for language in ("en", "ru"):
            for format_id in TEXTS:
                with translation.override(language):
                    file = FORMATS[format_id].file_of(row)
                    back = import_file(hero_viewer, file.content, file_name=file.name)
                case = (name, format_id, language)
                assert without_name(read_hero(back.army_list.document)) == document, case
                after = check_army_list(back.army_list)
                assert (after.verdict, [found.rule for found in after.findings]) == (
                    before.verdict,
                    [found.rule for found in before.findings],
                ), case
                assert back.dropped == (), case
                back.army_list.delete()


@pytest.mark.django_db
def test_a_hero_typed_by_hand(hero_viewer: Viewer, relic: object) -> None:
    text = "Relic\n\nUltramarines Captain\nlevel 3\nStrength: 5\n\nSteady Aim (5)\nTorch: asset, charges 2\nWhat?\n"
    back = import_file(hero_viewer, text.encode(), file_name="text")
    hero = read_hero(back.army_list.document).hero
    assert hero.character is not None and hero.character.name == CAPTAIN and hero.character.asset_limit == 4
    assert (hero.level, hero.attributes and hero.attributes.strength) == (3, 5)
    assert [(card.name, card.number) for card in hero.power_cards] == [("Steady Aim", 5)]
    assert [(asset.name, asset.charges) for asset in hero.assets] == [("Torch", 2)]
    assert [lost.name for lost in back.dropped] == ["What?"]
    assert read_hero(back.army_list.document).notes == "What?"


@pytest.mark.django_db
def test_an_army_is_no_hero_and_no_hero_has_such_figures(relic: object) -> None:
    army = "Host (Relic)\n\nCaptain [100 pts]: Level 3, Sword\n"
    assert recognised(army.encode(), file_name="text").reading is None
    with pytest.raises(EditRefused, match="no hero"):
        recognised(b"Relic\nUltramarines Captain\nlevel 1\ndice -4\n", file_name="text")


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("sign", [": ", " (", ", ", "-", "[b]", "\\(", "Level (1), ", ". ", "**", "Plain (3) "])
def test_lines_made_to_take_long_take_no_longer(relic: object, sign: str) -> None:
    """Measured in processor time: a text as long as one may be."""
    line = "relic level " + sign * (1_900 // len(sign))
    begun = time.process_time()
    assert hero_in_text("\n".join([line] * (390_000 // (len(line) + 1)))) is None
    assert time.process_time() - begun < 10
