# ruff: noqa: E501 - a row of the table is a line
"""Every special rule that the model knows: a number worked out by hand, which changes when the rule is removed."""

from fractions import Fraction as F  # noqa: N817 - hundreds of small fractions
from math import comb

import pytest

from armybuilder.engine.systems.horus_heresy.combat.special_rules import BLASTS, MODELLED, SPECIAL_RULES
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


def shots(
    *rules: str, target: Json | None = None, models: int = 1, side: Json | None = None, **conditions: object
) -> Json:
    """One model (or more) fires one shot with these rules."""
    weapon = make_weapon(*rules)
    return make_duel(
        "shooting", make_side(make_group(models, weapons=[weapon]), **(side or {})), target or make_side(), **conditions
    )


def fired(
    weapon: Json,
    target: Json | None = None,
    *,
    group: Json | None = None,
    side: Json | None = None,
    **conditions: object,
) -> Json:
    """One model fires this weapon."""
    attacker = make_group(1, weapons=[weapon], **(group or {}))
    return make_duel("shooting", make_side(attacker, **(side or {})), target or make_side(), **conditions)


def blows(
    *rules: str,
    weapon: Json | None = None,
    group: Json | None = None,
    target: Json | None = None,
    side: Json | None = None,
    kind: str = "melee",
    **conditions: object,
) -> Json:
    """One model strikes; the rules are the model's own unless a weapon is given."""
    attacker = make_group(1, weapons=[weapon or make_blade()], rules=list(rules), **(group or {}))
    return make_duel(kind, make_side(attacker, **(side or {})), target or make_side(), **conditions)


def tough(toughness: int, wounds: int = 1, **facts: object) -> Json:
    """A big target."""
    return make_side(make_group(5, profile={"T": toughness, "W": wounds}, **facts))


def challenge(*rules: str, men: int = 1) -> Json:
    """A Character with these rules on his weapon charges another one, who may have men around him."""
    hero = make_group(1, subtypes=["character"], weapons=[make_blade(*rules, AP=2)])
    enemy = make_group(1, subtypes=["character"], weapons=[make_blade(AP=2)])
    crowd = [make_group(men - 1)] if men > 1 else []
    return make_duel("combat_round", make_side(hero), make_side(enemy, *crowd))


HIT, WOUND, UNSAVED = F(2, 3), F(1, 2), F(1, 3)
"""BS 4; Strength 4 against Toughness 4; a 3+ save that fails."""

SQUAD = make_side(make_group(9), make_group(1, name="Sergeant", subtypes=["character"]))

BEARS = (F(1), F(15, 36), F(10, 36), F(6, 36), F(3, 36), F(1, 36), F(1, 36))
"""Leadership 7: none to six hallucinations are borne; a double 1 bears them all."""

DREADNOUGHT = make_side(make_group(1, profile={"T": 7, "W": 5, "Sv": "2+"}, type="dreadnought"))
DAEMON = make_side(make_group(5, profile={"T": 5, "W": 1, "Sv": None, "Inv": "5+"}, type="daemon"))

