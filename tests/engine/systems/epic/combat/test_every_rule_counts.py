"""Every rule the simulations know, with and without it: some number changes; a rule without a row here fails."""

# ruff: noqa: E501 - a row of a table is a line
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.epic.army import Weapon
from armybuilder.engine.systems.epic.combat import battle, special_rules
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.list_matchup import MATCHUPS
from armybuilder.engine.systems.epic.combat.simulations import KINDS
from armybuilder.engine.systems.list_matchups import metrics_of
from tests.engine.systems.epic.combat.builders import firers, gun, run, target, unit
from tests.engine.systems.epic.combat.test_list_matchup import MISSILE, RIFLES, make_fighter

Metrics = dict[str, float]
Change = Callable[[list[str]], Metrics]
"""The metrics of a question with these rules on whoever they belong to."""


def shot(firepower: str, **facts: Any) -> Change:
    """Five units of the bearer are shot at."""
    given = {"armour": "4+", "unit_type": "INF", "count": 5} | facts
    conditions, formation = given.pop("conditions", {}), given.pop("formation", {})
    others = given.pop("others", [])
    return lambda rules: (
        run(
            "shooting",
            attacker=firers(firepower, *given.get("weapon_rules", []), count=3),
            defender=target(
                unit(**{k: v for k, v in given.items() if k != "weapon_rules"}, rules=rules), *others, **formation
            ),
            conditions=conditions,
        ).metrics
    )


def gunned(
    firepower: str, *targets: dict[str, Any], conditions: dict[str, Any] | None = None, **formation: Any
) -> Change:
    """The weapon bears the rules."""
    return lambda rules: (
        run(
            "shooting",
            attacker=firers(firepower, *rules, count=2),
            defender=target(*targets, **formation),
            conditions=conditions or {},
        ).metrics
    )


def fought(*, weapon: bool = False, extra: str | None = None) -> Change:
    """Three units of the attacker fight four; the unit bears the rules, or its sword does."""

    def change(rules: list[str]) -> Metrics:
        sword = {"name": "sword", "range": "base contact", "rules": [*rules, *([extra] if extra else [])]}
        fighting = unit(
            count=3, armour="5+", CC="3+", fights="CC", weapons=[sword] if weapon else [], rules=[] if weapon else rules
        )
        recruits = unit(count=2, CC="5+", fights="CC", armour="6+")
        return run(
            "assault",
            attacker=target(fighting),
            defender=target(unit(count=2, armour="3+", CC="4+", fights="CC"), recruits),
        ).metrics

    return change


def tried(kind: str, *, on: str = "formation", **members: Any) -> Change:
    """A test of a formation of six, or of one unit."""

    def change(rules: list[str]) -> Metrics:
        if on == "unit":
            return run(kind, unit=unit("AV", rules=rules)).metrics
        return run(kind, **{on: {"units": [unit(count=6, armour="4+", rules=rules)], "initiative": "3+"} | members.get("formation", {})},
                   **{k: v for k, v in members.items() if k != "formation"}).metrics  # fmt: skip

    return change


def on_the_table(firepower: str | None = None, *, bearer: str = "unit", **facts: Any) -> Change:
    """What a formation is in a whole battle, as figures."""

    def change(rules: list[str]) -> Metrics:
        own = Weapon(
            name="gun", range=45, firepower=firepower or "AP4+", rules=tuple(rules) if bearer == "weapon" else ()
        )
        fighter = make_fighter(own, rules=tuple(rules) if bearer == "unit" else (), **facts)
        ready, enemy = battle.ready(fighter), battle.ready(make_fighter(RIFLES))
        attacks = battle.shooting(ready, enemy, distance=30, moved=False, cover=False)
        formation = battle.unit(ready)
        return {
            "hurts": sum(a.models * float(1 - a.chances[0, 0]) for a in attacks),
            "rallies": formation.rallies,
            "leaders": float(formation.leaders),
            "shaken": float(formation.shaken.mean) if formation.shaken else 0.0,
            "ahead": formation.ahead,
        }

    return change


