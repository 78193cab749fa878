"""Blows of one side: hand-computed numbers for rules, weapons, items and spells; each changes when the rule goes."""

from itertools import product
from math import comb

import pytest

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

FIVE = 5 / 4
"""Unsaved wounds of five attacks that hit and wound on 4+."""


def five(*rules: str, side: Json | None = None, **facts: object) -> Json:
    """Five warriors abreast."""
    return make_side(make_group(5, *rules, **facts), width=5, **(side or {}))  # type: ignore[arg-type]


def troop(*rules: str, side: Json | None = None, count: int = 20, **facts: object) -> Json:
    """A target of twenty warriors."""
    return make_side(make_group(count, *rules, **facts), width=5, **(side or {}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("case", "attacker", "defender", "wounds"),
    [
        ("nothing special", five(), troop(), FIVE),
        ("six blows at 3+, 3+ and a 6+", make_side(make_group(6, profile={"WS": 4, "S": 4}), width=6),
         troop(profile={"Sv": "5+"}), 20 / 9),
        ("target more than twice as skilled", five(), troop(profile={"WS": 7}), 5 * 2 / 6 / 2),
        ("target exactly twice as skilled", five(), troop(profile={"WS": 6}), FIVE),
        ("great weapon", five(weapons=["great weapon"]), troop(profile={"Sv": "3+"}), 5 / 2 * 5 / 6 * 4 / 6),
        ("halberd", five(weapons=["halberd"]), troop(), 5 / 2 * 4 / 6),
        ("lance on the charge", five(weapons=["lance"], side={"charged": True}), troop(), 5 / 2 * 5 / 6),
        ("lance without a charge", five(weapons=["lance"]), troop(), FIVE),
        ("flail", five(weapons=["flail"]), troop(), 5 / 2 * 5 / 6),
        ("morning star", five(weapons=["morning star"]), troop(), 5 / 2 * 4 / 6),
        ("hatred", five("Hatred"), troop(), 5 * 3 / 4 / 2),
        ("frenzy", five("Frenzy"), troop(), 2 * FIVE),
        ("an army book's name for frenzy", five("Mark of Khorne"), troop(), 2 * FIVE),
        ("choppas in the first round", five("Choppas"), troop(), 5 / 2 * 4 / 6),
        ("murderous prowess", five("Murderous Prowess"), troop(), 5 / 2 * (1 / 2 + 1 / 6 / 2)),
        ("predatory fighter", five("Predatory Fighter"), troop(), FIVE * 7 / 6),
        ("predatory fighter with hatred", five("Predatory Fighter", "Hatred"), troop(),
         5 * 3 / 4 / 2 * (1 + 1 / 6 + 1 / 2 / 6)),
        ("predatory fighter, two ranks", make_side(make_group(10, "Predatory Fighter"), width=5), troop(),
         FIVE * 7 / 6 + FIVE),
        ("predatory fighter with poison", five("Predatory Fighter", "Poisoned Attacks"), troop(),
         5 * (2 / 6 / 2 + 1 / 6) * 7 / 6),
        ("martial prowess", make_side(make_group(15, "Martial Prowess"), width=5), troop(), 3 * FIVE),
        ("two ranks without it", make_side(make_group(15), width=5), troop(), 2 * FIVE),
        ("strikes first, misspelt", five("Always Strike First"), troop(), 5 * 3 / 4 / 2),
        ("extra attack", five("Extra Attack"), troop(), 2 * FIVE),
        ("devastating charge", five("Devastating Charge", side={"charged": True}), troop(), 2 * FIVE),
        ("devastating charge, standing", five("Devastating Charge"), troop(), FIVE),
        ("random attacks", five("Random Attacks (D6)"), troop(), 3.5 * FIVE),
        ("two hand weapons", five(weapons=["hand weapon", "additional hand weapon"]), troop(), 2 * FIVE),
        ("strikes first, no slower", five("Always Strikes First"), troop(), 5 * 3 / 4 / 2),
        ("strikes first, slower", five("Always Strikes First", profile={"I": 2}), troop(), FIVE),
        ("strikes first with a great weapon", five("Always Strikes First", weapons=["great weapon"]), troop(),
         5 / 2 * 5 / 6),
        ("armour piercing", five("Armour Piercing"), troop(profile={"Sv": "4+"}), FIVE * 4 / 6),
        ("poison", five("Poisoned Attacks"), troop(), 5 * (2 / 6 / 2 + 1 / 6)),
        ("poison needs no wound roll", five("Poisoned Attacks"), troop(profile={"T": 8}), 5 * (2 / 36 + 1 / 6)),
        ("killing blow ignores armour", five("Killing Blow"), troop(profile={"Sv": "3+", "W": 3}),
         5 / 2 * (2 / 6 * 2 / 6 + 1 / 6)),
        ("killing blow leaves the ward", five("Killing Blow"), troop(profile={"Sv": "3+", "Ward": "4+"}),
         5 / 2 * (2 / 6 * 2 / 6 + 1 / 6) / 2),
        ("killing blow on cavalry", five("Killing Blow"), troop(profile={"Sv": "3+"}, troop_type="cavalry"),
         5 / 2 * (2 / 6 * 2 / 6 + 1 / 6)),
        ("killing blow on ogres", five("Killing Blow"), troop(profile={"Sv": "3+"}, troop_type="monstrous_infantry"),
         FIVE * 2 / 6),
        ("heroic killing blow on ogres", five("Heroic Killing Blow"),
         troop(profile={"Sv": "3+"}, troop_type="monstrous_infantry"), 5 / 2 * (2 / 6 * 2 / 6 + 1 / 6)),
        ("no armour saves", five("No Armour Saves"), troop(profile={"Sv": "2+"}), FIVE),
        ("regeneration", five(), troop("Regeneration"), FIVE / 2),
        ("regeneration against fire", five("Flaming Attacks"), troop("Regeneration"), FIVE),
        ("ward or regeneration, the better", five(), troop("Regeneration (5+)", profile={"Ward": "4+"}), FIVE / 2),
        ("scaly skin", five(), troop("Scaly Skin (5+)", armour=["light armour"]), FIVE / 2),
        ("heavy armour and shield", five(), troop(armour=["heavy armour", "shield"], weapons=["spear"]), FIVE / 2),
        ("two hands leave no shield", five(), troop(armour=["heavy armour", "shield"], weapons=["halberd"]),
         FIVE * 4 / 6),
        ("barding and mount", five(), troop(troop_type="cavalry", armour=["heavy armour", "barding"]), FIVE * 2 / 6),
        ("ethereal", five(), troop("Ethereal"), 0),
        ("magic against ethereal", five("Magical Attacks"), troop("Ethereal"), FIVE),
        ("fear, WS -1 changes nothing here", five(), troop("Fear"), FIVE),
        ("fear, WS -1 against half the skill", five(), troop("Fear", profile={"WS": 6}),
         5 / 2 * (21 / 36 / 2 + 15 / 36 * 2 / 6)),
        ("fear and immunity", five("Immune to Psychology"), troop("Fear", profile={"WS": 6}), FIVE),
        ("cavalry is afraid of fire", make_side(make_group(5, troop_type="cavalry", profile={"WS": 3}), width=5),
         troop("Flaming Attacks", profile={"WS": 6}), 5 / 2 * (21 / 36 / 2 + 15 / 36 * 2 / 6)),
        ("spears in two ranks", make_side(make_group(15, weapons=["spear"]), width=5), troop(), 3 * FIVE),
        ("a horde", make_side(make_group(30), width=10), troop(), 6 * FIVE),
    ],
)  # fmt: skip
def test_rules(case: str, attacker: Json, defender: Json, wounds: float) -> None:
    assert metric(make_melee(attacker, defender)) == pytest.approx(wounds, abs=1e-12), case


@pytest.mark.parametrize(
    ("item", "wounds"),
    [
        ("Giant Blade", 1 / 2 * 5 / 6),
        ("Ogre Blade", 1 / 2 * 5 / 6),
        ("Sword of Might", 1 / 2 * 4 / 6),
        ("Sword of Bloodshed", 4 / 4),
        ("Sword of Strife", 3 / 4),
        ("Sword of Battle", 2 / 4),
        ("Berserker Sword", 2 / 4),
        ("Fencer's Blades", 2 * 4 / 6 / 2),
        ("Sword of Swift Slaying", 3 / 4 / 2),
        ("Sword of Striking", 4 / 6 / 2),
        ("Potion of Strength", 1 / 2 * 5 / 6),
        ("Spellthieving Sword", 1 / 4),
    ],
)
def test_magic_weapons(item: str, wounds: float) -> None:
    document = make_melee(make_side(make_hero(item)), troop())
    assert metric(document) == pytest.approx(wounds)
    assert (item in outcome(document).modelled) == (item != "Spellthieving Sword")


@pytest.mark.parametrize(
    ("item", "save", "wounds"),
    [
        ("Obsidian Blade", "2+", 1 / 4),
        ("Biting Blade", "4+", 4 / 6 / 4),
        ("Relic Sword", None, 1 / 4),
    ],
)
def test_weapons_against_armour(item: str, save: str | None, wounds: float) -> None:
    assert metric(make_melee(make_side(make_hero(item)), troop(profile={"Sv": save}))) == pytest.approx(wounds)


def test_relic_sword_helps_against_tough_targets_only() -> None:
    assert metric(make_melee(make_side(make_hero("Relic Sword")), troop(profile={"T": 9}))) == pytest.approx(2 / 12)


def test_sword_of_antiheroes_counts_enemy_characters() -> None:
    enemy = make_side(make_group(20), make_hero(count=2), width=5)
    assert metric(make_melee(make_side(make_hero("Sword of Anti-heroes")), enemy)) == pytest.approx(3 / 2 * 5 / 6)


@pytest.mark.parametrize(
    ("items", "facts", "wounds"),
    [
        ((), {}, FIVE),
        (("Talisman of Preservation",), {}, FIVE / 2),
        (("Talisman of Endurance",), {}, FIVE * 4 / 6),
        (("Talisman of Protection",), {}, FIVE * 5 / 6),
        (("Seed of Rebirth",), {}, FIVE * 5 / 6),
        (("Armour of Destiny",), {}, FIVE * 4 / 6 / 2),
        (("Armour of Fortune",), {}, FIVE * 4 / 6 * 4 / 6),
        (("Gambler's Armour",), {}, FIVE * 4 / 6 * 5 / 6),
        (("Armour of Silvered Steel",), {}, FIVE / 6),
        (("Trickster's Helm",), {}, 5 / 2 / 4 * 5 / 6),
        (("Dragonhelm",), {}, FIVE * 5 / 6),
        (("Glittering Scales",), {}, 5 * 2 / 6 / 2 * 5 / 6),
        (("Enchanted Shield",), {}, FIVE * 4 / 6),
        (("Spellshield",), {}, FIVE * 5 / 6),
        (("Dawnstone",), {"profile": {"Sv": "4+"}}, FIVE / 4),
        (("Potion of Toughness",), {}, 5 / 2 / 6),
        (("Obsidian Lodestone",), {}, FIVE),
    ],
)
def test_protective_items(items: tuple[str, ...], facts: Json, wounds: float) -> None:
    assert metric(make_melee(five(), make_side(make_hero(*items, **facts)))) == pytest.approx(wounds)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("Luckstone", 10 / 8 - (1 - (7 / 8) ** 10) / 2),
        ("Opal Amulet", 10 / 8 - (1 - (7 / 8) ** 10) / 2),
        ("Charmed Shield", 10 / 12 - (1 - (11 / 12) ** 10) * 5 / 6),
    ],
)
def test_protection_that_is_used_up(item: str, expected: float) -> None:
    hero = make_side(make_hero(item, profile={"Sv": "4+", "W": 9}))
    assert metric(make_melee(five(profile={"A": 2}), hero)) == pytest.approx(expected)