TABLE: list[tuple[str, str, Json, str, F]] = [
    # name, rule as written, document, metric, value by hand
    ("a wound of 5 is resolved at AP2", "Rending (5+)", shots("Rending (5+)"), "unsaved_wounds", HIT * (F(1, 6) * UNSAVED + F(1, 3))),
    ("rending wounds what cannot be wounded", "Rending (6+)", shots("Rending (6+)", target=tough(8)), "wounds", HIT * F(1, 6)),
    ("breaching does not wound by itself", "Breaching (4+)", shots("Breaching (4+)", target=tough(6)), "unsaved_wounds", HIT * F(1, 6)),
    ("poison against Toughness 8", "Poisoned (4+)", shots("Poisoned (4+)", target=tough(8)), "wounds", HIT * F(1, 2)),
    ("fleshbane against Toughness 8", "Fleshbane", shots("Fleshbane", target=tough(8)), "wounds", HIT * F(5, 6)),
    ("a wound of 5 slays two wounds", "Murderous Strike (5+)", shots("Murderous Strike (5+)", target=tough(4, 2)), "models_slain", HIT * F(1, 3) * UNSAVED),
    ("every wound slays", "Instant Death", shots("Instant Death", target=tough(4, 2)), "models_slain", HIT * WOUND * UNSAVED),
    ("failed wounds again", "Shred", shots("Shred"), "wounds", HIT * F(3, 4)),
    ("failed hits again", "Twin-linked", shots("Twin-linked"), "hits", F(8, 9)),
    ("one failed hit again", "Master-crafted", fired(make_weapon("Master-crafted", type="Assault 2")), "hits", 2 * HIT + F(5, 9) * HIT),
    ("ones to hit and to wound again", "Preferred Enemy", fired(make_weapon(), group={"rules": ["Preferred Enemy"]}), "wounds", F(7, 9) * F(7, 12)),
    ("a natural 1 hurts the firer", "Gets Hot", shots("Gets Hot"), "attacker_models_slain", F(1, 6) * UNSAVED),
    ("an unsaved wound hits again", "Deflagrate", shots("Deflagrate"), "unsaved_wounds", F(1, 9) * (1 + WOUND * UNSAVED)),
    ("cover does not help", "Ignores Cover", fired(make_weapon("Ignores Cover", AP=2), make_side(cover="4+")), "unsaved_wounds", HIT * WOUND),
    ("armour 14 counts as 12", "Lance", fired(make_weapon("Lance", S=9), make_side(make_tank(14))), "p_penetrating_per_hit", F(1, 2)),
    ("2D6 and Strength 8 against 14", "Armourbane", fired(make_weapon("Armourbane", S=8), make_side(make_tank(14))), "p_penetrating_per_hit", F(21, 36)),
    ("failed penetration again", "Sunder", fired(make_weapon("Sunder", S=8), make_side(make_tank(12))), "p_penetrating_per_hit", F(1, 2)),
    ("a second penetrating hit", "Exoshock (4+)", fired(make_weapon("Exoshock (4+)", S=9, AP=3), make_side(make_tank(12))), "hull_points_lost", HIT * (F(1, 6) + F(1, 2) * F(3, 2)) + HIT * F(1, 2) * F(1, 2) * F(1, 36)),
    ("2 to 5 glances", "Haywire", fired(make_weapon("Haywire", S=1), make_side(make_tank(14))), "p_glancing_per_hit", F(2, 3)),
    ("below Strength 4 is safe", "Graviton Pulse", fired(make_weapon("Graviton Pulse", S="-", AP=4)), "wounds", HIT * F(1, 2)),
    ("snap shots at the ground", "Skyfire", shots("Skyfire"), "hits", F(1, 6)),
    ("a hit unit may go blind", "Blind", shots("Blind"), "p_blinded", HIT * F(2, 6)),
    ("a wounded unit may be concussed", "Concussive (1)", shots("Concussive (1)"), "p_concussed", HIT * WOUND * F(15, 36)),
    ("an unsaved wound may pin", "Pinning", shots("Pinning"), "p_pinned", F(1, 9) * F(15, 36)),
    ("Leadership 5 for the pinning test", "Shell Shock (2)", shots("Pinning", "Shell Shock (2)"), "p_pinned", F(1, 9) * F(26, 36)),
    ("a penetrating hit that does not wreck stuns", "Shock Pulse", fired(make_weapon("Shock Pulse", S=8, AP=4), make_side(make_tank(12))), "p_shocked", HIT * F(2, 6)),
    ("no roll to hit under a template", "Template", fired(make_weapon("Template"), models_covered=3), "hits", F(3)),
    ("D6 hits of a hellstorm snap shot", "Hellstorm", fired(make_weapon("Hellstorm", "Template"), snap_shots=True), "hits", F(7, 2)),
    ("12 inches further", "Torrent (12)", fired(make_weapon("Torrent (12)", range="Template"), distance=18, models_covered=2), "hits", F(2)),
    ("too near to be fired at", "Minimum Range (12)", fired(make_weapon("Minimum Range (12)", range=60), distance=12), "hits", F(0)),
    ("a small marker", "Blast (3\")", fired(make_weapon("Blast (3\")"), models_covered=3), "hits", F(3)),
    ("a large marker", "Large Blast (5\")", fired(make_weapon("Large Blast (5\")")), "hits", F(4)),
    ("a massive marker", "Massive Blast (7\")", fired(make_weapon("Massive Blast (7\")")), "hits", F(6)),
    ("an apocalyptic marker", "Apocalyptic Blast", fired(make_weapon("Apocalyptic Blast")), "hits", F(10)),
    ("apocalyptic barrage", "Apocalyptic Barrage", fired(make_weapon("Apocalyptic Barrage")), "hits", F(8)),
    ("all wounds go to the sergeant", "Sniper", shots("Sniper", target=SQUAD), "p_slain:Sergeant", HIT * WOUND * UNSAVED),
    ("half of the hits go to the sergeant", "Precision Shots (5+)", shots("Precision Shots (5+)", target=SQUAD), "p_slain:Sergeant", F(2, 6) * WOUND * UNSAVED),
    ("a third of the blows goes to the sergeant", "Precision Strikes (6+)", blows("Precision Strikes (6+)", target=SQUAD), "p_slain:Sergeant", F(1, 6) * WOUND * UNSAVED),
    ("who survives is weaker", "Rad-phage", fired(make_weapon("Rad-phage", AP=2), tough(4, 2)), "p_irradiated", HIT * WOUND),
    ("three zones, 25, 24 and 51 of 100", "Apocalyptic Mega-blast (8/6/4, 2/4/5)", fired(make_weapon("Apocalyptic Mega-blast (8/6/4, 2/4/5)"), models_covered=10), "unsaved_wounds", 10 * (F(25, 100) * F(5, 6) + F(24, 100) * F(5, 6) * UNSAVED + F(51, 100) * WOUND * UNSAVED)),
    ("six visions of 4+ to bear", "Hallucinations", fired(make_weapon("Hallucinations", type="Assault 6", S="-", AP="-")), "p_pinned", 1 - sum(F(comb(6, hits) * 2**hits, 3**6) * BEARS[hits] for hits in range(7))),
    ("sees beyond 24 inches of night", "Guided Fire", fired(make_weapon("Guided Fire", range=36), night_fighting=True, distance=30), "hits", F(1, 2)),
    ("a shifted marker", "Crawling Fire", fired(make_weapon("Blast (3\")", "Crawling Fire")), "hits", F(3)),
    ("barrages hit the side", "Barrage", fired(make_weapon("Barrage", "Blast", S=8), make_side(make_tank(13)), models_covered=1), "p_penetrating_per_hit", F(2, 6)),
    ("vehicles fly in guns blazing", "Strafing Run (1)", fired(make_weapon(), group={"rules": ["Strafing Run (1)"], "type": "vehicle", "profile": {"BS": 4}}), "hits", F(5, 6)),
    ("heavy weapons on the move", "Relentless", fired(make_weapon(type="Heavy 1"), group={"rules": ["Relentless"]}, side={"moved": True}), "hits", HIT),
    ("heavy weapons, slowly", "Slow and Purposeful", fired(make_weapon(type="Heavy 1"), group={"rules": ["Slow and Purposeful"]}, side={"moved": True}), "hits", HIT),
    ("sees through the shroud", "Night Vision", fired(make_weapon(), make_side(rules=["Shrouded (4+)"]), group={"rules": ["Night Vision"]}), "unsaved_wounds", F(1, 9)),
    ("failed wounds on a Dreadnought again", "Monster Hunter", fired(make_weapon(S=6), DREADNOUGHT, group={"rules": ["Monster Hunter"]}), "wounds", HIT * F(5, 9)),
    ("daemons are wounded on 2+, their saves made twice", "Sanctic", fired(make_weapon("Sanctic"), DAEMON), "unsaved_wounds", HIT * F(5, 6) * (1 - F(1, 9))),
    ("the weapon needs a passed check", "Psychic Focus", fired(make_weapon("Psychic Focus")), "hits", F(21, 36) * HIT),
    ("doubled Strength after a check, Perils after a failed one", "Force", fired(make_weapon("Force"), side={"psychic_check": "attempted"}, group={"profile": {"BS": 4, "S": 4, "T": 4, "W": 9, "Ld": 7}}), "wounds", HIT * (F(21, 36) * F(5, 6) + F(15, 36) * WOUND)),
    # the target's rules
    ("a third of the wounds is ignored", "Feel No Pain (5+)", shots(target=make_side(rules=["Feel No Pain (5+)"])), "unsaved_wounds", F(1, 9) * F(2, 3)),
    ("shrouded", "Shrouded (4+)", shots(target=make_side(rules=["Shrouded (4+)"])), "unsaved_wounds", F(1, 9) * F(1, 2)),
    ("instant death costs one wound", "Eternal Warrior", shots("Instant Death", target=tough(4, 2, rules=["Eternal Warrior"])), "wounds_lost", F(1, 9)),
    ("Strength 8 is not twice 4 + 1", "Battle-hardened (1)", fired(make_weapon(S=8), tough(4, 2, rules=["Battle-hardened (1)"])), "wounds_lost", HIT * F(5, 6) * UNSAVED),
    ("blasts wound swarms twice", "Swarm", fired(make_weapon("Blast"), make_side(make_group(10, rules=["Swarm"])), models_covered=3), "unsaved_wounds", 3 * WOUND * UNSAVED * 2),
    ("blast wounds are rolled again", "Blast-shield", fired(make_weapon("Blast", AP=2), make_side(rules=["Blast-shield"]), models_covered=3), "unsaved_wounds", 3 * WOUND * WOUND * F(2, 3)),
    ("a lost hull point may set it off", "Deadly Cargo", fired(make_weapon(S=8, AP=4), make_side(make_tank(12, hp=3, rules=["Deadly Cargo"]))), "p_explodes", HIT * F(1, 2) * F(1, 6)),
    ("the fearless do not hide", "Fearless", shots(target=make_side(rules=["Fearless", "Shrouded (4+)"])), "unsaved_wounds", F(1, 9)),
    ("a massive building holds longer", "Massive Fortification", fired(make_weapon(S=10, AP=1), make_side({"name": "Bunker", "count": 1, "type": "fortification", "profile": {"AV": 12, "HP": 4}, "rules": ["Massive Fortification"]})), "p_explodes", HIT * F(4, 6) * F(1, 6)),
    ("a save against psychic weapons", "Adamantium Will (4+)", blows(weapon=make_blade("Force", AP=2), target=make_side(rules=["Adamantium Will (4+)"])), "unsaved_wounds", WOUND * WOUND * F(1, 2)),
    # close combat
    ("all failed blows again", "Hatred", blows("Hatred"), "hits", F(3, 4)),
    ("stronger when charging", "Furious Charge (1)", blows("Furious Charge (1)", side={"charged": True}), "wounds", 2 * WOUND * F(2, 3)),
    ("three attacks for charging", "Rage (3)", blows("Rage (3)", side={"charged": True}), "hits", 4 * WOUND),
    ("two attacks when outnumbered", "Rampage (2)", blows("Rampage (2)"), "hits", 3 * WOUND),
    ("ten men outnumber nobody of bulk 10", "Bulky (10)", blows("Rampage (2)", "Bulky (10)"), "hits", WOUND),
    ("two attacks when charged", "Counter-attack (2)", blows("Counter-attack (2)", target=make_side(charged=True)), "hits", 3 * WOUND),
    ("one blow at Weapon Skill 1", "Cumbersome", blows(weapon=make_blade("Cumbersome"), group={"profile": {"WS": 4, "S": 4, "A": 4}}), "hits", F(1, 6)),
    ("no attack for a second weapon", "Specialist Weapon", make_duel("melee", make_side(make_group(1, weapons=[make_blade("Specialist Weapon"), make_blade()])), make_side()), "hits", WOUND),
    ("both hands are full", "Two-handed", make_duel("melee", make_side(make_group(1, weapons=[make_blade("Two-handed"), make_weapon(type="Pistol 1")])), make_side()), "hits", WOUND),
    ("two automatic hits", "Hammer of Wrath (2)", blows("Hammer of Wrath (2)", kind="hammer_of_wrath", side={"charged": True}), "hits", F(2)),
    ("flames around the bearer", "Pyromantic Desolation", blows(weapon=make_blade("Pyromantic Desolation")), "hits", WOUND + 3),
    ("each wound becomes two", "Brutal (2)", blows(weapon=make_blade("Brutal (2)")), "unsaved_wounds", WOUND * WOUND * UNSAVED * 2),
    # the order of blows: one model with a sure blow each
    ("too slow to strike first", "Unwieldy", blows(weapon=make_blade("Unwieldy", AP=2), target=make_side(make_group(1, weapons=[make_blade(AP=2)])), kind="combat_round"), "models_slain", WOUND * WOUND * F(3, 4)),
    ("longer reach strikes first", "Reach (1)", blows(weapon=make_blade("Reach (1)", AP=2), target=make_side(make_group(1, weapons=[make_blade(AP=2)])), kind="combat_round"), "attacker_models_slain", F(1, 4) * F(3, 4)),
    ("struck before they see it", "Sudden Strike (1)", blows("Sudden Strike (1)", weapon=make_blade(AP=2), side={"charged": True}, target=make_side(make_group(1, weapons=[make_blade(AP=2)])), kind="combat_round"), "attacker_models_slain", F(1, 4) * F(9, 16)),
    ("quicker in a challenge", "Duellist's Edge (2)", challenge("Duellist's Edge (2)"), "attacker_models_slain", F(1, 4) * F(3, 4)),
    ("not slowed by terrain", "Move Through Cover", blows("Move Through Cover", weapon=make_blade(AP=2), side={"charged": True}, target=make_side(make_group(1, weapons=[make_blade(AP=2)])), kind="combat_round", difficult_terrain=True), "models_slain", F(7, 16)),
    # morale, charges, pursuits
    ("losing to something frightful", "Fear (2)", blows("Fear (2)", weapon=make_blade(AP=2), target=make_side(make_group(2, profile={"A": 0})), kind="combat_round"), "p_defender_breaks", F(1, 4) * F(30, 36)),
    ("the difference does not matter", "Stubborn", {"system": "horus-heresy", "kind": "leadership_test", "unit": make_side(rules=["Stubborn"]), "conditions": {"lost_combat_by": 3}}, "p_pass", F(21, 36)),
    ("two inches further", "Fleet (2)", {"system": "horus-heresy", "kind": "charge", "unit": make_side(rules=["Fleet (2)"]), "conditions": {"distance": 9}}, "p_success", F(21, 36)),
    ("as fast as twelve inches", "Jump Pack", {"system": "horus-heresy", "kind": "charge", "unit": make_side(rules=["Jump Pack"]), "conditions": {"distance": 9, "difficult_terrain": True}}, "p_success", F(21, 36)),
    ("ten men outnumber five with jets, but not their bulk", "Jet Pack", make_duel("melee", make_side(make_group(5, weapons=[make_blade()], rules=["Rampage (2)", "Jet Pack"])), make_side()), "hits", 5 * WOUND),
    ("the better of two dice", "Crusader", {"system": "horus-heresy", "kind": "pursuit", "winner": make_side(rules=["Crusader"]), "loser": make_side()}, "p_destroyed", F(sum((2 * a - 1) * (a - 1) for a in range(1, 7)), 216)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "rule", "document", "name", "value"), TABLE, ids=[f"{row[1]}: {row[0]}" for row in TABLE]
)
def test_rule(case: str, rule: str, document: Json, name: str, value: F) -> None:
    result = run(document)
    assert result.metrics[name] == pytest.approx(float(value), abs=1e-12), case
    bare = run(without_rule(document, rule))
    assert bare.metrics.get(name, 0.0) != pytest.approx(result.metrics[name], abs=1e-9), "the rule changes nothing"
    told = {*result.modelled, *(item.rule for item in result.approximated)}
    assert rule in told, "the answer does not say that the rule is in it"
    assert rule not in result.not_simulated