def met(attack: str, *, bearer: str = "attacker", weapon: str | None = None, **stated: Any) -> Change:
    """Two formations of lists meet."""

    def change(rules: list[str]) -> Metrics:
        kind = stated.get("kind", "INF")
        given = {key: value for key, value in stated.items() if key != "kind"}
        own = (
            Weapon(name="gun", range=None if kind == "SC" else 45, firepower=weapon, rules=tuple(rules))
            if weapon
            else MISSILE
        )
        fighter = make_fighter(own, RIFLES, kind=kind, rules=() if weapon else tuple(rules), name="mine")
        other = make_fighter(MISSILE, RIFLES, name="theirs", CC="5+")
        sides = (fighter, other) if bearer == "attacker" else (other, fighter)
        try:
            return metrics_of(MATCHUPS.matchup(attack, *sides, conditions=EpicConditions(**given)), KINDS)[0]
        except BadDocument:
            return {"possible": 0.0}

    return change


def in_two_ways(rules: list[str]) -> Metrics:
    """One gun with two shots, or one that is surer."""
    ways = (replace(MISSILE, firepower=fire, rules=tuple(rules)) for fire in ("2xAP5+", "AP4+"))
    matchup = MATCHUPS.matchup("shooting", make_fighter(*ways), make_fighter(RIFLES), conditions=EpicConditions())
    return metrics_of(matchup, KINDS)[0]


TANKS, BOYZ, SQUADS = unit("AV", 5, armour="4+"), unit(count=5, armour="-"), unit(count=4, armour="4+")
ENGINE = unit("WE", 1, armour="5+", DC=[4, 2])
RECRUITS = [unit(count=3, armour="6+")]

ROWS: dict[str, tuple[list[str], Change]] = {
    "fearless": (["Fearless"], tried("assault_extra_hits", on="loser", extra_hits=3)),
    "inspiring": (["Inspiring"], fought()),
    "invulnerable save": (["Invulnerable Save (6+)"], shot("AP4+")),
    "leader": (["Leader"], tried("rally", formation={"blast_markers": 4})),
    "supreme commander": (["Supreme Commander"], tried("regroup", formation={"blast_markers": 4})),
    "reinforced armour": (["Reinforced Armour"], shot("MW4+")),
    "thick rear armour": (["Thick Rear Armour"], shot("AT4+", unit_type="AV", conditions={"crossfire": True})),
    "walker": (["Walker"], tried("dangerous_terrain", on="unit")),
    "expendable": (["Expendable"], shot("AP4+", others=[TANKS])),
    "light vehicle": (["Light Vehicle"], shot("AP4+", unit_type="AV")),
    "critical hit": (["Critical Hit (+1 damage)"], shot("AT4+", unit_type="WE", count=1, DC=[4])),
    "disrupt": (["Disrupt"], gunned("AP4+", SQUADS)),
    "ignore cover": (["Ignore Cover"], gunned("AP4+", SQUADS, terrain="woods")),
    "macro weapon": (["Macro Weapon"], gunned("AP4+", SQUADS)),
    "mw": (["MW"], gunned("AP4+", SQUADS)),
    "titan killer": (["Titan Killer (D3)"], gunned("AT4+", ENGINE)),
    "tk": (["TK (D3)"], gunned("AT4+", ENGINE)),
    "pin point": (["Pin-point"], gunned("AT4+", ENGINE, TANKS)),
    "pin point attack": (["Pin-point Attack"], gunned("AT4+", ENGINE, TANKS)),
    "extra attacks": (["Extra Attacks (+1)"], fought()),
    "first strike": (["First Strike"], fought(weapon=True)),
    "orbital bombardment": (
        ["Orbital Bombardment"],
        lambda rules: run("barrage", attacker=firers("3BP", *rules), defender=target(unit(count=5, armour="4+", under_template=5)),
                          conditions={"crossfire": True}).metrics,
    ),
    "supporting fire": (
        ["Supporting Fire"],
        lambda rules: run("assault", attacker=target(unit(count=2, armour="5+", CC="4+"), unit(count=2, FF="3+", fights="FF", rules=rules)),
                          defender=target(unit(count=4, armour="5+", CC="4+"))).metrics,
    ),
    "sniper": (["Sniper"], gunned("AP4+", SQUADS, *RECRUITS)),
    "transport": (["Transport (2)"], shot("AT4+", unit_type="AV", others=[unit(count=4, armour="5+", rules=["Embarked"])])),
    "embarked": (["Embarked"], shot("AP4+/AT4+", others=[unit("AV", 3, armour="5+", rules=["Transport (2)"])])),
    "beside vehicles": (["Beside Vehicles"], shot("AP4+", others=[unit("AV", 2, armour="4+")])),
    "popped up": (
        ["Popped Up"],
        lambda rules: run("shooting", attacker={"units": [unit("AV", 3, weapons=[gun("AT4+")], rules=rules)]}, defender=target(TANKS, in_cover=True)).metrics,
    ),
    "commander": (["Commander"], met("assault", joined=2)),
    "infiltrators": (["Infiltrators"], met("assault", charge_from=28)),
    "indirect fire": (["Indirect Fire"], met("barrage", weapon="2BP", distance=80, action="sustained_fire")),
    "skimmer": (["Skimmer"], met("shooting", popped_up=True, terrain="woods")),
    "support craft": (["Support Craft"], met("shooting", terrain="woods")),
    "single shot": (["Single Shot"], on_the_table(bearer="weapon")),
    "one shot": (["One Shot"], on_the_table(bearer="weapon")),
    "slow firing": (["Slow Firing"], on_the_table(bearer="weapon")),
    "teleport": (["Teleport"], on_the_table()),
    "fire arc": (["Rear Arc"], met("shooting", weapon="AP4+")),
    "one way at a time": (["One Way at a Time (gun)"], in_two_ways),
    "lance": (["Lance"], gunned("AT4+", unit("AV", 4, armour="4+", rules=["Reinforced Armour"]))),
    "fleshbane": (["Fleshbane"], gunned("AP4+", unit("INF", 4, armour="4+"))),
    "armourbane": (["Armourbane"], gunned("AT4+", unit("AV", 4, armour="4+"))),
}  # fmt: skip
"""Rules, and a question whose numbers they change."""

