"""Victims that the attacker picks, and models weakened by rad-phage: exactly, with dice, and against a plain twin."""

from fractions import Fraction as F  # noqa: N817 - many small fractions

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import IRRADIATED, Casualties, Losses
from armybuilder.engine.systems.horus_heresy.combat.wounding import SLAY, WOUND
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup
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
    without_rule,
)
from tests.examples import examples

HIT, WOUNDS, UNSAVED = F(2, 3), F(1, 2), F(1, 3)

SERGEANT = make_group(1, name="Sergeant", subtypes=["character"], profile={"W": 2, "Sv": "2+"})
SQUAD = make_side(make_group(4), SERGEANT)
DREADNOUGHT = make_side(make_group(1, profile={"T": 7, "W": 5, "Sv": "2+"}, type="dreadnought"))
AUTOMATA = make_side(make_group(3, profile={"T": 5, "W": 3, "Sv": "3+"}, type="automata"))


def sure(hits: int, *rules: str, **facts: object) -> Json:
    """So many wounds without saves, of one model with these rules."""
    gun = make_weapon(AP=1) | {"override": {"wounds": hits}}
    return make_side(make_group(1, weapons=[gun], rules=list(rules), **facts))


def volley(*weapons: Json, models: int = 3, target: Json, **facts: object) -> Json:
    return make_duel("shooting", make_side(make_group(models, weapons=list(weapons), **facts)), target)


