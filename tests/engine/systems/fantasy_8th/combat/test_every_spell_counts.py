"""Every spell, every special terrain and every weapon changes a number: the same document with and without it."""

from collections.abc import Callable, Mapping
from typing import get_args

import pytest

from armybuilder.engine.systems.fantasy_8th.combat.effects import EFFECTS as ROWS
from armybuilder.engine.systems.fantasy_8th.combat.effects import TERRAIN_NAMES, EffectPlace
from armybuilder.engine.systems.fantasy_8th.combat.spell_book import HARMLESS, HAZARD_NAMES, HAZARDS, SPELLS
from armybuilder.engine.systems.fantasy_8th.combat.weapons import MELEE, MISSILE
from armybuilder.engine.systems.fantasy_8th.reference import lores
from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_melee,
    make_side,
    metric,
    outcome,
)

Make = Callable[..., Json]
Row = tuple[Make, str, bool]
"""A document with these effects in the place that counts, the number that changes, and whether it rises."""


def troop(*effects: str, rules: tuple[str, ...] = (), **facts: object) -> Json:
    """Twenty warriors with light armour."""
    return make_side(
        make_group(20, *rules, armour=["light armour"], **facts),  # type: ignore[arg-type]
        width=5,
        effects=list(effects),
    )


def five(*effects: str, rules: tuple[str, ...] = (), **facts: object) -> Json:
    """Five warriors abreast."""
    return make_side(make_group(5, *rules, **facts), width=5, effects=list(effects))  # type: ignore[arg-type]


def striking(target: Json | None = None, **facts: object) -> Make:
    """It is in effect on those who strike."""
    return lambda *effects: make_melee(five(*effects, **facts), target or troop())  # type: ignore[arg-type]


def struck(attacker: Json | None = None, **facts: object) -> Make:
    """It is in effect on those who are struck."""
    return lambda *effects: make_melee(attacker or five(), troop(*effects, **facts))  # type: ignore[arg-type]


def first(**facts: object) -> Make:
    """Those it is in effect on fight a round against others who are quicker."""
    quick = make_side(make_group(20, profile={"I": 5, "S": 5}), width=5)
    return lambda *effects: make_clash("combat_round", attacker=five(*effects, **facts), defender=quick)  # type: ignore[arg-type]


def shooting(**facts: object) -> Make:
    """It is in effect on archers."""
    return lambda *effects: make_clash("shooting", attacker=five(*effects, weapons=["longbow"]), defender=troop())


def shot_at() -> Make:
    """It is in effect on the target of archers."""
    return lambda *effects: make_clash("shooting", attacker=five(weapons=["longbow"]), defender=troop(*effects))


def stormed() -> Make:
    """It is in effect on those who are charged."""
    return lambda *effects: make_clash("combat_round", attacker=troop() | {"charged": True}, defender=troop(*effects))


def on_trial(test: str = "other") -> Make:
    """It is in effect on those who take a leadership test."""
    return lambda *effects: make_clash("leadership_test", unit=troop(*effects), conditions={"test": test})


def beaten() -> Make:
    """It is in effect on those who have lost a combat by three."""
    return lambda *effects: make_clash("break_test", unit=troop(*effects), conditions={"lost_combat_by": 3})


def charging() -> Make:
    """It is in effect on those who charge from twelve inches."""
    return lambda *effects: make_clash("charge", unit=troop(*effects), conditions={"distance": 12})


def crossing(terrain: str, **facts: object) -> Make:
    """It is in effect on those who cross dangerous terrain."""
    return lambda *effects: make_clash(
        "dangerous_terrain",
        unit=five(*effects, **facts),
        conditions={"terrain": terrain},  # type: ignore[arg-type]
    )


def dropped() -> Make:
    """It is in effect on those who have to jump out of a pit."""
    return lambda *effects: make_clash(
        "spell", spell="Pit of Shades", defender=troop(*effects), conditions={"models_covered": 6}
    )


def burnt() -> Make:
    """It is in effect on the target of a Fireball."""
    return lambda *effects: make_clash("spell", spell="Fireball", defender=troop(*effects))


def channelling() -> Make:
    """It is in effect where two wizards channel."""
    return lambda *effects: make_clash("winds_of_magic", caster={"wizards": 2}, attacker=five(*effects))


