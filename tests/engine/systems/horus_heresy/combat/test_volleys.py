"""Shooting in detail: markers and Flyers, cover of machines, overheating, fear, night, and what the data writes."""

from decimal import Decimal
from fractions import Fraction as F  # noqa: N817 - many small fractions

import pytest

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.matrix import shooting_matrix
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SPECIAL_RULES
from armybuilder.engine.systems.horus_heresy.combat.vehicle_damage import Squadron
from armybuilder.engine.systems.horus_heresy.roster.fighters import weapon_of
from tests.engine.systems.horus_heresy.combat.builders import (
    LEGIONARY,
    Json,
    make_blade,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    metric,
    run,
    side_of,
)

HIT, WOUND, UNSAVED = F(2, 3), F(1, 2), F(1, 3)


def fired(weapon: Json, target: Json | None = None, *, group: Json | None = None, **conditions: object) -> Json:
    """One model fires this weapon."""
    attacker = make_side(make_group(1, weapons=[weapon], **(group or {})))
    return make_duel("shooting", attacker, target or make_side(), **conditions)


@pytest.mark.parametrize("rules", [("Blast",), ("Template",), ("Barrage",)])
def test_no_marker_hits_a_zooming_flyer(rules: tuple[str, ...]) -> None:
    """Not even one fired with Skyfire (L2395); one that hovers is hit."""
    gun = make_weapon("Skyfire", *rules, S=9)
    assert metric(fired(gun, make_side(make_tank(12, subtypes=["flyer"])), models_covered=1), "hits") == 0.0
    assert metric(fired(gun, make_side(make_tank(12, subtypes=["flyer", "hover"])), models_covered=1), "hits") == 1.0


def test_antigrav_machines_have_no_cover() -> None:
    gun = make_weapon(S=9)
    covered = metric(fired(gun, make_side(make_tank(12), cover="4+")), "hull_points_lost")
    afloat = metric(fired(gun, make_side(make_tank(12, subtypes=["antigrav"]), cover="4+")), "hull_points_lost")
    assert afloat == pytest.approx(2 * covered)


@pytest.mark.parametrize(
    ("rules", "skill", "burnt"),
    [((), 4, F(1, 6)), (("Twin-linked",), 4, F(1, 36)), ((), 6, F(1, 36)), (("Master-crafted",), 4, F(1, 36))],
)
def test_who_re_rolls_re_rolls_the_heat_of_a_mortar(rules: tuple[str, ...], skill: int, burnt: F) -> None:
    """Weapons that roll nothing to hit (L3055): a second 1 burns the gunner and no shot is made."""
    document = fired(make_weapon("Blast", "Gets Hot", *rules, AP=2), group={"profile": {"BS": skill}}, models_covered=3)
    assert metric(document, "attacker_models_slain") == pytest.approx(float(burnt))
    assert metric(document, "hits") == pytest.approx(float(3 * (1 - burnt)))
    rolled = run(document, method="montecarlo", trials=20_000, seed=5)
    assert rolled.metrics["attacker_models_slain"] == pytest.approx(float(burnt), abs=0.01)


@pytest.mark.parametrize(("distance", "leadership_fails"), [(12, F(21, 36)), (13, F(15, 36))])
def test_fear_is_felt_within_twelve_inches(distance: int, leadership_fails: F) -> None:
    document = fired(make_weapon("Pinning"), group={"rules": ["Fear (1)"]}, distance=distance)
    assert metric(document, "p_pinned") == pytest.approx(float(HIT * WOUND * UNSAVED * leadership_fails))
    assert ("Fear (1)" in run(document).modelled) is (distance == 12)


def test_primarchs_are_neither_blinded_nor_concussed() -> None:
    """Their characteristics are not lowered (L1611)."""
    gun = make_weapon("Blind", "Concussive (1)", AP=2)
    primarch = make_side(make_group(1, type="primarch", profile={"W": 6}))
    assert metric(fired(gun, primarch), "p_blinded") == metric(fired(gun, primarch), "p_concussed") == 0.0
    assert metric(fired(gun, make_side(make_group(1, profile={"W": 6}))), "p_blinded") > 0.0


