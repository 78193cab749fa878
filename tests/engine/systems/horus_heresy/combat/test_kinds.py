"""Each kind by hand: the parts of the rules that no special rule names."""

# ruff: noqa: E501 - a row of a table is a line
from fractions import Fraction as F  # noqa: N817 - hundreds of small fractions

import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import BadDocument, Cancelled, LimitExceeded
from armybuilder.engine.simulate import combined, document_of, simulate
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    metric,
    run,
)


def gun(
    group: Json | None = None,
    side: Json | None = None,
    target: Json | None = None,
    weapon: Json | None = None,
    options: Json | None = None,
    **conditions: object,
) -> Json:
    attacker = make_group(**{"count": 1, "weapons": [weapon or make_weapon()]} | (group or {}))
    return make_duel(
        "shooting", make_side(attacker, **(side or {})), target or make_side(), options=options, **conditions
    )


def blade(
    group: Json | None = None,
    side: Json | None = None,
    target: Json | None = None,
    weapon: Json | None = None,
    options: Json | None = None,
    **conditions: object,
) -> Json:
    attacker = make_group(**{"count": 1, "weapons": [weapon or make_blade()]} | (group or {}))
    return make_duel("melee", make_side(attacker, **(side or {})), target or make_side(), options=options, **conditions)