def test_items_against_fire_and_flyers() -> None:
    flyers, fire = five("Fly"), five("Flaming Attacks")
    for attacker, item, wounds in [
        (flyers, "Pigeon Plucker Pendant", FIVE * 4 / 6),
        (five(), "Pigeon Plucker Pendant", FIVE),
        (fire, "Dragonbane Gem", FIVE / 6),
        (five(), "Dragonbane Gem", FIVE),
        (fire, "Dragonhelm", FIVE * 5 / 6 / 6),
        (flyers, "Featherfoe Torch", 5 / 4 / 2),
        (five(), "Featherfoe Torch", FIVE),
    ]:
        assert metric(make_melee(attacker, make_side(make_hero(item)))) == pytest.approx(wounds), item


def test_banners_and_shards() -> None:
    armoured = troop(profile={"Sv": "4+"})
    assert metric(make_melee(five(magic_items=["Razor Standard"]), armoured)) == pytest.approx(FIVE * 4 / 6)
    burning = five(magic_items=["Banner of Eternal Flame"])
    assert metric(make_melee(burning, troop("Regeneration"))) == pytest.approx(FIVE)
    warded = troop(profile={"Ward": "4+"})
    shard = five(magic_items=["The Other Trickster's Shard"])
    assert metric(make_melee(shard, warded)) == pytest.approx(FIVE * 3 / 4)


