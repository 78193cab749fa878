"""Every rule and reading that the figures of 40k 6th edition know changes a figure: one row a rule, with and without it.

The rules text knows shooting alone; what it names without saying how it works is in no figure, and is reported.
"""

# ruff: noqa: E501 - a row of a table is a line
from typing import Any

import msgspec
import pytest

from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.wh40k_6th.army import Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from armybuilder.engine.systems.wh40k_6th.combat.list_matchup import MATCHUPS, Wh40kConditions
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import MODELS_COVERED, SPECIAL_RULES, is_known
from armybuilder.engine.systems.wh40k_6th.matchup import MatchupOptions
from tests.engine.systems.wh40k_6th.combat.test_list_matchup import (
    BOLTGUN,
    BOYZ,
    FLAMER,
    LASCANNON,
    ORK,
    make_fighter,
    make_group,
    one,
)
from tests.engine.systems.wh40k_6th.combat.test_shooting import firers, gun, shoot, target, wounds

GUN = Weapon(name="gun", range=48, S=4, AP=5, type="Heavy", shots=1)

NEAR_AND_FAR = [target("near", 1, distance=5), target("far", 1, distance=9)]

RULES_OF_WEAPONS: list[tuple[str, str, float, float]] = [
    # rule, metric, without, with
    ("master-crafted", "hits", 1 / 2, 3 / 4), ("twin-linked", "hits", 1 / 2, 3 / 4),
    ("random allocation", "p_slain:far", 0, 1 / 2), ("terror from the deep", "p_slain:far", 0, 1 / 2), ("polymorphine", "p_slain:far", 0, 1 / 2),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "metric", "without", "with_it"), RULES_OF_WEAPONS)
def test_a_rule_of_a_weapon(rule: str, metric: str, without: float, with_it: float) -> None:
    weapon = gun() if metric == "hits" else wounds(1)
    plain = shoot(firers(weapon, bs=3), *NEAR_AND_FAR)
    ruled = shoot(firers({**weapon, "rules": [rule.title()]}, bs=3), *NEAR_AND_FAR)
    assert (plain.metrics[metric], ruled.metrics[metric]) == (pytest.approx(without), pytest.approx(with_it))
    assert rule.title() in ruled.modelled and not ruled.not_simulated


@pytest.mark.parametrize(("marker", "models"), MODELS_COVERED.items())
def test_a_marker_hits_so_many_models(marker: str, models: int) -> None:
    """Without the rule a weapon of a list rolls one die to hit; with it the marker hits without a roll."""
    inches = {"template": "Template", "hellstorm": "Hellstorm"}.get(marker, 48)
    plain, marked = (make_fighter(make_group(msgspec.structs.replace(GUN, **members), count=1)) for members in ({}, {"range": inches, "rules": (marker.title(),)}))  # fmt: skip
    found = [one(fighter, BOYZ, distance=6) for fighter in (plain, marked)]
    assert [effect and effect.models_slain for effect in found] == [pytest.approx(1 / 3), pytest.approx(models / 2)]


def with_rules(fighter: Fighter, *rules: str) -> Fighter:
    """The same with rules of the whole unit."""
    return msgspec.structs.replace(fighter, side=msgspec.structs.replace(fighter.side, rules=rules))


@pytest.mark.parametrize("rule", ["Relentless", "Slow and Purposeful"])
@pytest.mark.parametrize("whose", ["models", "unit"])
def test_who_is_relentless_shoots_on_the_move_as_if_he_stood(rule: str, whose: str) -> None:
    """Salvo weapons fire all their shots, heavy ones at full skill; nothing of it changes for who stands."""
    own, common = ((rule,), ()) if whose == "models" else ((), (rule,))
    for gun_ in (GUN, msgspec.structs.replace(GUN, type="Salvo 2/4", shots=None, range=18)):
        plain = make_fighter(make_group(gun_, count=2))
        ruled = with_rules(make_fighter(make_group(gun_, count=2, rules=own)), *common)
        stood, moved, kept = (
            one(fighter, BOYZ, distance=9, moved=moved)
            for fighter, moved in ((plain, False), (plain, True), (ruled, True))
        )
        assert stood and moved and kept
        assert kept.models_slain == pytest.approx(stood.models_slain)
        assert stood.models_slain > moved.models_slain


@pytest.mark.parametrize("kind", ["monstrous creature", "walker", "jet pack infantry", "bike", "jetbike"])
def test_types_of_models_that_are_relentless(kind: str) -> None:
    walker, on_foot = (make_fighter(make_group(GUN, count=1, subtypes=(type_,))) for type_ in (kind, "infantry"))
    stood, moved, hampered = (one(who, BOYZ, moved=m) for who, m in ((walker, False), (walker, True), (on_foot, True)))
    assert stood and moved and hampered
    assert moved.models_slain == pytest.approx(stood.models_slain)
    assert stood.models_slain > hampered.models_slain