def thorns() -> Make:
    """It is in effect on the caster of a spell of Life."""
    return lambda *effects: make_clash("spell", spell="Shield of Thorns", attacker=five(*effects), defender=troop())


W, HIT = "unsaved_wounds", "wounds_lost"
GREAT = five(profile={"S": 5})

EFFECTS: Mapping[str, Row] = {
    "Flaming Sword of Rhuin": (striking(), W, True),
    "Wyssan's Wildform": (striking(), W, True),
    "Pann's Impenetrable Pelt": (struck(), W, False),
    "The Curse of Anraheir": (striking(), W, False),
    "The Savage Beast of Horros": (striking(), W, True),
    "Plague of Rust": (struck(), W, True),
    "Enchanted Blades of Aiban": (striking(), W, True),
    "Glittering Robe": (struck(), W, False),
    "Transmutation of Lead": (struck(), W, True),
    "Pha's Protection": (struck(), W, False),
    "The Speed of Light": (striking(), W, True),
    "Light of Battle": (on_trial(), "p_pass", True),
    "Birona's Timewarp": (striking(), W, True),
    "Earth Blood": (struck(), W, False),
    "Flesh to Stone": (struck(), W, False),
    "Throne of Vines": (thorns(), W, True),
    "Iceshard Blizzard": (striking(), W, False),
    "Harmonic Convergence": (striking(), W, True),
    "Curse of the Midnight Wind": (striking(), W, False),
    "Melkoth's Mystifying Miasma": (struck(five(profile={"WS": 2})), W, True),
    "Melkoth's Mystifying Miasma (WS)": (struck(five(profile={"WS": 2})), W, True),
    "Melkoth's Mystifying Miasma (BS)": (shooting(), W, False),
    "Melkoth's Mystifying Miasma (I)": (dropped(), "models_slain", True),
    "Melkoth's Mystifying Miasma (M)": (charging(), "p_success", False),
    "Melkoth's Mystifying Miasma (all)": (dropped(), "models_slain", True),
    "The Enfeebling Foe": (striking(), W, False),
    "The Withering": (struck(), W, True),
    "Okkam's Mindrazor": (striking(), W, True),
    "Aspect of the Dreadknight": (striking(troop(profile={"Ld": 3})), W, True),
    "Aspect of the Dreadknight (Terror)": (
        lambda *effects: make_clash(
            "combat_round", attacker=five(*effects) | {"charged": True}, defender=troop(profile={"Ld": 3})
        ),
        "p_defender_flees",
        True,
    ),
    "Soulblight": (struck(), W, True),
    "Doom and Darkness": (on_trial(), "p_pass", False),
}

NO_NUMBER = frozenset({"Transformation of Kadon", "Steed of Shadows"})
"""Spells that move or replace a model: nothing in a single attack (the profiles are not in the rules text)."""

TERRAIN: Mapping[str, Row] = {
    "Anvil of Vaul": (striking(troop(rules=("Ethereal",))), W, True),
    "Earthblood Mere": (struck(), W, False),
    "Misty Mire": (shot_at(), W, False),
    "Altar of Khaine": (striking(), W, True),
    "Baleful Stone": (struck(), W, True),
    "Charnel Pit": (on_trial(), "p_pass", False),
    "Magic Circle": (burnt(), W, False),
    "Acropolis of Heroes": (beaten(), "p_pass", True),
    "Dwarf Brewery": (beaten(), "p_pass", True),
    "Dwarf Brewery (Dwarfs)": (beaten(), "p_pass", True),
    "Grail Chapel": (struck(), W, False),
    "Grail Chapel (Bretonnia)": (beaten(), "p_pass", True),
    "Tower of Blood": (striking(), W, True),
    "Tower of Blood (Destruction)": (striking(), W, True),
    "Sigmarite Shrine": (struck(profile={"Ward": "4+"}), W, True),
    "Idol of Gork": (charging(), "p_success", True),
    "Elven Waystone": (channelling(), "power_dice", True),
    "Arcane Ruins": (channelling(), "power_dice", True),
    "Haunted Mansion": (striking(troop(profile={"Ld": 3})), W, True),
    "Dense Forest": (striking(troop(profile={"Ld": 3})), W, True),
    "Fungus Forest": (charging(), "p_success", False),
    "Fungus Forest (Goblins)": (beaten(), "p_pass", True),
    "Poison Forest": (striking(), W, True),
    "Necrotic River": (shooting(), W, True),
    "Wild River": (first(), HIT, True),
    "Blood River": (striking(troop(profile={"Ld": 3})), W, True),
    "Scree Slope": (crossing("obstacle"), "wounds", True),
    "Khemrian Quicksand": (crossing("marsh", troop_type="monstrous_infantry", profile={"W": 3}), "wounds", True),
    "Hedge": (struck(), W, False),
    "Wall": (shot_at(), W, False),
    "Burning Barricade": (stormed(), "attacker_wounds_lost", True),
    "Blessed Bulwark": (struck(), W, False),
    "Blessed Bulwark (against Destruction)": (struck(), W, False),
    "Ghost Fence": (struck(five(profile={"Ld": 3, "WS": 4})), W, False),
}


