"""Every common magic item that decides about a number changes one: the same document with and without it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import get_args

import pytest

from armybuilder.engine.systems.fantasy_8th.combat.items import ITEMS as ROWS
from armybuilder.engine.systems.fantasy_8th.combat.items import ItemPlace, is_understood
from armybuilder.engine.systems.fantasy_8th.combat.weapons import Arm
from armybuilder.engine.systems.fantasy_8th.reference import magic_items
from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_melee,
    make_side,
    metric,
    outcome,
)


@dataclass(frozen=True)
class Pair:
    """A document with and without an item.

    Attributes:
        make: the document with these items in the place that counts.
        name: of the number that changes; more: whether it rises with the item.
    """

    make: Callable[..., Json]
    name: str = "unsaved_wounds"
    more: bool = True


def troop(*rules: str, **facts: object) -> Json:
    """Twenty warriors with light armour."""
    return make_side(make_group(20, *rules, armour=["light armour"], **facts), width=5)  # type: ignore[arg-type]


def five(*rules: str, **facts: object) -> Json:
    """Five warriors abreast."""
    return make_side(make_group(5, *rules, **facts), width=5)  # type: ignore[arg-type]


def hero(*items: str, rules: tuple[str, ...] = (), **facts: object) -> Json:
    """A character of three wounds and attacks alone."""
    return make_side(
        make_hero(*items, profile={"W": 3, "A": 3, "S": 4, "T": 4, "WS": 4}, rules=list(rules), armour=["light armour"])
        | facts
    )


def banner(*items: str, **facts: object) -> Json:
    """Twenty warriors whose standard bearer carries it."""
    return make_side(make_group(20, magic_items=list(items)), width=5, command=["standard_bearer"], **facts)


def strikes(defender: Json | None = None) -> Callable[..., Json]:
    return lambda *items: make_melee(hero(*items), defender or troop())


def is_struck(attacker: Json | None = None) -> Callable[..., Json]:
    return lambda *items: make_melee(attacker or five(profile={"S": 4}), hero(*items))


def fights(defender: Json | None = None, **facts: object) -> Callable[..., Json]:
    return lambda *items: make_clash("combat_round", attacker=hero(*items) | facts, defender=defender or troop())


def is_shot_at(weapon: str = "longbow", machine: bool = False) -> Callable[..., Json]:
    archers = make_group(2 if machine else 10, weapons=[weapon], troop_type="war_machine" if machine else "infantry")
    return lambda *items: make_clash("shooting", attacker=make_side(archers), defender=hero(*items))


def is_cast_at(spell: str = "Fireball") -> Callable[..., Json]:
    return lambda *items: make_clash("spell", spell=spell, defender=hero(*items))


def charges(unit: Callable[..., Json], distance: int) -> Callable[..., Json]:
    return lambda *items: make_clash("charge", unit=unit(*items), conditions={"distance": distance})


def is_tested(unit: Callable[..., Json]) -> Callable[..., Json]:
    return lambda *items: make_clash("leadership_test", unit=unit(*items), conditions={"test": "other"})


def casts(*, dice: int = 2, value: int = 9, level: int = 1, **facts: object) -> Callable[..., Json]:
    return lambda *items: make_clash(
        "cast_spell", caster={"wizard_level": level}, dice=dice, casting_value=value, attacker=hero(*items), **facts
    )


def is_answered(**facts: object) -> Callable[..., Json]:
    return lambda *items: (
        make_clash(
            "cast_spell", caster={"wizard_level": 2}, dice=3, casting_value=9, attacker=hero(), defender=hero(*items)
        )
        | facts
    )


def dispels(*mine: str, theirs: bool = False) -> Callable[..., Json]:
    def made(*items: str) -> Json:
        own, other = (hero(), hero(*items)) if theirs else (hero(*items), hero())
        return make_clash(
            "dispel", dispeller={"wizard_level": 1}, dice=2, casting_total=9, attacker=other, defender=own
        )

    return made


def winds(*items: str) -> Json:
    return make_clash("winds_of_magic", caster={"wizards": 2}, dispeller={"wizards": 2}, attacker=hero(*items))


def miscasts(*items: str) -> Json:
    return make_clash("miscast", caster={"wizard_level": 2}, attacker=hero(*items))


FLYERS = five("Fly", troop_type="monstrous_beast", profile={"S": 5})
FLAMES = five("Flaming Attacks", profile={"S": 4})
SWIFT = five(profile={"I": 5, "S": 4})
COWARDS = troop(profile={"Ld": 4})


def with_a_fearful_unit(*items: str) -> Json:
    """Its blows fall on a unit that may be afraid of it."""
    return make_melee(hero(*items), troop(profile={"Ld": 3, "WS": 4}))


def before_quicker(*items: str) -> Json:
    """Three blows of three wounds against five that are quicker and would slay some of his own."""
    return make_clash(
        "combat_round", attacker=hero(*items), defender=make_side(make_group(6, profile={"I": 5, "S": 5}), width=6)
    )


ITEMS: Mapping[str, Pair] = {
    "Giant Blade": Pair(strikes()),
    "Sword of Bloodshed": Pair(strikes()),
    "Obsidian Blade": Pair(strikes(troop(profile={"Sv": "3+"}))),
    "Ogre Blade": Pair(strikes()),
    "Sword of Strife": Pair(strikes()),
    "Fencer's Blades": Pair(strikes()),
    "Sword of Anti-heroes": Pair(strikes(make_side(make_group(20), make_group(1, subtypes=["character"]), width=5))),
    "Sword of Swift Slaying": Pair(before_quicker, "wounds_lost"),
    "Sword of Battle": Pair(strikes()),
    "Berserker Sword": Pair(strikes()),
    "Sword of Might": Pair(strikes()),
    "Gold Sigil Sword": Pair(before_quicker, "wounds_lost"),
    "Sword of Striking": Pair(strikes()),
    "Biting Blade": Pair(strikes(troop(profile={"Sv": "3+"}))),
    "Relic Sword": Pair(strikes(troop(profile={"T": 9}))),
    "Shrieking Blade": Pair(with_a_fearful_unit),
    "Armour of Destiny": Pair(is_struck(), more=False),
    "Trickster's Helm": Pair(is_struck(), more=False),
    "Armour of Silvered Steel": Pair(is_struck(), more=False),
    "Armour of Fortune": Pair(is_struck(), more=False),
    "Glittering Scales": Pair(is_struck(five(profile={"S": 4, "WS": 5})), more=False),
    "Shield of Ptolos": Pair(is_shot_at(), more=False),
    "Spellshield": Pair(is_cast_at(), more=False),
    "Gambler's Armour": Pair(is_struck(), more=False),
    "Dragonhelm": Pair(is_struck(FLAMES), more=False),
    "Enchanted Shield": Pair(is_struck(), more=False),
    "Charmed Shield": Pair(is_struck(), more=False),
    "Talisman of Preservation": Pair(is_struck(), more=False),
    "Obsidian Lodestone": Pair(is_cast_at(), more=False),
    "Talisman of Endurance": Pair(is_struck(), more=False),
    "Obsidian Amulet": Pair(is_cast_at(), more=False),
    "Dawnstone": Pair(is_struck(five()), more=False),
    "Opal Amulet": Pair(is_struck(), more=False),
    "Obsidian Trinket": Pair(is_cast_at(), more=False),
    "Talisman of Protection": Pair(is_struck(), more=False),
    "Seed of Rebirth": Pair(is_struck(), more=False),
    "Dragonbane Gem": Pair(is_struck(FLAMES), more=False),
    "Pigeon Plucker Pendant": Pair(is_struck(FLYERS), more=False),
    "Luckstone": Pair(is_struck(five()), more=False),
    "Rampager's Standard": Pair(charges(banner, 12), "p_success"),
    "Wailing Banner": Pair(lambda *items: make_clash(
        "combat_round", attacker=banner(*items, charged=True), defender=COWARDS), "p_win"),
    "Razor Standard": Pair(lambda *items: make_melee(banner(*items), troop())),
    "War Banner": Pair(lambda *items: make_clash("combat_round", attacker=banner(*items), defender=troop()), "p_win"),
    "Banner of Swiftness": Pair(charges(banner, 12), "p_success"),
    "Lichebone Pennant": Pair(lambda *items: make_clash("spell", spell="Fireball", defender=banner(*items)),
                              more=False),
    "Standard of Discipline": Pair(is_tested(banner), "p_pass"),
    "Banner of Eternal Flame": Pair(lambda *items: make_melee(banner(*items), troop("Regeneration (4+)"))),
    "Gleaming Pennant": Pair(is_tested(banner), "p_pass"),
    "Scarecrow Banner": Pair(lambda *items: make_melee(
        banner(*items), make_side(make_group(5, "Fly", profile={"Ld": 3, "WS": 3}), width=5))),
    "Book of Ashur": Pair(casts(), "p_cast"),
    "Feedback Scroll": Pair(is_answered(), "attacker_wounds_lost"),
    "Sivejir's Hex Scroll": Pair(is_answered(), "p_toad"),
    "Power Scroll": Pair(casts(), "p_irresistible"),
    "Wand of Jet": Pair(casts(), "p_cast"),
    "Forbidden Rod": Pair(winds, "power_dice"),
    "Trickster's Shard": Pair(dispels(theirs=True), "wounds_lost"),
    "Earthing Rod": Pair(miscasts, "p_wizard_lost", more=False),
    "Dispel Scroll": Pair(dispels(), "p_dispel"),
    "Power Stone": Pair(casts(), "p_cast"),
    "Sceptre of Stability": Pair(dispels(), "p_dispel"),
    "Channelling Staff": Pair(winds, "power_dice"),
    "Scroll of Shielding": Pair(is_cast_at(), more=False),
    "Arabyan Carpet": Pair(charges(hero, 12), "p_success"),
    "Crown of Command": Pair(lambda *items: make_clash(
        "break_test", unit=hero(*items), conditions={"lost_combat_by": 3}), "p_pass"),
    "Featherfoe Torch": Pair(is_struck(FLYERS), more=False),
    "Ruby Ring of Ruin": Pair(casts(level=0, value=5, spell="Fireball"), "p_cast"),
    "Terrifying Mask of Eee!": Pair(with_a_fearful_unit),
    "Potion of Strength": Pair(strikes()),
    "Potion of Toughness": Pair(is_struck(), more=False),
    "The Other Trickster's Shard": Pair(strikes(troop(profile={"Ward": "4+"}))),
    "Ironcurse Icon": Pair(is_shot_at("bolt thrower", machine=True), more=False),
    "Potion of Foolhardiness": Pair(lambda *items: make_melee(hero(*items) | {"charged": True}, troop())),
    "Potion of Speed": Pair(lambda *items: make_clash(
        "combat_round", attacker=hero(*items), defender=make_side(make_group(6, profile={"I": 4, "S": 5}), width=6)),
        "wounds_lost"),
}  # fmt: skip

ELSEWHERE: Mapping[str, str] = {
    "Healing Potion": "whole battles (test_battle.py)",
    "Helm of Discord": "the fight it is part of (test_every_rule_counts.py)",
    "Warrior Bane": "the fight it is part of (test_every_rule_counts.py)",
}
"""Items whose pair stands in another file."""

NO_NUMBER: Mapping[str, str] = {
    "Spellthieving Sword": "takes spells away",
    "Tormentor Sword": "works from the next turn on",
    "Scroll of Leeching": "gives dice for other spells",
    "Wizarding Hat": "gives a lore at random",
    "Fozzrik's Folding Fortress": "is a building",
}
"""Items that the digest of the rules sees outside a simulation of one attack."""


def test_every_item_has_its_row() -> None:
    names = {item.en for item in magic_items().values()}
    assert ITEMS.keys() | ELSEWHERE.keys() | NO_NUMBER.keys() == names == ROWS.keys()
    assert all(ROWS[name].status == "modelled" and ROWS[name].counts for name in ITEMS)
    assert {name for name, row in ROWS.items() if row.status == "not_simulated"} == NO_NUMBER.keys() | {
        "Healing Potion"
    }
    assert {name for name in names if not is_understood(name)} == NO_NUMBER.keys()
    assert {place for row in ROWS.values() for place in row.counts} == set(get_args(ItemPlace))


def test_what_an_item_gives_is_a_rule_with_a_row() -> None:
    for row in ROWS.values():
        assert len(row.modifier.rules) == len(row.modifier.gives)
        assert row.weapon.keys() <= {member.name for member in fields(Arm)}


@pytest.mark.parametrize("name", sorted(ITEMS))
def test_item_counts(name: str) -> None:
    pair = ITEMS[name]
    plain, armed = (outcome(pair.make(*items)) for items in ((), (name,)))
    without, with_it = plain.metrics.get(pair.name, 0.0), armed.metrics[pair.name]
    assert name in armed.modelled
    assert name not in armed.not_simulated
    assert (with_it > without + 1e-9) if pair.more else (with_it < without - 1e-9), (without, with_it)


@pytest.mark.parametrize("name", sorted(NO_NUMBER))
def test_an_item_without_a_number_is_listed(name: str) -> None:
    kind = is_cast_at() if "Scroll" in name else strikes()
    assert name in outcome(kind(name)).not_simulated
    assert metric(kind(name)) == pytest.approx(metric(kind()))
