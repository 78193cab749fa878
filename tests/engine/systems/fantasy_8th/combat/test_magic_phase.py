"""Dice of the magic phase with items, lores and terrain: every roll counted one by one."""

from collections.abc import Callable
from itertools import product

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_side,
    metric,
    outcome,
)

Rolls = tuple[int, ...]


def share(number: int, holds: Callable[[Rolls], bool]) -> float:
    """In how many of all rolls of some dice this holds."""
    return sum(holds(faces) for faces in product(range(1, 7), repeat=number)) / 6**number


def hero(*items: str, **profile: int) -> Json:
    """A wizard alone, with two wounds."""
    return make_side(make_hero(*items, profile={"W": 2, "T": 3} | profile))


def cast(*items: str, dice: int = 2, value: int = 9, level: int = 1, **facts: object) -> Json:
    """An attempt of the bearer of these items."""
    return make_clash(
        "cast_spell", caster={"wizard_level": level}, dice=dice, casting_value=value, attacker=hero(*items), **facts
    )


def reaches(total: int, faces: Rolls) -> bool:
    """Cast by a total, or by two sixes; less than three never does."""
    return faces.count(6) >= 2 or (sum(faces) >= 3 and sum(faces) >= total)


def helped(faces: Rolls) -> bool:
    """The last die is only used where the others fall short of eight."""
    return reaches(8, faces[:-1]) or reaches(8, faces)


@pytest.mark.parametrize(
    ("case", "document", "name", "expected"),
    [
        ("plain", cast(), "p_cast", share(2, lambda faces: reaches(8, faces))),
        ("book", cast("Book of Ashur"), "p_cast", share(2, lambda faces: reaches(7, faces))),
        ("stone", cast("Power Stone", dice=1), "p_cast", share(3, lambda faces: reaches(8, faces))),
        ("scroll of power", cast("Power Scroll"), "p_irresistible", 1 / 6),
        ("scroll of power, three dice", cast("Power Scroll", dice=3), "p_irresistible",
         share(3, lambda faces: len(set(faces)) < 3)),
        ("wand", cast("Wand of Jet"), "p_cast", share(3, helped)),
        ("wand and sixes", cast("Wand of Jet", value=30), "p_irresistible",
         share(3, lambda faces: faces.count(6) >= 2)),
        ("ring", cast("Ruby Ring of Ruin", value=5, level=0, spell="Fireball"), "p_cast", 35 / 36),
        ("ring of a wizard", cast("Ruby Ring of Ruin", value=5, level=2, spell="Fireball"), "p_cast", 35 / 36),
        ("beasts on cavalry", cast(spell="The Flock of Doom", defender=make_side(
            make_group(5, troop_type="cavalry"))), "p_cast", share(2, lambda faces: reaches(7, faces))),
        ("beasts on men", cast(spell="The Flock of Doom", defender=make_side()), "p_cast",
         share(2, lambda faces: reaches(8, faces))),
        ("kindled flame", cast(spell="Fireball", defender=make_side(effects=["Flame Storm"])), "p_cast",
         sum(share(2, lambda faces, more=more: reaches(8 - more, faces)) for more in (1, 2, 3)) / 3),  # type: ignore[misc]
        ("no flame of a blessing", cast(spell="Fireball", defender=make_side(effects=["Flaming Sword of Rhuin"])),
         "p_cast", share(2, lambda faces: reaches(8, faces))),
        ("toad", cast(defender=hero("Sivejir's Hex Scroll")), "p_toad",
         share(2, lambda faces: reaches(8, faces)) * 5 / 6),
        ("feedback", cast(defender=hero("Feedback Scroll")), "attacker_wounds_lost",
         share(2, lambda faces: reaches(8, faces)) * 2 / 3),
        ("feedback kills but once", cast(dice=6, level=4, defender=hero("Feedback Scroll")), "attacker_wounds_lost",
         share(6, lambda faces: reaches(5, faces)) * (2 - 2 * (2 / 3) ** 6 - 6 / 3 * (2 / 3) ** 5)),
    ],
)  # fmt: skip
def test_casting(case: str, document: Json, name: str, expected: float) -> None:
    assert metric(document, name) == pytest.approx(expected), case