def test_every_spell_and_terrain_has_its_row() -> None:
    names = {spell.en for lore in lores().values() for spell in lore.spells}
    assert {name.partition(" (")[0] for name in EFFECTS} | SPELLS.keys() | {"Regrowth"} | NO_NUMBER == names
    assert EFFECTS.keys() | TERRAIN.keys() == ROWS.keys()
    assert TERRAIN.keys() == TERRAIN_NAMES.keys()
    assert {place for row in ROWS.values() for place in row.counts} == set(get_args(EffectPlace))


def test_what_an_effect_gives_is_a_rule_with_a_row() -> None:
    for row in ROWS.values():
        assert len(row.modifier.rules) == len(row.modifier.gives)


@pytest.mark.parametrize("name", sorted(EFFECTS.keys() | TERRAIN.keys()))
def test_effect_counts(name: str) -> None:
    make, number, more = (EFFECTS | TERRAIN)[name]
    plain, changed = outcome(make()), outcome(make(name))
    without, with_it = plain.metrics.get(number, 0.0), changed.metrics[number]
    assert name in changed.modelled
    assert (with_it > without + 1e-9) if more else (with_it < without - 1e-9), (without, with_it)


@pytest.mark.parametrize("name", sorted(TERRAIN))
def test_terrain_by_its_russian_name(name: str) -> None:
    make, number, _ = TERRAIN[name]
    assert metric(make(TERRAIN_NAMES[name].ru), number) == pytest.approx(metric(make(name), number))


@pytest.mark.parametrize("name", sorted(SPELLS))
def test_spell_does_damage(name: str) -> None:
    rules = ("Fly",) if name in HARMLESS else ()
    target = make_side(
        make_group(18, *rules, armour=["heavy armour"], profile={"S": 3, "T": 3, "I": 3}, troop_type="monstrous_beast"),
        width=6,
    )
    document = make_clash(
        "spell", spell=name, defender=target, caster={"wizard_level": 2, "Ld": 9}, conditions={"models_covered": 6}
    )
    assert metric(document, "models_slain") > 0


def test_the_acropolis_helps_its_garrison() -> None:
    plain, held = (
        make_clash("building_assault", attacker=troop(), defender=troop(*effects) | {"terrain": "building"})
        for effects in ((), ("Acropolis of Heroes",))
    )
    assert metric(held, "p_lose") > metric(plain, "p_lose") + 1e-9


@pytest.mark.parametrize(
    ("name", "wounds"),
    [
        ("Sinister Statue", 3.5 / 2 * 4 / 6),
        ("Haunted Mansion", 3.5 / 6),
        ("Tangled Forest", 3.5 / 2 * 4 / 6),
        ("Blood Forest", 3.5 * 4 / 6),
        ("Boiling River", 20 * 4 / 6),
        ("Magic Portal", 3.5 / 6 * 4 / 6),
        ("Волшебный портал", 3.5 / 6 * 4 / 6),
    ],
)
def test_terrain_that_hits(name: str, wounds: float) -> None:
    """Twenty warriors; light armour is no help against Strength 4."""
    assert set(HAZARD_NAMES.values()) == HAZARDS.keys()
    document = make_clash("spell", spell=name, defender=troop())
    assert metric(document) == pytest.approx(wounds)
    resisting = make_clash("spell", spell=name, defender=troop(rules=("Magic Resistance (2)",)))
    magical = name in ("Magic Portal", "Волшебный портал")
    assert metric(resisting) == pytest.approx(wounds * (4 / 6 if magical else 1))