HEAVY, RAPID = make_weapon(type="Heavy 1"), make_weapon(type="Rapid Fire", range=24)
FLYER = make_side(make_tank(10, subtypes=["flyer"]))
OBSCURED = make_side(make_tank(12), cover="5+")
ROWS: list[tuple[str, Json, str, F]] = [
    ("BS 6 re-rolls ones on a 6", gun({"profile": {"BS": 6}}), "hits", F(31, 36)),
    ("snap shots", gun(snap_shots=True), "hits", F(1, 6)),
    ("a Primarch snaps at his own skill", gun({"type": "primarch", "profile": {"BS": 5}}, snap_shots=True), "hits", F(5, 6)),
    ("a heavy weapon on the move", gun(weapon=HEAVY, side={"moved": True}), "hits", F(1, 6)),
    ("a heavy blast on the move", gun(weapon=HEAVY | {"rules": ["Blast"]}, side={"moved": True}), "hits", F(0)),
    ("rapid fire at half range", gun(weapon=RAPID, distance=12), "hits", F(4, 3)),
    ("rapid fire beyond it", gun(weapon=RAPID, distance=13), "hits", F(2, 3)),
    ("rapid fire without distance", gun(weapon=RAPID), "hits", F(2, 3)),
    ("out of range", gun(weapon=RAPID, distance=25), "hits", F(0)),
    ("ordnance does not fire on the move", gun(weapon=make_weapon(type="Ordnance 1"), side={"moved": True}), "hits", F(0)),
    ("night fighting", gun(night_fighting=True), "hits", F(1, 2)),
    ("a Flyer is hit by snap shots", gun(weapon=make_weapon(S=8), target=FLYER), "hits", F(1, 6)),
    ("Overwatch allows no cover", gun(weapon=make_weapon(AP=2), target=make_side(cover="4+", charged=True)), "unsaved_wounds", F(1, 3)),
    ("cover of the group beats the side's", gun(weapon=make_weapon(AP=2), target=make_side(make_group(cover="5+"), cover="3+")), "unsaved_wounds", F(1, 3) * F(2, 3)),
    ("antigrav models get no cover", gun(weapon=make_weapon(AP=2), target=make_side(make_group(subtypes=["antigrav"]), cover="3+")), "unsaved_wounds", F(1, 3)),
    ("evading", gun(target=make_side(reaction="evade")), "unsaved_wounds", F(1, 9) * F(2, 3)),
    ("evading beside a Fearless model", gun(target=make_side(make_group(3), make_group(1, rules=["Fearless"]), reaction="evade")), "unsaved_wounds", F(1, 9) * F(2, 3)),
    ("evading in vain", gun(target=make_side(rules=["Fearless"], reaction="evade")), "unsaved_wounds", F(1, 9)),
    ("the majority's Toughness", gun(target=make_side(make_group(3), make_group(2, profile={"T": 5}))), "wounds", F(1, 3)),
    ("ties go to the highest Toughness", gun(target=make_side(make_group(2), make_group(2, profile={"T": 5}))), "wounds", F(2, 3) * F(1, 3)),
    ("Strength twice the Toughness", gun(weapon=make_weapon(S=8, AP=2), target=make_side(make_group(1, profile={"W": 3}))), "wounds_lost", F(2, 3) * F(5, 6) * 3),
    ("no Feel No Pain against it", gun(weapon=make_weapon(S=8, AP=2), target=make_side(make_group(1, profile={"FNP": "4+"}))), "unsaved_wounds", F(2, 3) * F(5, 6)),
    ("the damaged model falls first", gun(weapon=make_weapon(AP=2), target=make_side(make_group(3, profile={"W": 3}, wounds_left=1))), "models_slain", F(1, 3)),
    ("a dash of the table", gun(target=make_side(make_group(profile={"T": 8}))), "wounds", F(0)),
    ("a natural six, by option", gun(target=make_side(make_group(profile={"T": 8})), options={"natural_six_wounds_dash": True}), "wounds", F(2, 3) * F(1, 6)),
    ("graviton up to Strength, by option", gun(weapon=make_weapon("Graviton Pulse", S="-"), options={"graviton_pulse": "up_to_strength"}), "wounds", F(2, 3) * F(1, 3)),
    ("Destroyer weapons wound D3 times", gun(weapon=make_weapon(type="Destroyer 1", AP=2)), "unsaved_wounds", F(1, 3) * 2),
    ("Heavy units save again from blasts", gun(weapon=make_weapon("Blast"), target=make_side(make_group(subtypes=["heavy"])), models_covered=2), "unsaved_wounds", 2 * F(1, 2) * F(1, 9)),
    ("fleshbane on a Dreadnought", gun(weapon=make_weapon("Fleshbane"), target=make_side(make_group(1, type="dreadnought", profile={"T": 7, "W": 5}))), "wounds", F(2, 3) * F(25, 36)),
    ("shred cancels it", gun(weapon=make_weapon("Fleshbane", "Shred"), target=make_side(make_group(1, type="dreadnought", profile={"T": 7, "W": 5}))), "wounds", F(2, 3) * F(5, 6)),
    ("haywire on an Automaton", gun(weapon=make_weapon("Haywire", S=1), target=make_side(make_group(1, type="automata", profile={"T": 7, "W": 5, "Inv": "5+"}))), "unsaved_wounds", F(2, 3) * (F(4, 6) * F(2, 3) + F(1, 6))),
    ("gets hot twice with a re-roll", gun(weapon=make_weapon("Gets Hot", "Twin-linked", AP=2)), "attacker_models_slain", F(1, 36)),
    ("an overheated blast is not fired", gun(weapon=make_weapon("Gets Hot", "Blast"), models_covered=1), "hits", F(5, 6)),
    ("fixed hits", gun(weapon=make_weapon(override={"hits": "D3"})), "hits", F(2)),
    ("fixed wounds", gun(weapon=make_weapon(override={"wounds": 2})), "unsaved_wounds", F(2, 3)),
    ("fixed hits are those of the weapon, not of each bearer", gun({"count": 3}, weapon=make_weapon(override={"hits": 2})), "hits", F(2)),
    ("fixed wounds likewise", gun({"count": 3}, weapon=make_weapon(override={"wounds": 2})), "wounds", F(2)),
    ("fixed hits of blows", blade({"count": 3}, weapon=make_blade(override={"hits": 2})), "hits", F(2)),
    ("fixed wounds of blows", blade({"count": 3}, weapon=make_blade(override={"wounds": 2})), "wounds", F(2)),
    ("no marker covers more models than there are", gun(weapon=make_weapon("Blast"), target=make_side(make_group(2)), models_covered="D6"), "hits", F(1 + 2 * 5, 6)),
    ("a Wall of Death may hit one model several times", gun(weapon=make_weapon("Template"), target=make_side(make_group(1)), snap_shots=True), "hits", F(2)),
    ("fixed rolls", gun(weapon=make_weapon(override={"to_hit": "5+", "to_wound": "6+"})), "wounds", F(1, 18)),
    # vehicles
    ("a machine that evades", gun(weapon=make_weapon(S=10), target=make_side(make_tank(12), reaction="evade")), "hull_points_lost", F(2, 3) * F(5, 6) * F(2, 3)),
    ("giants do not evade small enemies", gun(weapon=make_weapon(S=10), target=make_side(make_tank(12, subtypes=["super_heavy"]), reaction="evade")), "hull_points_lost", F(2, 3) * F(5, 6)),
    ("but those of many wounds", gun({"profile": {"W": 8}}, weapon=make_weapon(S=10), target=make_side(make_tank(12, subtypes=["super_heavy"]), reaction="evade")), "hull_points_lost", F(2, 3) * F(5, 6) * F(2, 3)),
    ("an obscured vehicle", gun(weapon=make_weapon(S=8, AP=4), target=OBSCURED), "hull_points_lost", F(2, 3) * F(1, 2) * F(2, 3)),
    ("the rear", gun(weapon=make_weapon(S=8), target=make_side(make_tank(12)), facing="rear"), "p_penetrating_per_hit", F(4, 6)),
    ("rending through armour", gun(weapon=make_weapon("Rending (6+)", S=6), target=make_side(make_tank(14))), "p_penetrating_per_hit", F(1, 6) * F(1, 3)),
    ("glancing hits fished for", gun(weapon=make_weapon("Sunder", S=8), target=make_side(make_tank(12)), options={"sunder": "failed_and_glancing"}), "p_penetrating_per_hit", F(1, 3) + F(2, 3) * F(1, 3)),
    ("a roll that fails in spite of its D3 is made again", gun(weapon=make_weapon("Rending (6+)", "Sunder", S=4), target=make_side(make_tank(12))), "p_penetrating_per_hit", F(1, 18) * (1 + F(8, 9))),
    ("so is a glancing one, by option", gun(weapon=make_weapon("Rending (6+)", "Sunder", S=4), target=make_side(make_tank(12)), options={"sunder": "failed_and_glancing"}), "p_glancing_per_hit", F(1, 18) * F(17, 18)),
    ("slow vehicles roll two dice", gun(weapon=make_weapon(S=10, AP=1), target=make_side(make_tank(10, subtypes=["slow"]))), "p_explodes", F(2, 3) * F(4, 36)),
    ("a Destroyer against armour", gun(weapon=make_weapon(type="Destroyer 1", S=4), target=make_side(make_tank(14, hp=9))), "p_penetrating_per_hit", F(sum(sum(sorted((a, b, c))[1:]) > 10 for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)), 216)),
    ("a super-heavy loses D3 more", gun(weapon=make_weapon(S=10, AP=1), target=make_side(make_tank(11, hp=9, subtypes=["super_heavy"]))), "hull_points_lost", F(2, 3) * (1 + F(5, 6) * F(1, 3) * 2) - F(2, 3) * F(1, 6) * 0),
    # close combat
    ("charging", blade(side={"charged": True}), "hits", F(1)),
    ("a disordered charge", blade(side={"charged": True, "disordered_charge": True}), "hits", F(1, 2)),
    ("twice the Weapon Skill", blade({"profile": {"WS": 2}}), "hits", F(1, 6)),
    ("twice the Weapon Skill, by option", blade({"profile": {"WS": 2}}, options={"double_ws_needs": "5+"}), "hits", F(1, 3)),
    ("two weapons", blade({"weapons": [make_blade(), make_weapon(type="Pistol 1")]}), "hits", F(1)),
    ("without a weapon", blade({"weapons": []}), "hits", F(1, 2)),
    ("poison and Strength above Toughness", blade(weapon=make_blade("Poisoned (4+)", S="+1")), "wounds", F(1, 2) * (1 - F(1, 9))),
    ("a vehicle has Weapon Skill 1", blade(weapon=make_blade(S=8), target=make_side(make_tank(12))), "hits", F(5, 6)),
    ("an immobilised one is hit", blade(weapon=make_blade(S=8), target=make_side(make_tank(12, immobilised=True))), "hits", F(1)),
    ("a printed Strength stays", blade({"rules": ["Furious Charge (3)"]}, weapon=make_blade(S=4), side={"charged": True}), "wounds", F(1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("case", "document", "name", "value"), ROWS, ids=[row[0] for row in ROWS])
def test_by_hand(case: str, document: Json, name: str, value: F) -> None:
    assert metric(document, name) == pytest.approx(float(value), abs=1e-12), case


def unit(kind: str, side: Json | None = None, **conditions: object) -> Json:
    return {"system": "horus-heresy", "kind": kind, "unit": side or make_side(), "conditions": conditions}


TESTS: list[tuple[str, Json, str, F]] = [
    ("Leadership 7", unit("leadership_test"), "p_pass", F(21, 36)),
    ("twelve always fails", unit("leadership_test", make_side(make_group(profile={"Ld": 10})), Ld_modifier=5), "p_fail", F(1, 36)),
    ("double one always passes", unit("leadership_test", lost_combat_by=9), "p_pass", F(1, 36)),
    ("the best Leadership of the unit", unit("leadership_test", make_side(make_group(), make_group(1, profile={"Ld": 9}))), "p_pass", F(30, 36)),
    ("the fearless pass morale checks", unit("leadership_test", make_side(rules=["Fearless"]), lost_combat_by=9), "p_pass", F(1)),
    ("at night", unit("leadership_test", night_fighting=True), "p_pass", F(15, 36)),
    ("twelve inches", unit("charge", distance=12), "p_success", F(1, 36)),
    ("further than twelve", unit("charge", distance=12.5), "p_success", F(0)),
    ("never less than two", unit("charge", make_side(make_group(profile={"M": 4})), distance=2, difficult_terrain=True), "p_success", F(1)),
    ("difficult terrain", unit("charge", distance=8, difficult_terrain=True), "p_success", F(6, 36)),
    ("cavalry does not mind", unit("charge", make_side(make_group(type="cavalry", profile={"M": 12})), distance=8, difficult_terrain=True), "p_success", F(26, 36)),
    ("no movement, no charge", unit("charge", make_side(make_group(profile={"M": 0})), distance=2), "p_success", F(0)),
    ("perils on a vehicle", unit("perils_of_the_warp", make_side(make_tank(12, hp=2))), "p_destroyed", F(2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("case", "document", "name", "value"), TESTS, ids=[row[0] for row in TESTS])
def test_of_one_unit(case: str, document: Json, name: str, value: F) -> None:
    assert metric(document, name) == pytest.approx(float(value), abs=1e-12), case
    result = run(document, method="montecarlo", trials=4000, seed=1)
    assert result.metrics[name] == pytest.approx(float(value), abs=5 * (result.standard_errors or {})[name] + 0.001)


@pytest.mark.parametrize(("case", "facts", "chance"), [
    ("equal Initiative", {}, F(15, 36)),
    ("equal totals of a multiple combat", {"conditions": {"multiple_combat": True}}, F(21, 36)),
    ("artillery is swept away", {"loser": make_side(make_group(subtypes=["artillery"]))}, F(1)),
    ("daemons do not flee", {"loser": make_side(make_group(type="daemon"))}, F(0)),
    ("the slow do not pursue", {"winner": make_side(rules=["Slow and Purposeful"])}, F(0)),
])  # fmt: skip
def test_pursuit(case: str, facts: Json, chance: F) -> None:
    document = {"system": "horus-heresy", "kind": "pursuit", "winner": make_side(), "loser": make_side()} | facts
    assert metric(document, "p_destroyed") == pytest.approx(float(chance)), case


@pytest.mark.parametrize(("case", "document", "at"), [
    ("unknown kind", {"system": "horus-heresy", "kind": "duel"}, "/kind"),
    ("no kind", {"system": "horus-heresy"}, "/kind"),
    ("no defender", {"system": "horus-heresy", "kind": "melee", "attacker": make_side()}, "/defender"),
    ("no distance", {"system": "horus-heresy", "kind": "charge", "unit": make_side()}, "/conditions/distance"),
    ("no models", make_duel("shooting", {"models": []}, make_side()), "/attacker/models"),
    ("text for a number", make_duel("shooting", make_side(make_group(profile={"BS": "four"})), make_side()), "/attacker/models/0/profile/BS"),
    ("an unknown field", gun({"colour": "green"}), "/attacker/models/0/colour"),
    ("an impossible save", gun(target=make_side(cover="0+")), "/defender/cover"),
    ("Toughness that is needed", gun(target=make_side({"name": "x", "count": 1})), "/defender/models/0/profile/T"),
    ("Ballistic Skill that is needed", gun({"profile": {"BS": None}}), "/attacker/models/0/profile/BS"),
    ("nobody to shoot at", gun(target=make_side(make_group(0))), "/defender/models/0/count"),
    ("armour that is needed", gun(target=make_side({"name": "x", "count": 1, "type": "vehicle", "profile": {"HP": 3}})), "/defender/models/0/profile/AV"),
])  # fmt: skip
def test_bad_documents(case: str, document: Json, at: str) -> None:
    with pytest.raises(BadDocument) as refusal:
        run(document)
    assert refusal.value.at == at, case


@pytest.mark.parametrize(("case", "document", "at"), [
    ("a hundred thousand models", gun(target=make_side(make_group(10**5))), "/defender/models/0/count"),
    ("too many together", gun(target=make_side(make_group(600), make_group(600))), "/defender/models/1/count"),
    ("too many groups", gun(target=make_side(*[make_group(1)] * 101)), "/defender/models"),
    ("too many trials", gun() | {"method": "montecarlo", "trials": 10_000_001}, "/trials"),
    ("too many shots", gun(weapon=make_weapon(shots=10**5)), "/attacker/models/0/weapons/0/shots"),
    ("too many hits", gun(weapon=make_weapon(override={"hits": 10**5})), "/attacker/models/0/weapons/0/override/hits"),
    ("a squadron of countless states", gun(target=make_side(make_tank(10, hp=12) | {"count": 40})), "/defender/models"),
    ("a rule gone wild", gun(weapon=make_weapon("Brutal (1000000000)")), "/attacker/models/0/weapons/0/rules/0"),
    ("a giant", gun(target=make_side(make_group(1, profile={"W": 10**5}))), "/defender/models/0/profile/W"),
])  # fmt: skip
@pytest.mark.long
def test_limits(case: str, document: Json, at: str) -> None:
    with pytest.raises(LimitExceeded) as refusal:
        run(document)
    assert refusal.value.at == at, case


def test_tests_that_the_profile_does_not_allow_are_left_out() -> None:
    bare = make_side({"name": "x", "count": 3, "profile": {"T": 4}})
    found = run(gun(weapon=make_weapon("Pinning", "Blind", "Concussive (1)"), target=bare)).metrics
    assert not {"p_pinned", "p_blinded", "p_concussed"} & found.keys()
    assert found["unsaved_wounds"] == pytest.approx(1 / 3)


def test_a_hot_weapon_that_is_not_fired_hurts_nobody() -> None:
    found = run(gun(weapon=make_weapon("Gets Hot", range=12), distance=20)).metrics
    assert (found["attacker_models_slain"], found["unsaved_wounds"]) == (0.0, 0.0)
    assert run(make_duel("shooting", make_side(make_group(0)), make_side())).metrics["hits"] == 0.0


def test_the_answer_says_what_it_rests_on() -> None:
    document = document_of(run(gun(weapon=make_weapon("Blast", "Made Up")) | {"id": "q1"}))
    assert document["id"] == "q1"
    assert document["options"]["double_ws_needs"] == "6+"
    assert document["not_simulated"] == ["Made Up"]
    assert {item["rule"] for item in document["approximated"]} == {"gun", "Blast"}
    assert len(document["x-ru"]["approximated"]) == 2


def test_a_run_reports_stops_and_is_put_together_from_parts() -> None:
    document = gun() | {"method": "montecarlo", "trials": 2000, "seed": 9}
    seen: list[float] = []
    whole = simulate(parse_matchup(document), progress=seen.append)
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        simulate(parse_matchup(document), should_stop=lambda: True)
    other = run(document | {"seed": 10, "trials": 6000})
    both = combined([whole, other], seed=9)
    assert both.trials == 8000
    assert both.metrics["hits"] == pytest.approx((whole.metrics["hits"] + 3 * other.metrics["hits"]) / 4)
    assert (both.standard_errors or {})["hits"] < (other.standard_errors or {})["hits"]
    assert sum(both.distributions["models_slain"].values()) == pytest.approx(1.0)