@pytest.mark.parametrize(
    ("own", "enemy", "wounds"),
    [
        ([], [], FIVE),
        (["Iceshard Blizzard"], [], 5 * 2 / 6 / 2),
        (["The Curse of Anraheir"], [], 5 * 2 / 6 / 2),
        ([], ["Pha's Protection"], 5 * 2 / 6 / 2),
        (["Enchanted Blades of Aiban"], [], 5 * 4 / 6 / 2),
        (["Flaming Sword of Rhuin"], [], 5 / 2 * 4 / 6),
        (["Wyssan's Wildform"], [], 5 / 2 * 4 / 6),
        ([], ["Wyssan's Wildform"], 5 / 2 * 2 / 6),
        ([], ["Flesh to Stone"], 5 / 2 / 6),
        ([], ["Flesh to Stone", "Throne of Vines"], 5 / 2 / 6),
        ([], ["Pann's Impenetrable Pelt"], 5 / 2 / 6),
        (["The Savage Beast of Horros"], [], 4 * 5 / 2 * 5 / 6),
        (["Birona's Timewarp"], [], 10 * 3 / 4 / 2),
        (["The Speed of Light"], [], 5 * 4 / 6 / 2),
        (["Soulblight"], [], 5 / 2 * 2 / 6),
        ([], ["Soulblight"], 5 / 2 * 4 / 6),
        ([], ["Earth Blood"], FIVE * 4 / 6),
        ([], ["Earth Blood", "Throne of Vines"], FIVE / 2),
        ([], ["Glittering Robe"], FIVE * 4 / 6),
        (["Okkam's Mindrazor"], [], 5 / 2 * 5 / 6),
        (["Harmonic Convergence"], [], 5 * (1 / 2 + 1 / 12) ** 2),
        (["Curse of the Midnight Wind"], [], 5 * (2 / 6 + 1 / 12) ** 2),
        (["The Enfeebling Foe"], [], 5 / 2 * (2 / 6 + 1 / 6 + 1 / 6) / 3),
        ([], ["The Withering"], 5 / 2 * (4 / 6 + 5 / 6 + 5 / 6) / 3),
    ],
)
def test_spells_in_effect(own: list[str], enemy: list[str], wounds: float) -> None:
    document = make_melee(five(side={"effects": own}), troop(side={"effects": enemy}))
    assert metric(document) == pytest.approx(wounds)
    assert set(own + enemy) <= set(outcome(document).modelled)