@pytest.mark.parametrize(
    ("case", "rule", "document", "name", "value"), TABLE, ids=[f"{row[1]}: {row[0]}" for row in TABLE]
)
def test_rule_with_dice(case: str, rule: str, document: Json, name: str, value: F) -> None:
    result = run(document, method="montecarlo", trials=4000, seed=7)
    error = (result.standard_errors or {})[name]
    assert result.metrics[name] == pytest.approx(float(value), abs=5 * error + 4 / 4000), case


def test_every_modelled_rule_has_its_row() -> None:
    assert {SPECIAL_RULES.read(rule).name for _, rule, *_ in TABLE} == MODELLED
    assert BLASTS.keys() <= MODELLED


def test_unknown_rules_are_kept_and_listed() -> None:
    result = run(shots("Shred", "Whispering Death (3)", target=make_side(rules=["Heart of Gold"])))
    assert result.not_simulated == ("Whispering Death (3)", "Heart of Gold")
    assert result.modelled == ("Shred",)


@pytest.mark.parametrize(
    "rule", ["Independent Character", "Deep Strike", "Legiones Astartes (Sons of Horus)", "Retinue"]
)
def test_rules_without_a_part_in_a_fight_are_no_gap(rule: str) -> None:
    assert run(shots(target=make_side(rules=[rule]))).not_simulated == ()