def test_the_tables_hold_every_known_rule() -> None:
    assert {
        *(row[0] for row in RULES_OF_WEAPONS),
        *MODELS_COVERED,
        "relentless",
        "fired besides",
        "blazing weapons",
    } == SPECIAL_RULES.in_figures
    assert all(is_known(rule) for rule in SPECIAL_RULES.in_figures)


CAPTAIN = target("captain", subtypes=["character"], distance=4)

EFFECTS: list[tuple[str, str, dict[str, Any], list[dict[str, Any]], dict[str, Any], float, float]] = [
    # what the text names, metric, firers, target, what is added to the document, without, with
    ("snap shots", "hits", firers(gun(), bs=9), [target()], {"conditions": {"snap_shots": True}}, 34 / 36, 1 / 6),
    ("snap shots, BS 0", "hits", firers(gun(), bs=1), [target()], {"attacker": firers(gun(), bs=0)}, 1 / 6, 0),
    ("no snap shots with templates", "wounds", firers(gun(rules=["Template"], override={"hits": 2})), [target()], {"conditions": {"snap_shots": True}}, 1, 0),
    ("no snap shots without BS", "hits", firers(gun(rules=["Portal of Exile"])), [target()], {"conditions": {"snap_shots": True}}, 2 / 3, 0),
    ("heavy weapons after a move", "hits", firers(gun(type="Heavy")), [target()], {"attacker": firers(gun(type="Heavy"), moved=True)}, 2 / 3, 1 / 6),
    ("BS 6 and more", "hits", firers(gun(), bs=5), [target()], {"attacker": firers(gun(), bs=6)}, 5 / 6, 31 / 36),
    ("range", "hits", firers(gun(range=12)), [target()], {"conditions": {"distance": 13}}, 2 / 3, 0),
    ("range to the nearest visible model", "hits", firers(gun(range=12)), [target(distance=12)], {"defender": {"models": [target("unseen", distance=12, visible=False), target(distance=13)]}}, 2 / 3, 0),
    ("nobody in range", "hits", firers(gun()), [target()], {"defender": {"models": [target(in_range=False)]}}, 2 / 3, 0),
    ("majority toughness", "wounds", firers(gun(override={"hits": 1})), [target("a", 2)], {"defender": {"models": [target("a", 2), target("b", 3, profile={"T": 5})]}}, 1 / 2, 1 / 3),
    ("several saves", "models_slain", firers(wounds(1)), [target(profile={"Sv": "4+"})], {"defender": {"models": [target(profile={"Sv": "4+", "Inv": "3+"})]}}, 1 / 2, 1 / 3),
    ("invulnerable save", "models_slain", firers(wounds(1, AP=2)), [target(profile={"Sv": "3+"})], {"defender": {"models": [target(profile={"Sv": "3+", "Inv": "5+"})]}}, 1, 2 / 3),
    ("cover save", "models_slain", firers(wounds(1, AP=2)), [target(profile={"Sv": "3+"})], {"defender": {"models": [target(profile={"Sv": "3+"}, cover="5+")]}}, 1, 2 / 3),
    ("going to ground", "models_slain", firers(wounds(1)), [target()], {"defender": {"models": [target()], "gone_to_ground": True}}, 1, 5 / 6),
    ("out of sight", "models_slain", firers(wounds(2)), [target(count=2)], {"defender": {"models": [target(), target("unseen", visible=False)]}}, 2, 1),
    ("instant death", "models_slain", firers(wounds(1, S=7)), [target(profile={"W": 3})], {"attacker": firers(wounds(1, S=8))}, 0, 1),
    ("Look Out, Sir", "p_slain:captain", firers(wounds(1)), [CAPTAIN, target("squad", 5, distance=20)], {"defender": {"models": [CAPTAIN, target("squad", 5, distance=9)]}}, 1, 1 / 2),
    ("focus fire", "p_slain:near", firers(wounds(1)), [target("near", cover="5+"), target("far")], {"conditions": {"focus_fire": "6+"}}, 2 / 3, 0),
    ("wound groups in the shooter's order", "models_slain", firers(wounds(1, S=3), wounds(1, S=8), wounds(1, S=3)), [target(count=2, profile={"W": 2})], {"attacker": firers(wounds(1, S=8), wounds(2, S=3))}, 1, 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "metric", "attacker", "groups", "added", "without", "with_it"), EFFECTS)
def test_an_effect(
    name: str,
    metric: str,
    attacker: dict[str, Any],
    groups: list[dict[str, Any]],
    added: dict[str, Any],
    without: float,
    with_it: float,
) -> None:
    plain = shoot(attacker, *groups).metrics[metric]
    changed = shoot(
        **{"attacker": attacker, **{key: value for key, value in added.items() if key != "defender"}},
        **({"defender": added["defender"]} if "defender" in added else {"defender": {"models": groups}}),
    ).metrics[metric]
    assert (plain, changed) == (pytest.approx(without), pytest.approx(with_it))
    assert without != with_it