def test_nobody_shoots_further_for_the_night() -> None:
    """Barrages need no line of sight, but their range all the same."""
    mortar = make_weapon("Barrage", range=24)
    assert metric(fired(mortar, night_fighting=True, distance=30, models_covered=2), "hits") == 0.0


@pytest.mark.parametrize(
    ("rule", "penetrates"),
    [
        ("Apocalyptic Mega-blast", F(3, 6)),  # one Strength for all zones
        ("Apocalyptic Mega-blast (10/8)", F(25, 100) * F(5, 6) + F(75, 100) * F(3, 6)),  # the last one goes on outwards
    ],
)
def test_zones_of_a_mega_blast_strike_the_side(rule: str, penetrates: F) -> None:
    tank = make_side(make_tank(12))  # 11 on the side
    document = fired(make_weapon(rule, S=8, AP=4), tank, models_covered=1)
    assert metric(document, "p_penetrating_per_hit") == pytest.approx(float(penetrates))


def test_the_data_writes_strengths_of_zones_with_strokes() -> None:
    profile = ProfileState(
        id="p",
        name="Quake Cannon",
        type_id="w",
        type_name="Weapon",
        hidden=False,
        characteristics=(
            ("Range", '24"-360"'),
            ("Strength", "10/8/6"),
            ("AP", "3"),
            ("Type", "Destroyer 1, Apocalyptic Mega-blast, Barrage"),
        ),
    )
    weapon = weapon_of(profile)
    assert weapon is not None
    assert weapon.rules == ("Apocalyptic Mega-blast (10/8/6, 3)", "Barrage", "Minimum Range (24)")
    assert (weapon.strength, weapon.range) == (10, 360.0)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Hammer of Wrath (1) [(2) if Infernal Tempest Dominion]", "hammer of wrath", "1"),
        ("Counter-Attack (X) (1)", "counter-attack", "1"),
        ("Counter Attack (1)", "counter-attack", "1"),
        ('Large (5") Blast', "large blast", None),
        ('Blast (3")', "blast", '3"'),
        ("Two- handed", "two-handed", None),
    ],
)
def test_how_the_data_writes_rules(text: str, name: str, value: str | None) -> None:
    assert SPECIAL_RULES.read(text) == (name, value)


@pytest.mark.parametrize(("rules", "fired"), [((), 1), (("Firing Protocols (2)",), 2), (("Firing Protocols (3)",), 2)])
def test_firing_protocols_count_where_lists_meet(rules: tuple[str, ...], fired: int) -> None:
    """A model fires the better of two guns; with the rule both, but none of them twice (L3037)."""
    guns = [make_weapon(name="cannon", type="Heavy 1", AP=2), make_weapon(name="rifle", AP=2)]
    gunner = side_of(make_side(make_group(1, weapons=guns, rules=list(rules))))
    robot = Fighter(unit="a", name="Robot", points=Decimal(100), side=gunner)
    enemy = Fighter(unit="b", name="Men", points=Decimal(100), side=side_of(make_side()))
    ((cell,),) = shooting_matrix([robot], [enemy])
    assert cell is not None and len(cell.weapons) == fired
    assert cell.models_slain == pytest.approx(float(fired * HIT * WOUND))