def test_who_is_stunned_by_a_shock_pulse() -> None:
    """A machine that has suffered it and stands: not by glancing hits, saved ones, or shots that wreck it."""
    gun = make_weapon("Shock Pulse", S=8, AP=4)
    assert metric(fired(gun, make_side(make_tank(12), cover="4+")), "p_shocked") == pytest.approx(float(HIT * F(1, 6)))
    assert metric(fired(gun, make_side(make_tank(12, hp=1))), "p_shocked") == 0.0
    assert metric(fired(gun | {"AP": 1}, make_side(make_tank(12))), "p_shocked") == pytest.approx(
        float(HIT * F(2, 6) * F(4, 6))
    )
    unsaved = HIT * F(1, 6) * F(5, 6)  # Strength 4 on Toughness 6, a 2+ save that AP2 ignores, 6+ invulnerable
    machine = make_side(make_group(1, profile={"T": 6, "W": 5, "Sv": "2+", "Inv": "6+"}, type="dreadnought"))
    assert metric(fired(make_weapon("Shock Pulse", AP=2), machine), "p_shocked") == pytest.approx(float(unsaved))
    assert "p_shocked" not in run(shots("Shock Pulse")).metrics
    assert "Shock Pulse" not in run(shots("Shock Pulse")).modelled
    squadron = fired(gun | {"type": "Assault 3"}, make_side(make_tank(12, hp=2, count=2)))
    answer, rolled = run(squadron), run(squadron, method="montecarlo", trials=20_000, seed=9)
    error = (rolled.standard_errors or {})["p_shocked"]
    assert answer.metrics["p_shocked"] == pytest.approx(rolled.metrics["p_shocked"], abs=5 * error)
    assert answer.metrics["p_shocked"] < 1 - float((1 - HIT * F(2, 6)) ** 3), "a wreck is not stunned"
    twins = fired(make_weapon("Shock Pulse", S=8, AP=4), make_side(make_tank(12, count=2)))
    assert metric(twins, "p_shocked") == pytest.approx(float(HIT * F(2, 6)))
    mixed = make_duel(
        "shooting",
        make_side(make_group(3, weapons=[gun | {"count": 1}, make_weapon(S=8, AP=4, count=2)])),
        make_side(make_tank(12, hp=2)),
    )
    answer = run(mixed, method="montecarlo", trials=20_000, seed=3)
    error = (answer.standard_errors or {})["p_shocked"]
    assert answer.metrics["p_shocked"] == pytest.approx(metric(mixed, "p_shocked"), abs=5 * error)


def test_a_duellist_needs_somebody_to_duel_with() -> None:
    """Against a Character among his men nobody fights a challenge here; without a Character there is none to fight."""
    rule = "Duellist's Edge (2)"
    alone, among_men = challenge(rule), challenge(rule, men=5)
    assert run(alone).modelled == (rule,)
    assert "challenge" in str(run(alone).assumptions[-1].en)
    assert run(among_men).not_simulated == (rule,)
    crowd = alone | {"defender": make_side(make_group(5, weapons=[make_blade(AP=2)]))}
    result = run(crowd)
    assert rule not in (*result.modelled, *result.not_simulated)
    assert result.metrics == run(without_rule(crowd, rule)).metrics


def test_rules_are_read_in_any_case_and_with_their_default() -> None:
    plain = metric(shots(target=make_side(rules=["FEEL NO PAIN (5+)"])), "unsaved_wounds")
    assert plain == pytest.approx(float(F(2, 27)))
    assert metric(shots("poisoned", target=tough(8)), "wounds") == pytest.approx(float(HIT / 2))
