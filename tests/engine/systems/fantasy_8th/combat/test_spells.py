"""Damage of single spells, worked out by hand."""

import pytest

from armybuilder.engine.errors import BadDocument
from tests.engine.systems.fantasy_8th.combat.builders import Json, make_clash, make_group, make_side, metric, outcome


def make_spell(name: str, *rules: str, profile: Json | None = None, count: int = 18, side: Json | None = None,
               **members: object) -> Json:  # fmt: skip
    """A spell on eighteen warriors in three ranks."""
    target = make_side(make_group(count, *rules, profile=profile), **{"width": 6, **(side or {})})
    return make_clash("spell", spell=name, defender=target, **members)


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
        ("amber spear", make_spell("Amber Spear", profile={"Sv": "2+"}), 5 / 6),
        ("gaze", make_spell("Shem's Burning Gaze", casting_value=15), 3.5 * 5 / 6),
        ("gaze at the undead", make_spell("Shem's Burning Gaze", "Undead"), 7 * 4 / 6),
        ("banishment", make_spell("Banishment", profile={"Ward": "4+"}), 7 * 4 / 6 * 3 / 4),
        ("wood", make_spell("Awakening of the Wood"), 3.5 * 4 / 6),
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
