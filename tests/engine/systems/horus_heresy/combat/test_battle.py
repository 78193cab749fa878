"""The Horus Heresy's whole battles: units on the table, volleys as the matrix has them, Blood Feud, sample lists."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.forces import Worth
from armybuilder.engine.combat.battles.odds import TableBuilder, track_of
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.horus_heresy.combat import battle
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.matrix import shooting_matrix
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SPECIAL_RULES
from armybuilder.engine.systems.horus_heresy.matchup import Conditions
from armybuilder.engine.systems.horus_heresy.roster.fighters import sides_from_roster
from tests.conftest import ROOT
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures/horus-heresy"


@pytest.fixture(scope="module")
def library() -> Library:
    paths = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".gst", ".cat"))
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in paths])


def army(library: Library, name: str) -> tuple[Fighter, ...]:
    kept = json.loads((FIXTURES / f"lists/{name}.json").read_text())
    return sides_from_roster(evaluate(library, msgspec.convert(kept["document"]["roster"], Roster)))


@pytest.fixture(scope="module")
def sons(library: Library) -> tuple[Fighter, ...]:
    return army(library, "sons-of-horus")


@pytest.fixture(scope="module")
def auxilia(library: Library) -> tuple[Fighter, ...]:
    return army(library, "solar-auxilia")


def named(fighters: tuple[Fighter, ...], name: str) -> battle.Ready:
    return battle.ready(next(fighter for fighter in fighters if fighter.name == name))


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("Tactical Squad", {"move": 7, "strikes_at": 4, "shelters": True, "screens": True, "locks": True}),
        ("Praetor", {"hides": True, "screens": False, "strikes_at": 5}),
        ("Rhino", {"move": 14, "shelters": False, "locks": False, "charge": None, "stands": (), "panics_at": None}),
        ("Horus Lupercal", {"hides": True, "stands": (), "panics_at": None, "strikes_at": 1}),
        ("Javelin Squadron", {"flees": battle.FALL_BACK_OF_CAVALRY}),
    ],
)  # fmt: skip
def test_a_unit_on_the_table(name: str, facts: dict[str, Any], sons: tuple[Fighter, ...]) -> None:
    unit = battle.unit(named(sons, name))
    assert {fact: getattr(unit, fact) for fact in facts} == facts


def test_packs_make_a_unit_faster(sons: tuple[Fighter, ...]) -> None:
    """Jump packs move 12 inches instead of 7, and charge as far; jet packs move 6 more (L543-L549)."""
    squad = named(sons, "Tactical Squad").fighter
    plain, jump, jet = (
        battle.unit(battle.ready(f)) for f in (squad, given(squad, "Jump Pack"), given(squad, "Jet Pack"))
    )
    assert (plain.move, jump.move, jet.move) == (7, 12, 13)
    assert jump.charge is not None and plain.charge is not None and jet.charge is not None
    assert jump.charge.mean > plain.charge.mean == jet.charge.mean


def test_once_only_weapons_are_told(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    notes = prepared(battle, [given(named(sons, "Tactical Squad").fighter, "One Shot")], auxilia[:1]).notes
    assert "One Shot" in {item.rule for item in notes.approximated}


def test_nerve_is_the_morale_check(sons: tuple[Fighter, ...]) -> None:
    """Leadership 8: 26 of 36 rolls pass, one lost combat by 1 leaves 21; double 1 always passes."""
    unit = battle.unit(named(sons, "Tactical Squad"))
    assert unit.holds == unit.rallies == pytest.approx(26 / 36)
    assert unit.stands[:2] == (pytest.approx(21 / 36), pytest.approx(15 / 36))
    assert unit.stands[-1] == pytest.approx(1 / 36)


@pytest.mark.parametrize(
    ("name", "bands"),
    [("Praetor", (12,)), ("Tactical Squad", (12, 24)), ("Heavy Support Squad", (12, 48)),
     ("Seeker Squad", (12, 15, 18, 24, 30))],
)  # fmt: skip
def test_bands_are_ranges_and_half_ranges(name: str, bands: tuple[float, ...], sons: tuple[Fighter, ...]) -> None:
    assert battle.bands(named(sons, name)) == bands


@pytest.mark.parametrize("distance", [12, 24])
@pytest.mark.long
def test_a_volley_is_that_of_the_matrix(
    distance: float, sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]
) -> None:
    """Models slain of units of one kind, expected, are those of the exact matrix for every pair."""
    targets = [
        f for f in auxilia if not battle.ready(f).unit.is_vehicle and battle.ready(f).in_the_open.standing.uniform
    ]
    assert len(targets) > 3
    cells = list(shooting_matrix(sons, targets, conditions=Conditions(distance=distance)))
    compared = 0
    for fighter, row in zip(sons, cells, strict=True):
        for target, cell in zip(targets, row, strict=True):
            mine, theirs = battle.ready(fighter), battle.ready(target)
            attacks = battle.shooting(mine, theirs, distance=distance, moved=False, cover=False)
            assert bool(attacks) is (cell is not None)
            if cell is None:
                continue
            track = track_of(battle.unit(theirs).wounds)
            builder = TableBuilder(fighter.models)
            first, _ = builder.add(attacks, track)
            codes, chances = builder._rows[first + fighter.models]
            slain = float(chances @ (fighter_models(track) - track.left)[track.landing[0, codes]])
            assert slain == pytest.approx(cell.models_slain, abs=1e-4), (fighter.name, target.name)
            compared += 1
    assert compared > 20


def fighter_models(track: Any) -> int:
    return int(track.left[0])


def test_heavy_weapons_mind_a_move_and_cover_helps(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    heavy, target = named(sons, "Heavy Support Squad"), named(auxilia, "Rifle Section")
    assert not battle.steady(heavy)
    assert battle.steady(named(sons, "Praetor"))

    def hurt(**facts: bool) -> float:
        given = {"moved": False, "cover": False} | facts
        attacks = battle.shooting(heavy, target, distance=24, **given)
        return sum(a.models * float(a.chances.sum(0) @ np.arange(a.chances.shape[1])) for a in attacks)

    assert hurt(moved=True) < hurt(cover=True) < hurt()


def test_blood_feud(auxilia: tuple[Fighter, ...], sons: tuple[Fighter, ...]) -> None:
    """Worth most in all are vehicles of the Sons (7 × 2), infantry of the Auxilia."""
    worths = dict(zip((f.name for f in sons), battle.worths([battle.ready(f) for f in sons]), strict=True))
    assert worths["Rhino"].destroyed == worths["Rhino"].fleeing == 2
    assert worths["Tactical Squad"].destroyed == 0
    assert worths["Horus Lupercal"].destroyed == 2, "the dearest Character is the warlord, and a Primarch"
    assert worths["Horus Lupercal"].fleeing == 0
    theirs = dict(zip((f.name for f in auxilia), battle.worths([battle.ready(f) for f in auxilia]), strict=True))
    assert (theirs["Rifle Section"].destroyed, theirs["Leman Russ Command Tank"].destroyed) == (1, 0)


@pytest.mark.parametrize("mission", battle.MISSIONS)
def test_the_page_says_that_a_cheap_unit_can_cost_more_than_it_brings(mission: str) -> None:
    """By the mission it gives away as many points as a dear one: a list of Solar Auxilia wins 57 of 100 battles
    instead of 47 without a Rifle Section of 60 points, one of Raven Guard 44 instead of 34 without its Scouts."""
    words = battle.MISSIONS[mission].victory
    assert "it can cost more than it brings" in words.en
    assert "может обойтись дороже, чем приносит" in words.ru


def test_every_type_may_be_named(sons: tuple[Fighter, ...]) -> None:
    units = [battle.ready(fighter) for fighter in sons]
    named_worths = [dict(zip((f.name for f in sons), row, strict=True)) for row in battle.namings(units)]
    assert named_worths[0] == dict(zip((f.name for f in sons), battle.worths(units), strict=True))
    infantry = next(row for row in named_worths if row["Tactical Squad"].fleeing)
    assert (infantry["Tactical Squad"].fleeing, infantry["Rhino"].fleeing) == (1, 0)
    assert len(battle.namings(units, battle.WAR_OF_LIES)) == 1


@pytest.mark.long
def test_each_side_names_what_it_expects_most_from(auxilia: tuple[Fighter, ...], sons: tuple[Fighter, ...]) -> None:
    mine = [fighter for fighter in sons if fighter.name in {"Tactical Squad", "Rhino", "Praetor"}]
    theirs = [fighter for fighter in auxilia if fighter.name in {"Rifle Section", "Leman Russ Command Tank"}]
    chosen = prepared(battle, mine, theirs).battle
    units = [battle.ready(fighter) for fighter in theirs]

    def expected(row: Sequence[Worth]) -> int:
        army = tuple(replace(unit, worth=worth) for unit, worth in zip(chosen.armies[1], row, strict=True))
        plans = Plans(replace(chosen, armies=(chosen.armies[0], army)))
        return int(play.fought(plans, trials=400, seed=1).sums[0, 1])

    rows = battle.namings(units)
    best = max(rows, key=expected)
    assert len(rows) == 2
    assert tuple(unit.worth for unit in chosen.armies[1]) == best


def test_a_wall_stays_out_of_the_battle(library: Library, sons: tuple[Fighter, ...]) -> None:
    wall = msgspec.structs.replace(
        sons[0],
        name="Defence Line",
        side=msgspec.structs.replace(
            sons[0].side,
            models=tuple(
                msgspec.structs.replace(
                    group, type="fortification", profile=msgspec.structs.replace(group.profile, toughness=None)
                )
                for group in sons[0].side.models
            ),
        ),
    )
    with pytest.raises(BadDocument):
        battle.ready(wall)
    ready = prepared(battle, (wall, sons[1]), sons[:3])
    assert ready.left_out == (("Defence Line",), ())
    assert len(ready.battle.armies[0]) == 1
    with pytest.raises(BadDocument):
        prepared(battle, (wall,), sons)


@pytest.mark.long
def test_sample_lists_fight(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    ready = prepared(battle, sons, auxilia)
    chronicle = play.fought(Plans(ready.battle), trials=600, seed=4)
    assert chronicle.outcomes.sum() == 600
    assert all(part.sum() > 0 for part in chronicle.slain)
    shooting, fighting = (chronicle.slain[0][:, way].sum() for way in (0, 1))
    assert shooting > 0 and fighting > 0
    rules = {item.rule for item in ready.notes.approximated}
    assert {"vehicles", "terrain", "characters", "movement", "reactions"} <= rules
    assert "reactions" not in ready.notes.not_simulated
    assert all(text.en and text.ru for text in ready.notes.assumptions)
    assert "Rending (6+)" in ready.notes.modelled
    assert not set(ready.notes.modelled) & set(ready.notes.not_simulated)


def given(fighter: Fighter, *rules: str, group: int | None = None) -> Fighter:
    """The fighter with more rules, of the whole unit or of one of its groups."""
    side = fighter.side
    if group is None:
        return msgspec.structs.replace(fighter, side=msgspec.structs.replace(side, rules=(*side.rules, *rules)))
    models = list(side.models)
    models[group] = msgspec.structs.replace(models[group], rules=(*models[group].rules, *rules))
    return msgspec.structs.replace(fighter, side=msgspec.structs.replace(side, models=tuple(models)))


@pytest.mark.long
def test_it_will_not_die(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """A wound back on 4+ at the end of each turn: a Praetor, a Rhino; Primarchs have it on 5+."""
    rule = "It Will Not Die (4+)"
    assert battle.unit(named(sons, "Horus Lupercal")).regains == pytest.approx(1 / 3)
    praetor = named(sons, "Praetor").fighter
    assert battle.unit(battle.ready(praetor)).regains == 0.0
    assert battle.unit(battle.ready(given(praetor, rule))).regains == 0.5
    tank = named(sons, "Rhino").fighter
    left = []
    for one in (tank, given(tank, rule)):
        ready = prepared(battle, [one] * 4, auxilia[:6])
        left.append(play.fought(Plans(ready.battle), trials=4_000, seed=3).standing[0][:, -1].sum())
    assert left[1] > 1.05 * left[0]
    assert rule in ready.notes.modelled
    squad = next(fighter for fighter in sons if len(fighter.side.models) > 1)
    assert battle.unit(battle.ready(given(squad, rule, group=0))).regains == 0.0, "some of its models"
    assert rule in prepared(battle, [given(squad, rule, group=0)], auxilia[:1]).notes.not_simulated


FIRST_ROUND = {"counter-attack": ("Counter-attack (1)", False), "hatred": ("Hatred", True)}


def test_each_rule_of_the_first_round_is_tried() -> None:
    assert FIRST_ROUND.keys() == SPECIAL_RULES.counting_in("first_round")


@pytest.mark.parametrize(("rule", "counts_when_charging"), FIRST_ROUND.values())
def test_what_counts_in_the_first_round(
    rule: str, counts_when_charging: bool, sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]
) -> None:
    squad, enemy = named(sons, "Tactical Squad").fighter, named(auxilia, "Rifle Section")
    bare, own = battle.ready(squad), battle.ready(given(squad, rule))
    assert battle.counters(own)
    assert not battle.counters(bare)

    def hurt(ready: battle.Ready, **when: bool) -> float:
        attacks = battle.blows(ready, enemy, **({"charging": False} | when))
        return sum(a.models * float(a.chances.sum(0) @ np.arange(a.chances.shape[1])) for a in attacks)

    assert hurt(own, charged=True) > hurt(bare, charged=True) == pytest.approx(hurt(bare))
    assert hurt(own) == pytest.approx(hurt(bare)), "a later round"
    assert (hurt(own, charging=True) > hurt(bare, charging=True) + 1e-9) is counts_when_charging
    blows = prepared(battle, [own.fighter], [enemy.fighter]).battle.blows[0][0][0]
    assert blows.charged is not None and blows.charged is not blows.fighting


def test_no_rule_counts_in_the_first_round_unsaid(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """Whoever is charged strikes as in a later round, but for those whose row says that the first one is another."""
    squad, enemy = named(sons, "Tactical Squad").fighter, named(auxilia, "Rifle Section")
    for rule in SPECIAL_RULES.rules.values():
        if rule.is_in_figures and "first_round" not in rule.counts:
            own = battle.ready(given(squad, rule.name))
            first, later = (battle.blows(own, enemy, charging=False, charged=charged) for charged in (True, False))
            assert hurts(first) == pytest.approx(hurts(later)), rule.name


def hurts(attacks: Any) -> float:
    """Wounds or hull points, on the average."""
    return float(sum(a.models * (a.chances.sum(0) @ np.arange(a.chances.shape[1])) for a in attacks or ()))


def test_who_reacts_and_with_what(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """Men shoot back as ever, tanks with defensive weapons; Automata never react."""
    squad, tank, enemy = (
        named(sons, "Tactical Squad"),
        named(sons, "Predator Squadron"),
        named(auxilia, "Rifle Section"),
    )
    assert battle.may_reply(squad, enemy)
    assert battle.replies(squad, enemy, distance=12, cover=False) is None
    reply = battle.replies(tank, enemy, distance=24, cover=False)
    usual = battle.shooting(tank, enemy, distance=24, moved=False, cover=False)
    assert reply is not None
    assert hurts(reply) < hurts(usual)
    slow = battle.ready(given(squad.fighter, "Slow and Purposeful"))
    assert not battle.may_reply(slow, enemy)
    volleys = prepared(battle, [squad.fighter, slow.fighter], [enemy.fighter]).battle.volleys[0]
    assert volleys[0][0][0].replies is not None
    assert volleys[1][0][0].replies is None


@pytest.mark.parametrize(
    ("name", "after"),
    [("Tactical Squad", False), ("Heavy Support Squad", False), ("Contemptor Dreadnought Talon", True),
     ("Horus Lupercal", True), ("Justaerin Terminator Squad", True)],
)  # fmt: skip
def test_who_charges_after_shooting(name: str, after: bool, sons: tuple[Fighter, ...]) -> None:
    """Rapid Fire and Heavy weapons forbid it, but not to Dreadnoughts, Primarchs and the Relentless."""
    assert battle.unit(named(sons, name)).charges_after is after


def test_daemons_dissolve(sons: tuple[Fighter, ...]) -> None:
    squad = named(sons, "Tactical Squad").fighter
    models = tuple(msgspec.structs.replace(group, type="daemon") for group in squad.side.models)
    daemons = msgspec.structs.replace(squad, side=msgspec.structs.replace(squad.side, models=models))
    assert battle.unit(battle.ready(squad)).dissolves is None
    assert battle.unit(battle.ready(daemons)).dissolves is not None
    assert any("Daemons" in text.en for text in prepared(battle, [daemons], [squad]).notes.assumptions)


@pytest.mark.long
def test_war_of_lies(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """Every unit is worth a point, and Line units make for five objectives; Blood Feud knows neither."""
    units = [battle.ready(fighter) for fighter in sons]
    worths = dict(zip((f.name for f in sons), battle.worths(units, battle.WAR_OF_LIES), strict=True))
    assert worths["Rhino"].destroyed == worths["Tactical Squad"].fleeing == 1
    assert worths["Horus Lupercal"].destroyed == 3
    usual, lies = (prepared(battle, sons, auxilia, mission=name) for name in battle.MISSIONS)
    assert usual.battle.terms == prepared(battle, sons[:1], auxilia[:1]).battle.terms == battle.TERMS
    assert "objectives" in usual.notes.not_simulated
    assert "objectives" in {item.rule for item in lies.notes.approximated}
    assert "objectives" not in lies.notes.not_simulated
    goals = {unit.name for unit, plan in zip(lies.battle.armies[0], Plans(lies.battle).of[0], strict=True) if plan.goal}
    assert goals == {"Tactical Squad", "Rhino"}, "a Rhino goes where its squad is to get out"
    assert not any(plan.goal for plan in Plans(usual.battle).of[0])
    points = [play.fought(Plans(one.battle), trials=600, seed=1).sums[:, 1].sum() for one in (usual, lies)]
    assert points[1] > points[0] > 0, "objectives bring both sides more than kills alone"
    with pytest.raises(BadDocument, match="missions"):
        prepared(battle, sons, auxilia, mission="dominion")


def test_rampage_of_the_outnumbered(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """Two attacks more, or D3, for a Praetor among twenty men; none for as many as they."""
    praetor, men = named(sons, "Praetor"), named(auxilia, "Rifle Section")
    two, dice = (battle.ready(given(praetor.fighter, rule)) for rule in ("Rampage (2)", "Rampage (D3)"))
    plain, more, rolled = (hurts(battle.blows(one, men, charging=False)) for one in (praetor, two, dice))
    assert more > 1.2 * plain
    assert rolled == pytest.approx(more), "D3 is two on the average"
    squad = battle.ready(given(men.fighter, "Rampage (2)"))
    assert hurts(battle.blows(squad, praetor, charging=False)) == hurts(battle.blows(men, praetor, charging=False))
    notes = prepared(battle, [two.fighter], [men.fighter]).notes
    assert "Rampage (2)" in {item.rule for item in notes.approximated}
    assert "Rampage (2)" not in (*notes.modelled, *notes.not_simulated)


def test_a_volley_that_pins(sons: tuple[Fighter, ...], auxilia: tuple[Fighter, ...]) -> None:
    """Whoever is hurt tests his nerve; who fails keeps down, and his side loses more."""
    squad = named(auxilia, "Rifle Section").fighter
    guns = given(named(sons, "Seeker Squad").fighter, "Pinning")
    bare = named(sons, "Tactical Squad")
    assert battle.pins(battle.ready(guns), battle.ready(squad), distance=12)
    assert not battle.pins(bare, battle.ready(squad), distance=12)
    nerve = battle.unit(battle.ready(squad))
    assert nerve.unpinned == nerve.holds < 1.0
    assert battle.unit(named(sons, "Javelin Squadron")).unpinned == 1.0, "cavalry is never pinned"
    lost = []
    for fighter in (given(bare.fighter, "Pinning"), bare.fighter):
        ready = prepared(battle, [fighter] * 3, [squad] * 2)
        lost.append(play.fought(Plans(ready.battle), trials=3_000, seed=2).slain[1].sum())
    assert lost[0] < 0.97 * lost[1], "fewer of those who pin are slain"
    notes = prepared(battle, [guns], [squad]).notes
    assert "Pinning" in {item.rule for item in notes.approximated}
    assert "Pinning" not in (*notes.modelled, *notes.not_simulated)