WRITTEN_ELSEWHERE = {
    "anti aircraft": (
        gunned("AA4+", unit("AC", 3, armour="5+", aircraft_class="fighter")),
        gunned("AT4+", unit("AC", 3, armour="5+", aircraft_class="fighter")),
    ),
    "aa": (
        gunned("AA4+", unit("AC", 3, armour="5+", aircraft_class="fighter")),
        gunned("AP4+", unit("AC", 3, armour="5+", aircraft_class="fighter")),
    ),
}
"""Rules that only repeat what stands in the firepower: a question with such a value, and with another one."""


def test_every_known_rule_has_a_row() -> None:
    named = [*(rules[0] for rules, _ in ROWS.values()), *WRITTEN_ELSEWHERE]
    table = special_rules.SPECIAL_RULES
    own = {rule_id for rule_id in table.in_figures if table.rules[rule_id].stands_for is None}
    assert {table.read(rule).name for rule in named} == own


@pytest.mark.parametrize("name", ROWS)
def test_a_rule_changes_a_number(name: str) -> None:
    rules, change = ROWS[name]
    plain, changed = change([]), change(rules)
    assert plain != pytest.approx(changed, abs=1e-6), name
    assert special_rules.is_known(rules[0]) or name == "embarked"


@pytest.mark.parametrize("name", WRITTEN_ELSEWHERE)
def test_a_value_that_is_a_rule_changes_a_number(name: str) -> None:
    with_it, without = WRITTEN_ELSEWHERE[name]
    assert with_it([]) != pytest.approx(without([]), abs=1e-6)


@pytest.mark.parametrize("arc", ["Rear Arc", "Fixed Rear Arc"])
def test_a_weapon_to_the_rear_does_not_fire(arc: str) -> None:
    assert met("shooting", weapon="AP4+")([arc]) == {"possible": 0.0} != met("shooting", weapon="AP4+")(["Forward Arc"])


def test_of_both_sides_one_fires() -> None:
    def metrics(left: str, right: str) -> Metrics:
        weapons = tuple(replace(MISSILE, name=arc, rules=(arc,)) for arc in (left, right))
        return metrics_of(
            MATCHUPS.matchup("shooting", make_fighter(*weapons), make_fighter(RIFLES), conditions=EpicConditions()),
            KINDS,
        )[0]

    assert metrics("Left Arc", "Right Arc")["hits"] == pytest.approx(metrics("Left Arc", "Left Arc")["hits"] / 2)