def test_who_is_immobilised() -> None:
    """A 6 on the damage table, a 5 or 6 with AP2, of a vehicle that has a hull point left; never a second time."""
    tank = make_side(make_tank(12))
    assert metric(fired(make_weapon(S=8, AP=4), tank), "p_immobilised") == pytest.approx(float(HIT * F(2, 6) / 6))
    wrecked = fired(make_weapon(S=8, AP=4), make_side(make_tank(12, hp=1)))
    assert metric(wrecked, "p_immobilised") == 0.0
    ap2 = fired(make_weapon(S=8, AP=2), tank)
    assert metric(ap2, "p_immobilised") == pytest.approx(float(HIT * F(2, 6) / 6))  # the 6 explodes
    for subtype in ("super_heavy", "flyer"):
        assert "p_immobilised" not in run(fired(make_weapon(S=8), make_side(make_tank(12, subtypes=[subtype])))).metrics
    assert "p_immobilised" not in run(fired(make_weapon(S=8), make_side(make_tank(12, immobilised=True)))).metrics
    rolled = run(ap2, method="montecarlo", trials=20_000, seed=1)
    assert rolled.metrics["p_immobilised"] == pytest.approx(float(HIT * F(2, 6) / 6), abs=0.01)


@pytest.mark.parametrize(
    ("shooter", "target", "hits"),
    [
        ({"subtypes": ["flyer"]}, {"subtypes": ["flyer"]}, HIT),  # it chooses Skyfire for the phase (L2391)
        ({"subtypes": ["flyer", "hover"]}, {"subtypes": ["flyer"]}, F(1, 6)),
        ({"subtypes": ["flyer"]}, {}, HIT),
        ({}, {"subtypes": ["flyer"]}, F(1, 6)),
    ],
)
def test_flyers_shoot_at_flyers(shooter: Json, target: Json, hits: F) -> None:
    hunter = make_side(make_tank(12, weapons=[make_weapon(S=8)], **shooter))
    assert metric(make_duel("shooting", hunter, make_side(make_tank(12, **target))), "hits") == pytest.approx(
        float(hits)
    )


def test_flyers_fire_four_guns_and_mind_no_move() -> None:
    guns = [make_weapon(name=f"gun {n}", type="Heavy 1", S=4 + n) for n in range(6)]
    flyer = side_of(make_side(make_tank(12, subtypes=["flyer"], weapons=guns), moved=True))
    tank = side_of(make_side(make_tank(12, weapons=guns)))
    men = Fighter(unit="b", name="Men", points=Decimal(100), side=side_of(make_side()))
    fired = [
        next(shooting_matrix([Fighter(unit="a", name="A", points=Decimal(100), side=side)], [men]))[0]
        for side in (flyer, tank)
    ]
    assert [len(cell.weapons) for cell in fired if cell is not None] == [4, 6]
    cannon = [make_weapon(type="Ordnance 1", S=8), make_weapon(S=4)]
    moving = make_duel(
        "shooting", make_side(make_tank(12, subtypes=["flyer"], weapons=cannon), moved=True), make_side()
    )
    assert metric(moving, "hits") == pytest.approx(float(2 * HIT))


def test_perils_of_a_machine() -> None:
    """D3 hull points of a psyker's machine for a failed check: three of them are lost at once a third of the time."""
    engine = make_tank(12, hp=3, weapons=[make_weapon("Psychic Focus")])
    engine["profile"]["Ld"] = 7
    document = make_duel("shooting", make_side(engine), make_side())
    assert metric(document, "attacker_models_slain") == pytest.approx(float(F(15, 36) * F(1, 3)))


def test_deadly_cargo_does_not_blow_up_a_giant() -> None:
    """It costs D3 more hull points instead (L2266): a glancing or penetrating hit, then a 6, then 2 on the average."""
    gun = make_weapon(S=8, AP=4)
    giant = make_side(make_tank(12, hp=12, subtypes=["super_heavy"], rules=["Deadly Cargo"]))
    assert metric(fired(gun, giant), "hull_points_lost") == pytest.approx(float(HIT * F(1, 2) * (1 + F(1, 6) * 2)))
    assert metric(fired(gun, giant), "p_destroyed") == 0.0


def test_a_hit_that_wrecks_does_not_set_deadly_cargo_off() -> None:
    """One roll for a hit that costs hull points, however many, and none when it destroys (L2967)."""
    engine = Squadron(1, 3, cargo=True)
    wrecked = list(engine.struck(engine.start, (3, 0, 0, 0)))
    assert [(chance, state.exploded) for chance, state in wrecked if chance] == [(1.0, False)]
    assert [chance for chance, state in engine.struck(engine.start, (2, 0, 0, 0)) if state.exploded] == [1 / 6]