def test_regrowth() -> None:
    document = make_clash("spell", spell="Regrowth", defender=troop())
    assert metric(document, "wounds_restored") == pytest.approx(3)
    throned = document | {"attacker": five("Throne of Vines")}
    assert metric(throned, "wounds_restored") == pytest.approx(4.5)
    cast = document | {"caster": {"wizard_level": 4}, "dice": 3}
    assert metric(cast, "wounds_restored") == pytest.approx(3 * metric(cast, "p_cast"))


# Weapons


def fought(weapon: str, **facts: object) -> Json:
    """Fifteen warriors with this weapon."""
    return make_side(make_group(15, weapons=[weapon], **facts), width=5)  # type: ignore[arg-type]


ARMED: Mapping[str, tuple[Callable[[str], Json], str, bool]] = {
    "flail": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "great weapon": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "halberd": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "lance": (lambda weapon: make_melee(fought(weapon) | {"charged": True}, troop()), W, True),
    "morning star": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "spear": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "cavalry spear": (lambda weapon: make_melee(fought(weapon) | {"charged": True}, troop()), W, True),
    "additional hand weapon": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
    "brace of pistols": (lambda weapon: make_melee(fought(weapon), troop()), W, True),
}
"""Close combat weapons against a hand weapon."""

LATER: Mapping[str, bool] = {"flail": True, "morning star": True, "lance": False, "halberd": False}
"""Whether the weapon is worth less in the second round of a combat."""

FIRED: Mapping[str, tuple[float, int]] = {
    "bow": (24, 3),
    "crossbow": (30, 4),
    "handgun": (24, 4),
    "javelin": (12, 3),
    "longbow": (30, 3),
    "pistol": (12, 4),
    "brace of pistols": (12, 4),
    "short bow": (18, 3),
    "sling": (18, 3),
    "throwing weapons": (6, 3),
    "throwing axes": (6, 4),
    "bolt thrower": (48, 6),
    "cannon": (48, 10),
    "great cannon": (60, 10),
    "grapeshot": (12, 5),
    "fire thrower": (0, 5),
    "stone thrower": (60, 3),
}
"""Range in inches (0: none is printed) and Strength, of a bearer with Strength 3. Source: L784-883, L1070-1146."""


def test_every_weapon_has_its_row() -> None:
    assert ARMED.keys() == MELEE.keys() - {"hand weapon"}
    assert FIRED.keys() == MISSILE.keys()


@pytest.mark.parametrize("name", sorted(ARMED))
def test_melee_weapon_counts(name: str) -> None:
    make, number, _ = ARMED[name]
    assert metric(make(name), number) > metric(make("hand weapon"), number) + 1e-9


@pytest.mark.parametrize("name", sorted(LATER))
def test_weapons_of_the_first_round(name: str) -> None:
    first_round, second = (metric(make_melee(fought(name), troop(), combat_round=number)) for number in (1, 2))
    assert (first_round > second + 1e-9) == LATER[name]


@pytest.mark.parametrize("name", sorted(FIRED))
def test_missile_weapon_counts(name: str) -> None:
    """It wounds as its Strength says as far as it reaches, and nobody beyond."""
    reach, strength = FIRED[name]
    machine = MISSILE[name].machine

    def volley(distance: float) -> Json:
        shooter = make_group(1, weapons=[name], troop_type="war_machine" if machine else "infantry")
        target = make_side(make_group(5, profile={"T": 6}), width=5)
        return make_clash(
            "shooting",
            attacker=make_side(shooter),
            defender=target,
            conditions={"distance": distance, "models_covered": 1, "long_range": False},
        )

    automatic = MISSILE[name].template or MISSILE[name].artillery_hits
    hit = 1 if automatic else 4 / 6 - 1 / 6
    wound = max(1, min(5, 4 + strength - 6 - 1)) / 6
    assert metric(volley(reach or 3)) == pytest.approx(hit * wound)
    if reach:
        assert metric(volley(reach + 0.1)) == 0
