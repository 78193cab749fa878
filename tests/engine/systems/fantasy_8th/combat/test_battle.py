"""Whole battles of Fantasy: what a unit does on the table, and that numbers, range, speed and nerve decide."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.battle_results import results_of
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.combat import battle
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import MATCHUPS, FantasyConditions
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import TABLE
from armybuilder.engine.systems.fantasy_8th.matchup import Group, Mount, Side
from armybuilder.engine.systems.game import target_book_of
from armybuilder.engine.systems.matchups import ModelNotes
from tests.engine.systems.fantasy_8th.roster.test_fighters import sample


@pytest.fixture(scope="module")
def empire() -> dict[str, Fighter]:
    return sample("empire")


@pytest.fixture(scope="module")
def orcs() -> dict[str, Fighter]:
    return sample("orcs-and-goblins")


BOOK = target_book_of("fantasy-8th")
assert BOOK is not None
YARDSTICKS = {one.key: Fighter(unit=one.key, name=one.key, points=one.points, side=one.side) for one in BOOK.standard}


def made(fighter: Fighter, *, weapons: tuple[str, ...] = (), **profile: int) -> Fighter:
    """The same unit with other weapons or characteristics."""
    main = fighter.side.models[0]
    main = replace(main, profile=replace(main.profile, **profile), weapons=weapons or main.weapons)
    return replace(fighter, side=replace(fighter.side, models=(main, *fighter.side.models[1:])))


def fought(mine: list[Fighter], theirs: list[Fighter], trials: int = 2_000) -> dict[str, Any]:
    ready = prepared(battle, mine, theirs)
    return results_of(ready, play.fought(Plans(ready.battle), trials=trials, seed=7))


def mean_loss(attacks: Any) -> float:
    """Wounds of the full unit, on average, a slain model counting as one."""
    total = 0.0
    for attack in attacks:
        slain, lost = np.indices(attack.chances.shape)
        total += attack.models * float((attack.chances * (slain + lost)).sum())
    return total


@pytest.mark.parametrize("name", ["Handgunners", "Huntsmen", "Great Cannon"])
def test_shooting_is_that_of_the_pair(name: str, empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """On average, as nobody in the target has several wounds."""
    mine, theirs = battle.ready(empire[name]), battle.ready(orcs["Orc Boyz"])
    for cover in (False, True):
        stated = FantasyConditions(distance=12, target_cover="soft" if cover else "none")
        metrics = simulate(MATCHUPS.matchup("shooting", empire[name], orcs["Orc Boyz"], conditions=stated)).metrics
        found = mean_loss(battle.shooting(mine, theirs, distance=12, moved=False, cover=cover))
        assert found == pytest.approx(metrics["unsaved_wounds"], rel=1e-9)


@pytest.mark.parametrize("name", ["Halberdiers", "Greatswords", "Demigryph Knights"])
def test_blows_are_those_of_the_pair(name: str, empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """All blows of the full unit: those of the pair, where the enemy does not strike first."""
    mine, theirs = battle.ready(empire[name]), battle.ready(YARDSTICKS["infantry"])
    harmless = made(YARDSTICKS["infantry"], A=0)
    for charging in (True, False):
        document = MATCHUPS.matchup(
            "close_combat", empire[name], harmless, conditions=FantasyConditions(charge=charging)
        )
        metrics = simulate(document).metrics
        found = mean_loss(battle.blows(mine, theirs, charging=charging))
        assert found == pytest.approx(metrics["wounds_lost"], rel=0.03)


def test_a_wound_that_is_worth_a_model_slays_it(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """A cannonball against Trolls: D6 wounds, of which three slay one; nothing spills over."""
    (attack,) = battle.shooting(
        battle.ready(empire["Great Cannon"]), battle.ready(orcs["Trolls"]), distance=30, moved=False, cover=False
    )
    assert attack.chances.sum() == pytest.approx(1.0)
    slays, lost = attack.chances[1:].sum(), attack.chances[0, 1:].sum()
    assert slays > lost > 0


def test_who_is_charged_stands_and_shoots(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """At chargers a handgun needs 5+ instead of 4+ (L235)."""
    gunners, boyz = battle.ready(empire["Handgunners"]), battle.ready(orcs["Orc Boyz"])
    shot = mean_loss(battle.shooting(gunners, boyz, distance=8, moved=False, cover=False))
    assert mean_loss(battle.replies(gunners, boyz, distance=8, cover=False)) == pytest.approx(shot * 2 / 3)
    assert (battle.may_reply(gunners, boyz), battle.may_reply(boyz, gunners)) == (True, False)
    assert not battle.may_reply(battle.ready(empire["Great Cannon"]), boyz), "it can only hold"
    main = orcs["Orc Boyz"].side.models[0]
    wild = replace(main, rules=(*main.rules, "Random Movement (2D6)"))
    fanatics = battle.ready(replace(orcs["Orc Boyz"], side=replace(orcs["Orc Boyz"].side, models=(wild,))))
    assert not battle.may_reply(gunners, fanatics), "L568"
    pistols = battle.unit(battle.ready(made(empire["Handgunners"], weapons=("Pistol",))))
    rifles = battle.unit(gunners)
    assert (rifles.surprises, rifles.unsurprised, pistols.unsurprised) == (4.0, False, True)


def test_standing_and_shooting_thins_a_charge_out(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    ready = prepared(battle, [empire["Handgunners"]], [orcs["Orc Boyz"]] * 2)
    terms = dataclasses.replace(ready.battle.terms, reactions=0)
    holding = dataclasses.replace(ready, battle=dataclasses.replace(ready.battle, terms=terms))
    left = [
        results_of(one, play.fought(Plans(one.battle), trials=2_000, seed=7))["metrics"]["defender_points_left"]
        for one in (ready, holding)
    ]
    assert left[0] < 0.97 * left[1]


def test_how_units_stand(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    halberdiers = battle.unit(battle.ready(empire["Halberdiers"]))
    assert (halberdiers.models, halberdiers.move, halberdiers.screens, halberdiers.hides) == (30, 8.0, True, False)
    assert halberdiers.charge is not None and (halberdiers.charge.low, halberdiers.charge.high) == (6, 16)
    assert (halberdiers.combat_bonus[30], halberdiers.combat_bonus[4], halberdiers.ranks[30]) == (4, 1, 6)
    assert halberdiers.stands[0] > halberdiers.stands[3] > 0
    greatswords = battle.unit(battle.ready(empire["Greatswords"]))
    assert len(set(greatswords.stands)) == 1, "stubborn"
    assert greatswords.strikes_at == battle.LAST, "great weapons"
    general = battle.unit(battle.ready(empire["General of the Empire"]))
    assert general.hides and not general.screens
    handgunners = battle.unit(battle.ready(empire["Handgunners"]))
    assert handgunners.move == 4.0
    cannon = battle.unit(battle.ready(empire["Great Cannon"]))
    assert (cannon.charge, cannon.move, cannon.shelters) == (None, 0.0, False)
    snotlings = battle.unit(battle.ready(orcs["Snotlings"]))
    assert snotlings.stands == () and snotlings.panics_at is None
    assert battle.bands(battle.ready(empire["Handgunners"])) == (12.0, 24.0)
    assert battle.bands(battle.ready(empire["Great Cannon"])) == (60.0,)
    with pytest.raises(BadDocument):
        battle.ready(made(YARDSTICKS["infantry"], T=None))  # type: ignore[arg-type]


def test_pursuit() -> None:
    infantry, knights = battle.ready(YARDSTICKS["infantry"]), battle.ready(YARDSTICKS["knights"])
    assert battle.catches(infantry, infantry) == pytest.approx((1 + 146 / 1296) / 2)
    assert battle.catches(knights, infantry) > battle.catches(infantry, infantry) > battle.catches(infantry, knights)


def test_worth(empire: dict[str, Fighter]) -> None:
    army = [battle.ready(fighter) for fighter in empire.values()]
    worths = dict(zip(empire, battle.worths(army), strict=True))
    assert worths["General of the Empire"].destroyed == float(empire["General of the Empire"].points) + 100
    assert worths["Captain of the Empire"].destroyed == float(empire["Captain of the Empire"].points) + 100
    assert worths["Halberdiers"].destroyed == 210.0


@pytest.mark.parametrize(
    ("case", "better", "worse"),
    [
        ("more attacks", made(YARDSTICKS["infantry"], A=2), YARDSTICKS["infantry"]),
        ("more nerve", made(YARDSTICKS["infantry"], Ld=10), made(YARDSTICKS["infantry"], Ld=4)),
        ("bows against nothing", made(YARDSTICKS["infantry"], weapons=("Hand weapon", "Longbow")),
         YARDSTICKS["infantry"]),
        ("a longer range", made(YARDSTICKS["infantry"], weapons=("Longbow",), M=2),
         made(YARDSTICKS["infantry"], weapons=("Short bow",), M=2)),
        ("faster", made(YARDSTICKS["elite"], M=6), made(YARDSTICKS["elite"], M=2)),
    ],
)  # fmt: skip
@pytest.mark.long
def test_what_decides_a_battle(case: str, better: Fighter, worse: Fighter) -> None:
    """Each against the same archers, or against each other: the better unit gains more."""
    archers = [made(YARDSTICKS["infantry"], weapons=("Longbow",)), YARDSTICKS["elite"]]
    results = [fought([one, one], archers) for one in (better, worse)]
    metrics = [result["metrics"] for result in results]
    gained = [found["attacker_victory_points"] - found["defender_victory_points"] for found in metrics]
    assert gained[0] > gained[1], case


@pytest.mark.long
def test_two_whole_lists(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    mine, theirs = list(empire.values()), list(orcs.values())
    ready = prepared(battle, mine, theirs)
    assert ready.left_out == ((), ())
    rough = {item.rule for item in ready.notes.approximated}
    assert {"fear", "characters", "terrain", "movement"} <= rough
    assert "magic" in rough
    result = results_of(ready, play.fought(Plans(ready.battle), trials=500, seed=1))
    assert result == results_of(ready, play.fought(Plans(ready.battle), trials=500, seed=1))
    again = results_of(ready, play.fought(Plans(ready.battle), trials=500, seed=2))
    assert result != again


def ruled(fighter: Fighter, *rules: str, **profile: int) -> Fighter:
    """The same unit with more rules."""
    fighter = made(fighter, **profile)
    return replace(fighter, side=replace(fighter.side, rules=(*fighter.side.rules, *rules)))


def test_whoever_has_more_ranks_tests_on_his_own_leadership() -> None:
    """Leadership 7: 21 of 36, as often as without a defeat; the deeper unit is harder to break."""
    infantry = YARDSTICKS["infantry"]
    unit = battle.unit(battle.ready(infantry))
    leadership = infantry.side.main.profile.Ld or 0
    assert unit.steadfast == pytest.approx(sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= leadership) / 36)
    assert unit.steadfast > unit.stands[0]


def test_the_unstable_crumble() -> None:
    """Beaten, they lose a wound for each point; nobody of them flees."""
    enemy = [made(YARDSTICKS["elite"], A=3)]
    bare, unstable = (
        ruled(YARDSTICKS["infantry"], *rules) for rules in (("Unbreakable",), ("Unbreakable", "Unstable"))
    )
    assert battle.unit(battle.ready(unstable)).crumbles
    results = [fought([one, one], enemy)["metrics"] for one in (bare, unstable)]
    assert results[1]["defender_victory_points"] > 1.05 * results[0]["defender_victory_points"]
    notes = prepared(battle, [unstable], enemy).notes
    assert "Unstable" in notes.modelled
    assert "Unstable" not in notes.not_simulated


@pytest.mark.parametrize("rule", sorted(TABLE.rules[rule].name for rule in TABLE.counting_in("first_round")))
def test_what_counts_in_the_first_round(rule: str) -> None:
    enemy = battle.ready(YARDSTICKS["elite"])
    bare, own = battle.ready(YARDSTICKS["infantry"]), battle.ready(ruled(YARDSTICKS["infantry"], rule))
    assert battle.counters(own)
    assert not battle.counters(bare)
    for when in ({"charging": True}, {"charging": False, "charged": True}):
        assert mean_loss(battle.blows(own, enemy, **when)) > mean_loss(battle.blows(bare, enemy, **when)) + 0.1
    later = mean_loss(battle.blows(own, enemy, charging=False))
    assert later == pytest.approx(mean_loss(battle.blows(bare, enemy, charging=False)))
    assert rule in prepared(battle, [own.fighter], [enemy.fighter]).notes.modelled


def test_no_rule_counts_in_the_first_round_unsaid() -> None:
    """Whoever is charged strikes as in a later round, but for those whose row says that the first one is another."""
    enemy = battle.ready(YARDSTICKS["elite"])
    for rule in TABLE.rules.values():
        if (
            rule.is_in_figures
            and "first_round" not in rule.counts
            and rule.stands_for not in TABLE.counting_in("first_round")
        ):
            own = battle.ready(ruled(YARDSTICKS["infantry"], rule.name))
            first, later = (battle.blows(own, enemy, charging=False, charged=charged) for charged in (True, False))
            assert mean_loss(first) == pytest.approx(mean_loss(later)), rule.name


def test_fear_of_the_enemy() -> None:
    """Whoever fails the test hits worse: the mean of the blows is that of the pair, test and all."""
    infantry, ghosts = YARDSTICKS["infantry"], ruled(YARDSTICKS["infantry"], "Fear", A=0, WS=5)
    document = MATCHUPS.matchup("close_combat", infantry, ghosts, conditions=FantasyConditions(charge=False))
    found = mean_loss(battle.blows(battle.ready(infantry), battle.ready(ghosts), charging=False))
    brave = mean_loss(battle.blows(battle.ready(infantry), battle.ready(made(infantry, A=0, WS=5)), charging=False))
    assert found == pytest.approx(simulate(document).metrics["wounds_lost"], rel=0.01)
    assert found < brave - 0.1
    assert "Fear" in prepared(battle, [ghosts], [infantry]).notes.modelled


def test_something_terrible_is_fled_from() -> None:
    """The same knights win more when they cause terror; those who cause fear themselves do not flee."""
    knights, men = YARDSTICKS["knights"], YARDSTICKS["infantry"]
    terrible = ruled(knights, "Terror")
    units = [battle.unit(battle.ready(one)) for one in (terrible, men, ruled(men, "Fear"))]
    assert [unit.terrifies for unit in units] == [True, False, False]
    assert units[1].dreads == pytest.approx(1 - units[1].steadfast)
    assert units[0].dreads == units[2].dreads == 0.0
    gained = [
        fought([one], [men] * 2)["metrics"]["attacker_victory_points"] for one in (ruled(knights, "Fear"), terrible)
    ]
    assert gained[1] > 1.1 * gained[0]
    notes = prepared(battle, [terrible], [men]).notes
    assert "Terror" in notes.modelled
    assert "Terror" not in {item.rule for item in notes.approximated}


def test_frenzy_is_an_attack_more_and_knows_no_panic() -> None:
    enemy = battle.ready(YARDSTICKS["elite"])
    bare, own = battle.ready(YARDSTICKS["infantry"]), battle.ready(ruled(YARDSTICKS["infantry"], "Frenzy"))
    for charging in (True, False):
        assert mean_loss(battle.blows(own, enemy, charging=charging)) > 1.3 * mean_loss(
            battle.blows(bare, enemy, charging=charging)
        )
    assert battle.unit(own).panics_at is None
    assert battle.unit(bare).panics_at is not None
    notes = prepared(battle, [own.fighter], [enemy.fighter]).notes
    assert "Frenzy" in {item.rule for item in notes.approximated}
    assert "Frenzy" not in (*notes.modelled, *notes.not_simulated)


def test_a_healing_potion_is_drunk_once(empire: dict[str, Fighter]) -> None:
    """D6 wounds back for a wounded character; his unit of men would have to carry it for him."""
    bare = made(empire["General of the Empire"], W=6, T=5)
    main = replace(bare.side.models[0], magic_items=(*bare.side.models[0].magic_items, "Healing Potion"))
    own = replace(bare, side=replace(bare.side, models=(main, *bare.side.models[1:])))
    assert battle.unit(battle.ready(bare)).potion is None
    potion = battle.unit(battle.ready(own)).potion
    assert potion is not None and (potion.low, potion.high) == (1, 6)
    enemy = [YARDSTICKS["monster"]]
    gained = [fought([one], enemy, 4_000)["metrics"]["attacker_victory_points"] for one in (bare, own)]
    assert gained[1] > 1.08 * gained[0]
    notes = prepared(battle, [own], enemy).notes
    assert "Healing Potion" in {item.rule for item in notes.approximated}
    assert "Healing Potion" not in notes.not_simulated


@pytest.mark.parametrize(
    ("name", "weapon", "share"), [("Handgunners", "handgun", 2 / 3), ("Great Cannon", "cannon", 1.0)]
)
def test_a_third_of_the_shots_at_a_ridden_monster_is_its_riders(
    name: str, weapon: str, share: float, empire: dict[str, Fighter], orcs: dict[str, Fighter]
) -> None:
    beast = Group("Wyvern", 1, "monster", profile=Profile(WS=3, S=5, T=5, W=4, I=3, A=3, Ld=6))
    boss = Group(
        "Boss", 1, "monster", ("character",), Profile(WS=5, S=4, T=5, W=3, I=3, A=3, Ld=8), mount=Mount(beast.profile)
    )
    alone, ridden = (replace(orcs["Trolls"], side=Side((group,), "Wyvern")) for group in (beast, boss))

    def lost(target: Fighter) -> float:
        shots = battle.shooting(
            battle.ready(made(empire[name], weapons=(weapon,))),
            battle.ready(target),
            distance=10.0,
            moved=False,
            cover=False,
        )
        return mean_loss(shots)

    assert lost(ridden) == pytest.approx(share * lost(alone))


def test_what_becomes_of_riders_is_said(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    mount = Mount(Profile(WS=3, S=5, T=5, W=4, I=3, A=3, Ld=6))
    boss = Group("Boss", 1, "monster", ("character",), Profile(WS=5, S=4, T=5, W=3, I=3, A=3, Ld=8), mount=mount)
    notes = ModelNotes()
    ridden = battle.ready(replace(orcs["Trolls"], side=Side((boss,), "Boss")))
    battle.report([battle.ready(empire["Handgunners"])], [ridden], notes)
    assert "ridden monsters" in {item.rule for item in notes.approximated}
    assert not any("5-6" in text.en for text in notes.assumptions)