def test_each_model_bears_gravitons_by_its_own_strength() -> None:
    """Who is struck must roll below his own Strength (L3059): 1 to 4 for the strong man in front."""
    gun = make_weapon("Graviton Pulse", S="-")
    squad = make_side(make_group(1, profile={"S": 5}), make_group(4, profile={"S": 3}))
    assert metric(fired(gun, squad), "wounds") == pytest.approx(float(HIT * F(2, 6)))


PSYCHIC = (
    ("Aetheric Lightning", "shooting", make_weapon("Force", S=3, AP=4, type="Assault 4", range=18)),
    ("Diviner's Dart", "shooting", make_weapon("Sniper", "Guided Fire", "Psychic Focus", S=6, AP=2, range=18)),
    ("Telekine's Focus", "shooting", make_weapon('Blast (3")', "Sunder", "Psychic Focus", S=8, AP=4, type="Heavy 1")),
    ("Hallucinations", "shooting", make_weapon("Hallucinations", "Psychic Focus", S="-", AP="-", type="Assault 6")),
    ("Cleansing", "shooting", make_weapon("Template", "Sanctic", "Psychic Focus", AP=3, range="Template")),
    ("Biomancer's Rage", "melee", make_blade("Rending (4+)", "Psychic Focus", S=10, AP=4)),
    ("Pyromantic Desolation", "melee", make_blade("Unwieldy", "Pyromantic Desolation", "Psychic Focus", S=6, AP=3)),
)
"""The psychic weapons of the core disciplines (L4427-L4534)."""


@pytest.mark.parametrize(("name", "kind", "weapon"), PSYCHIC, ids=[name for name, *_ in PSYCHIC])
def test_psychic_weapons_are_wholly_in_the_figures(name: str, kind: str, weapon: Json) -> None:
    """None of their rules is left out, and a failed check is paid for."""
    psyker = make_side(make_group(1, subtypes=["psyker"], weapons=[weapon]), psychic_check="attempted")
    target = make_side(make_group(9), make_group(1, subtypes=["character"]))
    document = make_duel(kind, psyker, target, models_covered=2)
    result = run(document)
    assert result.not_simulated == ()
    assert result.metrics["attacker_models_slain"] == pytest.approx(float(F(15, 36)))  # one wound, no saves
    trusted = {
        **document,
        "attacker": {**psyker, "models": [psyker["models"][0] | {"profile": LEGIONARY | {"Ld": 11}}]},
    }
    assert run(trusted).metrics["hits"] > result.metrics["hits"]
    rolled = run(document, method="montecarlo", trials=20_000, seed=6)
    for figure, error in (rolled.standard_errors or {}).items():
        assert rolled.metrics[figure] == pytest.approx(result.metrics[figure], abs=5 * error + 4 / 20_000), figure


def test_hallucinations_beside_other_weapons() -> None:
    """Two tests: of the visions, and of the wounds of a pinning gun; exactly and with dice."""
    document = make_duel(
        "shooting",
        make_side(
            make_group(
                1,
                weapons=[make_weapon("Hallucinations", type="Assault 2", S="-"), make_weapon("Pinning")],
            )
        ),
        make_side(),
    )
    borne = F(1, 9) + F(4, 9) * F(15, 36) + F(4, 9) * F(10, 36)
    steady = 1 - HIT * WOUND * UNSAVED * F(15, 36)
    assert metric(document, "p_pinned") == pytest.approx(float(1 - borne * steady))
    rolled = run(document, method="montecarlo", trials=20_000, seed=11)
    assert rolled.metrics["p_pinned"] == pytest.approx(float(1 - borne * steady), abs=0.02)
    assert metric(document | {"defender": make_side(rules=["Fearless"])}, "p_pinned") == 0.0