def dispelled(*items: str, theirs: tuple[str, ...] = (), level: int = 1, **conditions: object) -> Json:
    """Two dice against a total of nine."""
    return make_clash(
        "dispel", dispeller={"wizard_level": level}, dice=2, casting_total=9, attacker=hero(*theirs),
        defender=hero(*items), conditions=conditions,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("case", "document", "name", "expected"),
    [
        ("plain", dispelled(), "p_dispel", share(2, lambda faces: reaches(8, faces))),
        ("book", dispelled("Book of Ashur"), "p_dispel", share(2, lambda faces: reaches(7, faces))),
        ("sceptre", dispelled("Sceptre of Stability"), "p_dispel", share(3, helped)),
        ("scroll", dispelled("Dispel Scroll"), "p_dispel", 1),
        ("scroll against irresistible force", dispelled("Dispel Scroll", irresistible_cast=True), "p_dispel", 0),
        ("shard", dispelled(theirs=("Trickster's Shard",)), "wounds_lost",
         share(2, lambda faces: reaches(8, faces)) / 3),
    ],
)  # fmt: skip
def test_dispelling(case: str, document: Json, name: str, expected: float) -> None:
    assert metric(document, name) == pytest.approx(expected), case


def test_the_army_has_no_mage_to_hurt() -> None:
    assert "wounds_lost" not in outcome(dispelled(theirs=("Trickster's Shard",), level=0)).metrics


def winds(*items: str, effects: tuple[str, ...] = (), wizards: int = 0) -> Json:
    """Winds of magic for wizards who carry these items."""
    return make_clash("winds_of_magic", caster={"wizards": wizards}, attacker=hero(*items) | {"effects": list(effects)})


@pytest.mark.parametrize(
    ("case", "document", "dice"),
    [
        ("two wizards", winds(wizards=2), 7 + 2 / 6),
        ("staff", winds("Channelling Staff", wizards=2), 7 + 1 / 6 + 2 / 6),
        ("staff of nobody", winds("Channelling Staff"), 7),
        ("waystone", winds(effects=("Elven Waystone",), wizards=2), 7 + 4 / 6),
        ("ruins", winds(effects=("Arcane Ruins",), wizards=1), 7 + 4 / 6),
        ("rod", winds("Forbidden Rod"), sum(
            min(12, a + b + c) for a, b, c in product(range(1, 7), repeat=3)) / 216),
    ],
)  # fmt: skip
def test_winds(case: str, document: Json, dice: float) -> None:
    capped = {"two wizards", "staff", "waystone", "ruins"}
    found = metric(document, "power_dice")
    assert found == pytest.approx(dice, abs=0.04 if case in capped else 1e-9), case
    if case in capped:
        assert found < dice, "the pool holds twelve"


def test_the_rod_hurts() -> None:
    assert metric(winds("Forbidden Rod"), "attacker_wounds_lost") == pytest.approx((1 + 2 + 2) / 3), "two wounds"


def test_miscasts_of_a_known_wizard() -> None:
    """S10 wounds T3 on 2+ in 4 and 5-6, S6 in 8-9; a ward of 4+ saves half."""
    document = make_clash("miscast", attacker=hero("Talisman of Preservation"))
    heavy, light = (6 + 9) / 36, 9 / 36
    assert metric(document, "attacker_wounds_lost") == pytest.approx((heavy + light) * 5 / 6 / 2)
    assert metric(document, "p_wizard_lost") == pytest.approx(6 / 36 / 2)
    rod = make_clash("miscast", attacker=hero("Earthing Rod"))
    assert metric(rod, "p_wizard_lost") == pytest.approx((6 / 36) ** 2 / 2)
    throne = make_clash("miscast", attacker=hero() | {"effects": ["Throne of Vines"]})
    assert metric(throne, "p_wizard_lost") == pytest.approx(6 / 36 / 2 / 6)
    assert outcome(throne).distributions["miscast_result"]["-"] == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("spell", "target"),
    [
        ("The Curse of Anraheir", make_side(make_group(5, troop_type="war_beast"))),
        ("The Burning Head", make_side(make_group(5), effects=["Fireball"])),
    ],
)
def test_a_lore_helps_whether_or_not_the_article_is_written(spell: str, target: Json) -> None:
    chances = [
        metric(cast(spell=name, defender=target), "p_cast")
        for name in (spell, spell.removeprefix("The "), "Shield of Saphery")
    ]
    assert chances[0] == chances[1] > chances[2]
