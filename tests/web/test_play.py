"""Playing from a list: what is counted of every unit, for the owner and for readers of a link."""

import msgspec
from django.test import Client

from armybuilder.armylists import services
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.list_sheet import SheetOption, SheetProfile, SheetUnit
from armybuilder.web.pages.play_page import PlayPage, UnitInPlay
from tests.armylists.conftest import Muster


def unit(**members: object) -> SheetUnit:
    """A unit of three Ogres with two wounds each, unless told otherwise."""
    given: dict[str, object] = {
        "id": "u1",
        "name": "Ogres",
        "role": "Core",
        "points": None,
        "options": (SheetOption(name="Ogre", number=3, is_model=True, options=(SheetOption(name="Club", number=3),)),),
        "profiles": (SheetProfile("Unit", "Ogre", (("WS", "3"), ("W", "2"))),),
    }
    return SheetUnit(**(given | members))  # type: ignore[arg-type]


def test_the_owner_and_readers_of_a_link_play_and_nobody_else(
    built: Muster, as_owner: Client, as_stranger: Client
) -> None:
    own = f"/lists/{built.list_id}/play/"
    page = as_owner.get(own).content.decode()
    assert page.count("data-fighting=") == 2 and 'data-number="9"' in page
    assert "Share the list first" in page
    assert as_stranger.get(own).status_code == 404
    link = services.publish_share_link(built.viewer, built.list_id)
    answer = as_stranger.get(f"/s/{link.token}/play/")
    assert answer.status_code == 200 and answer["X-Robots-Tag"] == "noindex"
    assert f"/s/{link.token}/play/" in as_owner.get(own).content.decode()
    services.revoke_share_link(built.viewer, built.list_id, link.token)
    assert as_stranger.get(f"/s/{link.token}/play/").status_code == 404
    assert "Share the list first" in as_owner.get(own).content.decode()


def test_phases_and_reactions_speak_the_language_of_the_page(built: Muster, as_owner: Client) -> None:
    as_owner.cookies["django_language"] = "ru"
    page = as_owner.get(f"/lists/{built.list_id}/play/").content.decode()
    assert "Ответный огонь" in page and "Следующая фаза" in page and "Return Fire" not in page


def shown(built: Muster, *units: SheetUnit) -> tuple[UnitInPlay, ...]:
    """Units at the table of a list of the owner's game."""
    return tuple(map(PlayPage(plain_sheet_of(built.row)).unit_in_play, units))


def test_wounds_are_those_of_the_profile_with_the_name_of_the_models(built: Muster) -> None:
    champion = SheetOption(name="Champion", number=1, is_model=True)
    profiles = (
        SheetProfile("Unit", "Ogre", (("WS", "3"), ("W", "2"))),
        SheetProfile("Unit", "Ogre Champion", (("WS", "4"), ("W", "3"))),
        SheetProfile("Vehicle", "Wagon", (("Front", "12"), ("HP", "4"))),
    )
    ogres, wagon, nobody = shown(
        built,
        unit(options=(*unit().options, champion), profiles=profiles),
        unit(name="Wagon", options=(), profiles=profiles[2:], is_model=True),
        unit(profiles=()),
    )
    (portal,) = shown(built, unit(profiles=(SheetProfile("Unit", "Ogre", (("Health", "12"), ("Save", "4+"))),)))
    assert [kind.models.wounds for kind in portal.models] == [12]
    assert [(kind.models.name, kind.models.number, kind.models.wounds) for kind in ogres.models] == [
        ("Ogre", 3, 2),
        ("Champion", 1, 3),
    ]
    assert [(kind.models.name, kind.models.number, kind.models.wounds) for kind in wagon.models] == [("Wagon", 1, 4)]
    assert [kind.models.wounds for kind in nobody.models] == [1]
    said = [unit.models[0].measure for unit in (ogres, wagon, portal, nobody)]
    assert said == ["wounds:", "hull points:", "health:", "wounds:"]
    (engine,) = shown(built, unit(profiles=(SheetProfile("Unit", "Ogre", (("Speed", "15cm"), ("DC", "8"))),)))
    assert engine.models[0].measure == "damage capacity:"


def test_a_character_counts_beside_his_retinue_and_seven_transports_are_seven(built: Muster) -> None:
    chosen = SheetOption(name="Chosen", number=2, is_model=True)
    profiles = (SheetProfile("Unit", "Chosen", (("W", "2"),)), SheetProfile("Unit", "Praetor", (("W", "3"),)))
    praetor, company = shown(
        built,
        unit(name="Praetor", options=(chosen,), profiles=profiles),
        unit(options=(SheetOption(name="7x Chimera", number=1, is_model=True),), profiles=()),
    )
    assert [(kind.models.name, kind.models.number, kind.models.wounds) for kind in praetor.models] == [
        ("Praetor", 1, 3),
        ("Chosen", 2, 2),
    ]
    assert [(kind.models.name, kind.models.number) for kind in company.models] == [("Chimera", 7)]


def test_a_squadron_whose_one_profile_bears_its_name_has_no_model_more(built: Muster) -> None:
    speeders = tuple(SheetOption(name=f"Speeder with {gun}", is_model=True) for gun in ("Lance", "Cannon"))
    profiles = (
        SheetProfile("Vehicle", "Speeder Squadron", (("Front", "10"), ("HP", "3"))),
        SheetProfile("Wargear", "Flare Shield", (("Description", "Shields."),)),
    )
    (squadron,) = shown(built, unit(name="Speeder Squadron", options=speeders, profiles=profiles))
    assert [(kind.models.name, kind.models.wounds) for kind in squadron.models] == [
        ("Speeder with Lance", 3),
        ("Speeder with Cannon", 3),
    ]


def test_a_squad_whose_sergeant_has_a_profile_of_his_own_has_no_model_more(built: Muster) -> None:
    """Data of today tells the squad's troopers by a profile that bears the name of the squad."""
    models = (SheetOption(name="Hunter Sergeant", is_model=True), SheetOption(name="Hunter", number=4, is_model=True))
    profiles = (
        SheetProfile("Unit", "Hunter Sergeant", (("W", "3"),)),
        SheetProfile("Unit", "Hunter squad", (("W", "2"),)),
    )
    (squad,) = shown(built, unit(name="Hunter Squad", options=models, profiles=profiles))
    assert [(kind.models.name, kind.models.number, kind.models.wounds) for kind in squad.models] == [
        ("Hunter Sergeant", 1, 3),
        ("Hunter", 4, 2),
    ]


def test_what_is_gone_once_used_stands_first(built: Muster) -> None:
    bomb = SheetOption(name="Bomb", number=1)
    weapons = (SheetProfile("Weapon", "Bomb", (("Range", "-"), ("Type", "One Use, Blast"))),)
    found = shown(
        built, unit(options=(*unit().options, bomb), weapons=weapons, rules=("Once per battle: roar", "Big"))
    )[0]
    assert [(thing.name, thing.is_once) for thing in found.things] == [
        ("Bomb", True),
        ("Once per battle: roar", True),
        ("Club", False),
    ]


def test_a_wizard_has_the_spells_of_his_lore(built: Muster) -> None:
    sheet = msgspec.structs.replace(plain_sheet_of(built.row), rule_pack="fantasy-8th")
    for said in ({"facts": ("Lore of Fire",)}, {"rules": ("Lore of Fire",)}, {"facts": ("Школа магии: Школа Огня",)}):
        found = PlayPage(sheet).unit_in_play(unit(**said)).spells
        assert len(found) == 7 and found[0].name.endswith("5+"), said
    assert PlayPage(sheet).unit_in_play(unit()).spells == ()
