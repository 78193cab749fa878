"""Damage of single spells, worked out by hand."""

from math import comb

import pytest

from armybuilder.engine.errors import BadDocument
from tests.engine.systems.fantasy_8th.combat.builders import Json, make_clash, make_group, make_side, metric, outcome


def make_spell(name: str, *rules: str, profile: Json | None = None, count: int = 18, side: Json | None = None,
               **members: object) -> Json:  # fmt: skip
    """A spell on eighteen warriors in three ranks."""
    target = make_side(make_group(count, *rules, profile=profile), **{"width": 6, **(side or {})})
    return make_clash("spell", spell=name, defender=target, **members)


THRONE = {"attacker": make_side(make_group(1), effects=["Throne of Vines"])}
COVERED = {"conditions": {"models_covered": 6}}


@pytest.mark.parametrize(
    ("case", "document", "wounds"),
    [
        ("fireball", make_spell("Fireball"), 3.5 * 4 / 6),
        ("stronger fireball", make_spell("Fireball", casting_value=10), 7 * 4 / 6),
        ("strongest fireball", make_spell("Fireball", casting_value=18), 10.5 * 4 / 6),
        ("fire and regeneration", make_spell("Fireball", "Regeneration"), 3.5 * 4 / 6),
        ("water and regeneration", make_spell("Urannon's Thunderbolt", "Regeneration"), 3.5 * 5 / 6 / 2),
        ("magic resistance", make_spell("Fireball", "Magic Resistance (2)"), 3.5 * 4 / 6 * 4 / 6),
        ("resistance and ward", make_spell("Fireball", "Magic Resistance (2)", profile={"Ward": "6+"}),
         3.5 * 4 / 6 / 2),
        ("searing doom", make_spell("Searing Doom", profile={"Sv": "4+"}), 3.5 / 2),
        ("searing doom on plate", make_spell("Searing Doom", profile={"Sv": "1+"}), 3.5 * 5 / 6),
        ("searing doom on bare skin", make_spell("Searing Doom"), 0),
        ("stronger searing doom", make_spell("Searing Doom", profile={"Sv": "4+"}, casting_value=20), 7 / 2),
        ("golden hounds", make_spell("Gehenna's Golden Hounds", profile={"Sv": "2+"}), 3.5 * 5 / 6),
        ("flock of doom", make_spell("The Flock of Doom"), 7 * 2 / 6),
        ("amber spear", make_spell("Amber Spear", profile={"Sv": "2+"}), 5 / 6 * (1 + 5 / 6 * (1 + 4 / 6))),
        ("amber spear at one rank", make_spell("Amber Spear", side={"width": 18}), 5 / 6),
        ("amber spear in a building", make_spell("Amber Spear", side={"terrain": "building"}), 5 / 6),
        ("gaze", make_spell("Shem's Burning Gaze", casting_value=15), 3.5 * 5 / 6),
        ("gaze at the undead", make_spell("Shem's Burning Gaze", "Undead"), 7 * 4 / 6),
        ("banishment", make_spell("Banishment", profile={"Ward": "4+"}), 7 * 4 / 6 * 3 / 4),
        ("wood", make_spell("Awakening of the Wood"), 3.5 * 4 / 6),
        ("wood from the throne", make_spell("Awakening of the Wood", **THRONE), 3.5 * 5 / 6),
        ("thorns", make_spell("Shield of Thorns"), 7 / 2),
        ("thorns from the throne", make_spell("Shield of Thorns", **THRONE), 7 * 4 / 6),
        ("banishment by three", make_spell("Banishment", caster={"wizards": 3}), 7 * 5 / 6),
        ("cage", make_spell("Fulminating Flame Cage"), 3.5 * 4 / 6),
        ("cage that is left", make_spell("Fulminating Flame Cage", side={"moved": True}), 21.5 * 4 / 6),
        ("hex on flyers", make_spell("Iceshard Blizzard", "Fly"), 3.5 * 4 / 6),
        ("cloak", make_spell("Cascading Fire-Cloak"), 7 * 4 / 6),
        ("storm over a building", make_spell("Flame Storm", side={"terrain": "building"}), 3.5 * 4 / 6),
        ("storm over few", make_spell("Flame Storm", count=3, **COVERED), 2),
        ("scroll of shielding", make_spell("Fireball") | {"defender": make_side(
            make_group(18, magic_items=["Scroll of Shielding"]), width=6)}, 3.5 * 4 / 6 / 2),
        ("wood in a forest", make_spell("Awakening of the Wood", side={"terrain": "forest"}), 7 * 4 / 6),
        ("thunderbolt at flyers", make_spell("Urannon's Thunderbolt", "Fly"), 3.5 * 5 / 6 + 3.5 * 4 / 6),
        ("chain lightning", make_spell("Chain Lightning"), 3.5 * 5 / 6),
        ("bolts on three ranks", make_spell("Piercing Bolts of Burning"), 3 * 2 / 2),
        ("burning head", make_spell("The Burning Head", **COVERED), 4),
        ("flame storm", make_spell("Flame Storm", **COVERED), 4),
        ("pendulum", make_spell("The Penumbral Pendulum", **COVERED), 6 / 2 * 5 / 6),
        ("fate", make_spell("The Fate of Bjuna", profile={"T": 2}), 5 * 5 / 6),
        ("caress", make_spell("The Caress of Laniph", profile={"S": 2}), 5 / 2),
        ("net", make_spell("Net of Amyntok"), 3.5 / 2 * 4 / 6),
        ("wind", make_spell("Wind Blast"), 3.5 / 2),
        ("ethereal", make_spell("Fireball", "Ethereal"), 3.5 * 4 / 6),
        ("withered", make_spell("Fireball", side={"effects": ["Soulblight"]}), 3.5 * 5 / 6),
    ],
)  # fmt: skip
def test_hits(case: str, document: Json, wounds: float) -> None:
    assert metric(document) == pytest.approx(wounds), case