@pytest.mark.parametrize(
    ("effects", "save"), [([], 3 / 6), (["Plague of Rust"], 4 / 6), (["Plague of Rust"] * 2, 5 / 6)]
)
def test_rust(effects: list[str], save: float) -> None:
    target = troop(profile={"Sv": "4+"}, side={"effects": effects})
    assert metric(make_melee(five(), target)) == pytest.approx(FIVE * save)


@pytest.mark.parametrize(
    ("case", "facts", "side", "options", "factor"),
    [
        ("hand weapon and shield", {"armour": ["shield"]}, {}, {}, 5 / 6 * 5 / 6),
        ("struck in the flank", {"armour": ["shield"]}, {"attacks_from": "flank"}, {}, 5 / 6),
        ("frenzied", {"armour": ["shield"], "rules": ["Frenzy"]}, {}, {}, 5 / 6),
        ("magic shield", {"magic_items": ["Spellshield"]}, {}, {}, 5 / 6),
        ("magic weapon", {"armour": ["shield"], "magic_items": ["Sword of Battle"]}, {}, {}, 5 / 6),
        ("with a spear", {"armour": ["shield"], "weapons": ["spear"]}, {}, {}, 5 / 6),
        ("mounted", {"armour": ["shield"], "troop_type": "cavalry"}, {}, {}, 4 / 6 * 5 / 6),
        ("on a frenzied mount", {"armour": ["shield"], "mount": {"profile": {}, "rules": ["Frenzy"]}}, {}, {}, 4 / 6),
        ("mounted, on foot only", {"armour": ["shield"], "troop_type": "cavalry"}, {},
         {"parry_on_foot_only": True}, 4 / 6),
    ],
)  # fmt: skip
def test_parry(case: str, facts: Json, side: Json, options: Json, factor: float) -> None:
    document = make_melee(five(side=side), make_side(make_group(20, **{"rules": [], **facts}) if "rules" not in facts
                                                     else make_group(20) | facts, width=5))  # fmt: skip
    assert metric(document | {"options": options}) == pytest.approx(FIVE * factor), case