ATTACKS = {
    "sniper": volley(make_weapon("Sniper", AP=3), target=SQUAD),
    "precision": volley(make_weapon("Precision Shots (5+)", AP=3, type="Assault 2"), target=SQUAD),
    "precision with one re-roll": volley(
        make_weapon("Precision Shots (5+)", "Master-crafted", AP=3, type="Assault 2"), target=SQUAD
    ),
    "precision of sharp eyes": volley(
        make_weapon("Precision Shots (6+)", AP=3), target=SQUAD, profile={"BS": 7}, rules=["Shrouded (5+)"]
    ),
    "precision that slays": volley(
        make_weapon("Precision Shots (5+)", "Rad-phage", "Murderous Strike (5+)", AP=3, type="Assault 2"), target=SQUAD
    ),
    "rad and a cannon": volley(
        make_weapon("Rad-phage", S=6, AP=2), make_weapon(S=7, AP=2), target=DREADNOUGHT
    ),
    "rad and shock": volley(
        make_weapon("Rad-phage", "Shock Pulse", S=6, AP=2), make_weapon(S=7, AP=2), target=AUTOMATA
    ),
    "a primarch's hits": volley(make_weapon(S=6, AP=2, type="Assault 4"), models=1, target=SQUAD, type="primarch"),
    "a primarch's flames": volley(
        make_weapon(S=6, AP=2, range="Template"), models=1, target=SQUAD, type="primarch"
    ),
    "precise blows": make_duel(
        "melee",
        make_side(make_group(3, weapons=[make_blade("Precision Strikes (4+)", AP=2)], profile={"A": 3})),
        SQUAD,
    ),
    "a primarch among many": make_duel(
        "combat_round",
        make_side(make_group(1, type="primarch", profile={"W": 4, "A": 4, "I": 6}, weapons=[make_blade(AP=2)])),
        make_side(make_group(9, weapons=[make_blade("Rad-phage", AP=3)]), SERGEANT),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.long
def test_dice_agree_with_the_exact_answer(name: str) -> None:
    exact = run(ATTACKS[name])
    rolled = run(ATTACKS[name], method="montecarlo", trials=20_000, seed=4)
    errors = rolled.standard_errors or {}
    assert exact.metrics.keys() == rolled.metrics.keys()
    for metric_name, value in exact.metrics.items():
        assert rolled.metrics[metric_name] == pytest.approx(value, abs=5 * errors[metric_name] + 4 / 20_000)


def test_rad_helps_the_next_weapon() -> None:
    """Strength 7 against Toughness 7 wounds on 4+, against Toughness 6 on 3+."""
    softened = 1 - (1 - HIT * F(1, 3)) ** 3
    wounds = 3 * HIT * F(1, 3) + 3 * HIT * (F(1, 2) + softened * F(1, 6))
    assert metric(ATTACKS["rad and a cannon"], "wounds") == pytest.approx(float(wounds))
    primarch = make_side(make_group(1, profile={"T": 7, "W": 5, "Sv": "2+"}, type="primarch"))
    unmoved = volley(make_weapon("Rad-phage", S=6, AP=2), make_weapon(S=7, AP=2), target=primarch)
    assert metric(unmoved, "wounds") == pytest.approx(float(3 * HIT * (F(1, 3) + F(1, 2))))  # L1611


def test_rad_makes_slaying_easier() -> None:
    """Strength 8 does not double Toughness 5, but 4; the gun fires second at the one who was hurt."""
    target = make_side(make_group(1, profile={"T": 5, "W": 3, "Sv": None}))
    document = make_duel("shooting", make_side(), target)
    rad = make_weapon("Rad-phage") | {"override": {"wounds": 1}}
    gun = make_weapon(S=8, AP=1) | {"override": {"wounds": 1}}
    document["attacker"] = make_side(make_group(1, weapons=[rad, gun]))
    assert metric(document, "p_destroyed") == 1.0
    document["attacker"] = make_side(make_group(1, weapons=[rad | {"rules": []}, gun]))
    assert metric(document, "p_destroyed") == 0.0


@pytest.mark.parametrize(("hits", "slain", "sergeant"), [(1, 0.0, 0.0), (2, 1.0, 1.0), (3, 2.0, 1.0), (6, 5.0, 1.0)])
def test_primarchs_kill_characters_first(hits: int, slain: float, sergeant: float) -> None:
    document = make_duel("shooting", sure(hits, type="primarch"), SQUAD)
    assert metric(document, "models_slain") == slain
    assert metric(document, "p_slain:Sergeant") == sergeant
    plain = make_duel("shooting", sure(hits), SQUAD)
    assert metric(plain, "p_slain:Sergeant") == (1.0 if hits == 6 else 0.0)


@pytest.mark.parametrize(
    ("rule", "unsaved"),
    [
        ("Sniper", HIT * WOUNDS * F(1, 6)),
        ("Precision Shots (5+)", F(1, 3) * WOUNDS * (F(1, 3) + F(1, 6))),
        ("Shred", HIT * F(3, 4) * F(1, 3)),
    ],
)
def test_who_is_picked_decides_about_pinning(rule: str, unsaved: F) -> None:
    """The sergeant saves on 2+, his men on 3+."""
    document = volley(make_weapon(rule, "Pinning"), models=1, target=SQUAD)
    assert metric(document, "p_pinned") == pytest.approx(float(unsaved * F(15, 36)))
    rolled = run(document, method="montecarlo", trials=20_000, seed=3)
    assert rolled.metrics["p_pinned"] == pytest.approx(float(unsaved * F(15, 36)), abs=0.01)


def test_guns_without_crew_are_lost() -> None:
    crew, gun = make_group(2), make_group(2, subtypes=["artillery"], profile={"T": 7, "W": 2})
    for attacker in (sure(2), sure(2, type="primarch")):
        document = make_duel("shooting", attacker, make_side(crew, gun))
        expected = (4.0, 1.0) if attacker["models"][0].get("type") != "primarch" else (1.0, 0.0)
        assert (metric(document, "models_slain"), metric(document, "p_destroyed")) == expected
    alone = make_duel("shooting", sure(1), make_side(gun))
    assert metric(alone, "models_slain") == 0.0


def test_what_is_told() -> None:
    for document, rule in ((ATTACKS["sniper"], "Sniper"), (ATTACKS["precise blows"], "Precision Strikes (4+)")):
        assert rule in {item.rule for item in run(document).approximated}
        plain = run(document | {"defender": make_side()})
        assert rule not in {*plain.modelled, *plain.not_simulated, *(item.rule for item in plain.approximated)}
    assert "Rad-phage" in run(ATTACKS["rad and shock"]).modelled
    assert "Rad-phage" not in run(volley(make_weapon("Rad-phage"), target=make_side(make_tank(12)))).modelled
    assert any("Characters" in text.en for text in run(ATTACKS["a primarch's hits"]).assumptions)


def test_a_round_of_precise_blows() -> None:
    """Four blows at the sergeant, who strikes back with four later, if he lives; exactly and with dice."""
    sword = make_blade(AP=1)
    sergeant = make_group(1, name="Sergeant", subtypes=["character"], profile={"I": 3, "A": 4}, weapons=[sword])
    squad = make_side(make_group(4, profile={"A": 0}), sergeant)
    heroes = make_side(make_group(2, weapons=[make_blade("Precision Strikes (4+)", AP=1)], profile={"A": 2}))
    precise = make_duel("combat_round", heroes, squad)
    one = F(1, 4)  # a blow that hits on 4+, every hit precise, and wounds on 4+
    slays = 4 * one * (1 - one) ** 3 + 2 * (1 - (1 - one) ** 4 - 4 * one * (1 - one) ** 3)
    assert metric(precise, "attacker_models_slain") == pytest.approx(float((1 - one) ** 4 * slays))
    plain = without_rule(precise, "Precision Strikes (4+)")
    assert metric(plain, "attacker_models_slain") == pytest.approx(float(slays))
    assert "Precision Strikes (4+)" in {item.rule for item in run(precise).approximated}
    rolled, exact = run(precise, method="montecarlo", trials=20_000, seed=8), run(precise)
    for name, error in (rolled.standard_errors or {}).items():
        assert rolled.metrics[name] == pytest.approx(exact.metrics[name], abs=5 * error + 4 / 20_000)


def casualties(groups: list[tuple[int, int, bool]]) -> Casualties:
    """A unit of groups (models, wounds, Character)."""
    side = make_side(
        *(
            make_group(n, name=f"g{i}", profile={"W": wounds}, subtypes=["character"] if hero else [])
            for i, (n, wounds, hero) in enumerate(groups)
        )
    )
    matchup = parse_matchup(make_duel("shooting", make_side(), side))
    assert isinstance(matchup, HeresyMatchup) and matchup.defender is not None
    return Casualties(Unit(matchup.defender, "/defender"), picks=True, marks=IRRADIATED)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), st.booleans()), min_size=1, max_size=3),
    st.lists(st.tuples(st.booleans(), st.sampled_from([WOUND, SLAY]), st.booleans()), max_size=20),
)
def test_a_row_and_a_list_lose_the_same(
    groups: list[tuple[int, int, bool]], packets: list[tuple[bool, str, bool]]
) -> None:
    found = casualties(groups)
    heroes = {i for i, group in enumerate(groups) if group[2]}
    led = 0 < len(heroes) < len(groups)
    order = sorted(range(len(groups)), key=lambda i: (groups[i][2], i))
    wanted = heroes if led else {order[-1]}
    # name of the group, wounds, whether hurt, whether irradiated
    models = [[i, groups[i][1], False, False] for i in order for _ in range(groups[i][0])]
    state = Losses()
    for picks, effect, rad in packets:
        state = found.after(state, effect, picks=picks, marks=IRRADIATED if rad else 0)
        if not models:
            continue
        victims = [model for model in models if model[0] in wanted] if picks else []
        hurt = [model for model in models if model[2]]
        if victims:
            victim = victims[-1]
        elif hurt and (hurt[0] is models[0] or not (led and hurt[0][0] in heroes)):
            victim = hurt[0]
        else:
            victim = models[0]
        victim[1] = 0 if effect == SLAY else victim[1] - 1
        victim[2], victim[3] = True, victim[3] or rad
        models = [model for model in models if model[1]]
    assert len(found.living(state)) == len(models)
    number = found.number[state]
    assert bool(found.marked(IRRADIATED)[number]) is any(model[3] for model in models)
    assert bool(found.weakened[number]) is (bool(models) and all(model[3] for model in models))