def test_of_the_ways_to_fire_a_gun_the_better_one_is_taken() -> None:
    """Two shots that hit on 5+ are more than one on 4+; all of them were fired."""
    assert in_two_ways(["One Way at a Time (gun)"])["hits"] == pytest.approx(6 * 2 / 3)
    assert in_two_ways([])["hits"] == pytest.approx(6 * (2 / 3 + 1 / 2))


def test_a_gun_that_may_bombard_instead_does_one_of_both() -> None:
    """In a battle Basilisks fired and bombarded in the same turn."""
    shot, barrage = (
        Weapon(name="gun", range=120, firepower=fire, rules=("One Way at a Time (gun)",))
        for fire in ("AP4+/AT4+", "1BP")
    )
    enemy = battle.ready(make_fighter(RIFLES))

    def hurts(*weapons: Weapon) -> float:
        attacks = battle.shooting(battle.ready(make_fighter(*weapons)), enemy, distance=60, moved=False, cover=False)
        return sum(attack.models * float(1 - attack.chances[0, 0]) for attack in attacks)

    assert hurts(shot, barrage) == pytest.approx(max(hurts(shot), hurts(barrage)))


@pytest.mark.parametrize("shields", ["Tau Deflector Shields", "Tau Deflector Shield"])
def test_deflector_shields_save_as_an_invulnerable_save_does(shields: str) -> None:
    """Of several such saves the best is made: a character's was left out when his host had one."""
    at_armour = shot("AP4+")
    assert at_armour([shields]) == at_armour(["Invulnerable Save (5+)"])
    assert at_armour(["Invulnerable Save (6+)", shields]) == at_armour([shields])


@pytest.mark.parametrize("name", ["Grotz", "Grots", "Powda Monkeez", "Automaton"])
def test_what_leaves_no_blast_markers_is_as_expendable_units_are(name: str) -> None:
    """ "No blast markers for Grotz units that are killed"; they were named as not understood."""
    rules, change = ROWS["expendable"]
    assert change([name]) == change(rules) != change([])
    assert special_rules.how_roughly(name) is not None


def test_cataphractii_save_on_5() -> None:
    assert shot("AP4+")(["Cataphractii"]) == shot("AP4+")(["Invulnerable Save (5+)"])


@pytest.mark.parametrize("name", ["Tau Jet Packs", "Farsight", "Augment Summoning (+2D3)", "Summoning Cost (1 or 2)"])
def test_rules_of_moves_and_of_summoning_are_no_gap(name: str) -> None:
    assert not special_rules.is_gap(name)


@pytest.mark.parametrize(
    ("rules", "firepower", "kind", "armour", "own_rules", "unsaved"),
    [
        ([], "AT4+", "AV", "4+", ["Reinforced Armour"], 1 / 4),
        (["Lance"], "AT4+", "AV", "4+", ["Reinforced Armour"], 1 / 2),  # no second roll
        (["Lance"], "AT4+", "AV", "4+", [], 1 / 2),
        (["Lance"], "MW4+", "AV", "4+", ["Reinforced Armour"], 1 / 2),  # which had none anyway
        (["Armourbane"], "AT4+", "AV", "4+", ["Reinforced Armour"], (2 / 3) ** 2),  # twice on 5+
        (["Armourbane"], "AP4+", "INF", "4+", [], 1 / 2),
        (["Fleshbane"], "AP4+", "INF", "4+", [], 2 / 3),
        (["Fleshbane"], "AP4+", "INF", "6+", [], 1.0),
        (["Fleshbane"], "AT4+", "AV", "4+", [], 1 / 2),
        (["Fleshbane"], "AP4+", "INF", "4+", ["Invulnerable Save (6+)"], 2 / 3 * 5 / 6),  # nothing modifies that
    ],
)
def test_weapons_spoil_saves(
    rules: list[str], firepower: str, kind: str, armour: str, own_rules: list[str], unsaved: float
) -> None:
    """Two guns that hit on 4+ against many."""
    losses = gunned(firepower, unit(kind, 9, armour=armour, rules=own_rules))(rules)
    assert losses["units_destroyed"] == pytest.approx(2 * 0.5 * unsaved)