def test_readings() -> None:
    poison = make_melee(five("Poisoned Attacks"), troop())
    assert metric(poison | {"options": {"poison": "hits_automatically"}}) == pytest.approx(FIVE)
    fear = make_melee(five(), troop("Fear"))
    afraid = 5 / 2 * (21 / 36 / 2 + 15 / 36 * 2 / 6)
    assert metric(fear | {"options": {"fear_mode": "set_to_one"}}) == pytest.approx(afraid)
    flank = make_melee(make_side(make_group(10), width=5, attacks_from="flank"), troop())
    assert metric(flank) == pytest.approx(2 * FIVE)
    assert metric(flank | {"options": {"support_into_flank_or_rear": False}}) == pytest.approx(FIVE)


def test_rider_and_mount_are_counted_apart() -> None:
    knights = make_side(
        make_group(5, profile={"WS": 4}, troop_type="cavalry", weapons=["lance"],
                   mount={"profile": {"M": 8, "WS": 3, "S": 3, "I": 3, "A": 1}}), width=5, charged=True)  # fmt: skip
    metrics = outcome(make_melee(knights, troop())).metrics
    assert metrics["unsaved_wounds:rider"] == pytest.approx(5 * 4 / 6 * 5 / 6)
    assert metrics["unsaved_wounds:mount"] == pytest.approx(FIVE)
    assert metrics["unsaved_wounds"] == pytest.approx(5 * 4 / 6 * 5 / 6 + FIVE)


@pytest.mark.parametrize(
    ("rule", "target_rule", "lost"),
    [
        ("Multiple Wounds (2)", "Stubborn", 2),
        ("Multiple Wounds (D3)", "Stubborn", 2),
        ("Flaming Attacks", "Flammable", 2),
    ],
)
def test_wounds_are_multiplied_after_saves(rule: str, target_rule: str, lost: float) -> None:
    metrics = outcome(make_melee(make_side(make_group(1, rule)), troop(target_rule, profile={"W": 4}))).metrics
    assert metrics["unsaved_wounds"] == pytest.approx(1 / 4)
    assert metrics["wounds_lost"] == pytest.approx(lost / 4)


@pytest.mark.parametrize(
    ("case", "group", "side", "attacks"),
    [
        ("two ranks", make_group(20), {"width": 5}, 10),
        ("a short second rank", make_group(8), {"width": 5}, 8),
        ("a horde", make_group(40), {"width": 10}, 30),
        ("a horde with spears", make_group(40, weapons=["spear"]), {"width": 10}, 40),
        ("spears on the charge", make_group(40, weapons=["spear"]), {"width": 10, "charged": True}, 30),
        ("support only behind contact", make_group(20), {"width": 10, "models_in_contact": 5}, 10),
        ("two attacks in front, one behind", make_group(20, profile={"A": 2}), {"width": 5}, 15),
        ("ogres", make_group(9, profile={"A": 3}, troop_type="monstrous_infantry"), {"width": 3}, 18),
        ("ogres of four attacks", make_group(6, profile={"A": 4}, troop_type="monstrous_infantry"), {"width": 3}, 21),
        ("a horde of ogres", make_group(18, profile={"A": 3}, troop_type="monstrous_infantry"), {"width": 6}, 54),
        ("knights", make_group(10, troop_type="cavalry", mount={"profile": {"A": 2}}), {"width": 5}, 20),
        ("a chariot supports nobody", make_group(4, troop_type="chariot"), {"width": 2}, 2),
        ("support as the document says", make_group(20), {"width": 5, "supporting_models": 3}, 8),
        ("random attacks", make_group(5, "Random Attacks (D6+1)"), {"width": 5}, 22.5),
    ],
)
def test_attack_count(case: str, group: Json, side: Json, attacks: float) -> None:
    assert metric(make_clash("attack_count", unit=make_side(group, **side)), "attacks") == pytest.approx(attacks), case