READINGS = {
    "look_out_sir": "never",
    "focus_fire_leftover_wounds": None,  # the schema knows a single value
    "gone_to_ground_until": None,  # no effect on one attack, says the schema
}


def test_every_reading_is_known() -> None:
    assert set(READINGS) == set(MatchupOptions.__struct_fields__)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, value in READINGS.items() if value])
def test_a_reading(name: str, value: str) -> None:
    groups = [CAPTAIN, target("squad", 5, distance=9)]
    usual, other = (shoot(firers(wounds(1)), *groups, options=options) for options in ({}, {name: value}))
    assert (usual.metrics["p_slain:captain"], other.metrics["p_slain:captain"]) == (pytest.approx(1 / 2), 1)


LED = make_fighter(
    make_group(count=5, profile=ORK, rules=("squad",)),
    make_group(count=1, profile=Profile(BS=2, T=4, W=2, Sv="4+"), subtypes=("infantry", "character")),
)
BOLTERS = make_fighter(make_group(msgspec.structs.replace(BOLTGUN, AP=4)))

CIRCUMSTANCES: list[tuple[str, Fighter, bool, dict[str, Any], dict[str, Any]]] = [
    # name, who shoots at LED, whether the attacker does, circumstances without, with
    ("distance", BOLTERS, True, {}, {"distance": 20}), ("cover", BOLTERS, True, {}, {"cover": "5+"}),
    ("attacker_cover", BOLTERS, False, {}, {"attacker_cover": "5+"}), ("models_covered", make_fighter(make_group(FLAMER)), True, {"distance": 8}, {"models_covered": 1}),
    ("moved", make_fighter(make_group(LASCANNON)), True, {}, {"moved": True}), ("defender_moved", make_fighter(make_group(LASCANNON)), False, {}, {"defender_moved": True}),
    ("gone_to_ground", BOLTERS, True, {}, {"gone_to_ground": True}), ("attacker_gone_to_ground", BOLTERS, False, {}, {"attacker_gone_to_ground": True}),
    ("snap_shots", BOLTERS, True, {}, {"snap_shots": True}), ("defender_snap_shots", BOLTERS, False, {}, {"defender_snap_shots": True}),
    ("models_in_cover", BOLTERS, True, {"cover": "4+", "models_in_cover": 3}, {"models_in_cover": None}),
    ("characters_in_front", BOLTERS, True, {}, {"characters_in_front": True}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "shooters", "outgoing", "stated", "added"), CIRCUMSTANCES)
def test_a_circumstance_of_two_lists(
    name: str, shooters: Fighter, outgoing: bool, stated: dict[str, Any], added: dict[str, Any]
) -> None:
    without, with_it = (
        one(shooters, LED, outgoing=outgoing, **{"distance": 8, **facts}) for facts in (stated, {**stated, **added})
    )
    assert without is not None and with_it is not None
    assert with_it.models_slain < without.models_slain - 1e-3


def test_focus_fire_between_lists_reaches_those_out_of_cover() -> None:
    stated: dict[str, Any] = {"cover": "3+", "models_in_cover": 3, "distance": 8}
    everywhere, focused = (one(BOLTERS, LED, **stated, focus_fire=focus) for focus in (False, True))
    assert everywhere is not None and focused is not None
    assert focused.models_slain > everywhere.models_slain + 0.1
    whole = [one(BOLTERS, LED, cover="3+", distance=8, focus_fire=focus) for focus in (False, True)]
    assert whole[0] == whole[1], "a unit that is wholly in cover is no target of focus fire"


def test_comrades_save_a_character_who_leads() -> None:
    stated: dict[str, Any] = {"characters_in_front": True, "distance": 8}
    usual, alone = (one(BOLTERS, LED, **stated, nobody_looks_out=nobody) for nobody in (False, True))
    assert usual is not None and alone is not None
    assert usual.models_slain > alone.models_slain + 0.05, "wounds fall on weaker models"
    fallen = [
        simulate(MATCHUPS.matchup("shooting", BOLTERS, LED, conditions=Wh40kConditions(**stated, nobody_looks_out=nobody))).metrics["p_slain:m"]
        for nobody in (False, True)
    ]  # fmt: skip
    assert fallen[1] > fallen[0] + 0.1, "a pair tells what becomes of the character"


def test_every_circumstance_is_here() -> None:
    here = {row[0] for row in CIRCUMSTANCES} | {"focus_fire", "nobody_looks_out"}
    assert here == set(Wh40kConditions.__struct_fields__)