def test_the_comet_grows_until_it_lands() -> None:
    """2D6 and as many hits as there are markers, at Strength 4 and as many; half of the time one phase later."""
    expected = sum(0.5 ** min(m, 11) * (7 + m) * 5 / 6 for m in range(1, 13))
    assert metric(make_spell("Comet of Casandora", profile={"T": 3})) == pytest.approx(expected)
    twice = sum(0.5 ** min(m, 11) * (7 + 2 * m) * 5 / 6 for m in range(1, 13))
    assert metric(make_spell("Comet of Casandora", casting_value=24)) == pytest.approx(twice)


def test_losses_to_spells_bring_panic() -> None:
    """The Dwellers take half of four or more of eight: Ld 7 is failed in 15 of 36."""
    metrics = outcome(make_spell("The Dwellers Below", count=8)).metrics
    lost = sum(comb(8, k) for k in range(2, 8)) / 2**8
    assert metrics["p_panic_test"] == pytest.approx(lost)
    assert metrics["p_flees"] == pytest.approx(lost * 15 / 36)
    burnt = outcome(make_spell("Flame Storm", count=8, conditions={"models_covered": 2})).metrics
    assert burnt["p_panic_test"] == pytest.approx((4 / 6) ** 2)


def test_one_model_is_not_the_unit() -> None:
    document = make_spell("The Fate of Bjuna", profile={"T": 1})
    assert metric(document, "models_slain") > 0.9
    assert metric(document, "p_destroyed") == 0
    assert metric(make_spell("The Fate of Bjuna", profile={"T": 1}, count=1), "p_destroyed") > 0.9


def test_death_feeds_on_wounds() -> None:
    assert metric(make_spell("The Fate of Bjuna", profile={"T": 2}), "power_dice") == pytest.approx(5 * 5 / 6 / 3)
    sun = make_spell("The Purple Sun of Xereus", profile={"I": 1, "W": 2}, **COVERED)
    assert metric(sun, "power_dice") == pytest.approx(5 * 2 / 3)
    assert "power_dice" not in outcome(make_spell("Fireball")).metrics


@pytest.mark.parametrize(
    ("case", "members", "works"),
    [
        ("two dice", {"dice": 2, "caster": {"wizard_level": 2}}, 35 / 36),
        ("no level", {"dice": 2, "caster": {}}, 30 / 36),
        ("the stronger form", {"dice": 2, "caster": {"wizard_level": 2}, "casting_value": 10}, 15 / 36),
        ("dispel scroll", {"dice": 2, "caster": {"wizard_level": 2}, "items": ["Dispel Scroll"]}, 1 / 36),
    ],
)
def test_a_whole_attempt(case: str, members: Json, works: float) -> None:
    """The numbers of the spell, as often as it takes effect."""
    items = members.pop("items", [])
    target = make_side(make_group(18, magic_items=items), width=6)
    document = make_spell("Fireball", **members) | {"defender": target}
    hits = 7 if "casting_value" in members else 3.5
    answer = outcome(document)
    assert answer.metrics["p_takes_effect"] == pytest.approx(works), case
    assert answer.metrics["unsaved_wounds"] == pytest.approx(works * hits * 4 / 6), case
    assert sum(answer.distributions["models_slain"].values()) == pytest.approx(1), case


def test_spirit_leech() -> None:
    """Ld 9 against Ld 7: every pair of dice."""
    wounds = sum(max(0, 9 + a - 7 - b) for a in range(1, 7) for b in range(1, 7)) / 36
    document = make_spell("Spirit Leech", profile={"W": 9, "Sv": "2+"}, count=1, caster={"Ld": 9})
    assert metric(document) == pytest.approx(wounds)
    assert metric(document, "wounds_lost") == pytest.approx(wounds)


@pytest.mark.parametrize(
    ("case", "document", "slain"),
    [
        ("transmutation", make_spell("Final Transmutation", profile={"Sv": "1+", "Ward": "2+"}), 6),
        ("transmutation of ogres", make_spell("Final Transmutation", profile={"W": 3}), 3),
        ("dwellers", make_spell("The Dwellers Below"), 9),
        ("dwellers and the strong", make_spell("The Dwellers Below", profile={"S": 9}), 3),
        ("pit", make_spell("Pit of Shades", **COVERED), 3),
        ("purple sun", make_spell("The Purple Sun of Xereus", profile={"I": 1}, **COVERED), 5),
    ],
)
def test_removals(case: str, document: Json, slain: float) -> None:
    assert metric(document, "models_slain") == pytest.approx(slain), case


def test_shielded_target() -> None:
    target = make_side(make_group(18, magic_items=["Obsidian Lodestone"]), width=6)
    document = make_clash("spell", spell="Fireball", defender=target)
    assert metric(document) == pytest.approx(3.5 * 4 / 6 / 2)
    assert "Obsidian Lodestone" in outcome(document).modelled


@pytest.mark.parametrize(
    ("spell", "at"),
    [
        ("Melkoth's Mystifying Miasma", "/spell"),
        ("Abracadabra", "/spell"),
        ("Flame Storm", "/conditions/models_covered"),
        ("Pit of Shades", "/conditions/models_covered"),
        ("Spirit Leech", "/caster/Ld"),
    ],
)
def test_spells_that_cannot_be_resolved(spell: str, at: str) -> None:
    with pytest.raises(BadDocument) as refusal:
        outcome(make_spell(spell))
    assert refusal.value.at == at