def test_a_unit_struck_in_the_flank_does_not_support() -> None:
    document = make_clash(
        "attack_count", unit=make_side(make_group(20), width=5), enemy=make_side(make_group(5), attacks_from="flank")
    )
    assert metric(document, "attacks") == 5


def test_oracle_of_whole_dice() -> None:
    """Three blows with Hatred and poison on a 5+ save, every face of every die counted."""
    one = {0: 0, 1: 0}
    for first, second, wound, save in product(range(1, 7), repeat=4):
        face = first if first >= 4 else second
        hurt = face == 6 or (face >= 4 and wound >= 4)
        one[int(hurt and save < 5)] += 1
    chance = one[1] / 6**4
    document = make_melee(make_side(make_group(3, "Hatred", "Poisoned Attacks"), width=3), troop(profile={"Sv": "5+"}))
    spread = outcome(document).distributions["unsaved_wounds"]
    for wounds in range(4):
        expected = comb(3, wounds) * chance**wounds * (1 - chance) ** (3 - wounds)
        assert spread[str(wounds)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("kind", "attacker", "defender", "hits", "wounds"),
    [
        ("impact_hits", make_group(1, profile={"S": 5}, troop_type="chariot"), {}, 3.5, 3.5 * 5 / 6),
        ("impact_hits", make_group(1, "Scythes", profile={"S": 5}, troop_type="chariot"), {}, 4.5, 4.5 * 5 / 6),
        ("impact_hits", make_group(3, "Impact Hits (D3)", profile={"S": 4}), {}, 6, 4),
        ("stomp", make_group(3, profile={"S": 4}, troop_type="monstrous_infantry"), {}, 3, 2),
        ("stomp", make_group(1, profile={"S": 4}, troop_type="monster"), {}, 3.5, 3.5 * 4 / 6),
        ("stomp", make_group(1, profile={"S": 4}, troop_type="monster"), {"troop_type": "cavalry"}, 0, 0),
        ("stomp", make_group(2), {}, 0, 0),
        ("breath_weapon", make_group(1, "Breath Weapon (S4)", troop_type="monster"), {}, 7, 7 * 4 / 6),
    ],
)
def test_automatic_hits(kind: str, attacker: Json, defender: Json, hits: float, wounds: float) -> None:
    document = make_clash(
        kind,
        attacker=make_side(attacker, width=3, charged=True),
        defender=make_side(make_group(30, **defender), width=5),
    )
    assert metric(document, "hits") == pytest.approx(hits)
    assert metric(document) == pytest.approx(wounds)


def test_a_breath_hits_what_the_template_covers() -> None:
    document = make_clash(
        "breath_weapon",
        attacker=make_side(make_group(1, "Breath Weapon (S4, Flaming Attacks)", troop_type="monster")),
        defender=make_side(make_group(30, "Regeneration"), width=5),
        conditions={"in_close_combat": False, "models_covered": 6},
    )
    assert metric(document) == pytest.approx(4)


def test_unknown_rules_and_items_are_listed() -> None:
    attacker = five("Old Grudge", magic_items=["Tormentor Sword", "Rune of Slowness"], weapons=["whip"])
    answer = outcome(make_melee(attacker, troop(armour=["shield", "lucky hat"])))
    assert set(answer.not_simulated) == {"Old Grudge", "Tormentor Sword", "Rune of Slowness", "whip", "lucky hat"}


def test_what_is_rough_is_said() -> None:
    answer = outcome(
        make_melee(five("Hatred (Orcs)", "Terror"), troop("Regeneration", "Flaming Attacks", profile={"W": 2}))
    )
    assert {item.rule for item in answer.approximated} == {"Terror", "Regeneration"}
    assert any("hated" in text.en for text in answer.assumptions)
    mixed = outcome(make_melee(five(), make_side(make_group(9), make_group(2, profile={"T": 4}))))
    assert [item.rule for item in mixed.approximated] == ["mixed units"]
    led = outcome(make_melee(five(), make_side(make_group(9), make_hero())))
    assert not led.approximated
    assert any("Characters in a unit" in text.en for text in led.assumptions)
