"""Characters in units: who is struck, wounds that do not pass on, challenges with overkill, and two magic items."""

import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, simulate
from armybuilder.engine.systems.fantasy_8th.matchup import ListedMatchup
from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_side,
    metric,
    outcome,
    rolled,
)

IDLE: Json = {"A": 0, "I": 1}
HARMLESS = make_side(make_group(20, profile=IDLE), width=5)


def sure(wounds: int, **facts: object) -> Json:
    """A warrior whose blow does so many wounds, whatever happens."""
    return make_group(1, weapons=[{"name": "Fate", "override": {"wounds": wounds}}], **facts)  # type: ignore[arg-type]


def fought(attacker: Json, defender: Json, **members: object) -> Json:
    """A round of combat."""
    return make_clash("combat_round", attacker=attacker, defender=defender, **members)


def met(
    attacker: Json, defender: Json, *, kind: str = "combat_round", trials: int | None = None, **choices: bool
) -> Result:
    """The same between units of two lists, whose players choose whom to strike."""
    matchup = parse_matchup(make_clash(kind, attacker=attacker, defender=defender))
    members = {name: getattr(matchup, name) for name in matchup.__struct_fields__}
    if trials is not None:
        members |= {"method": "montecarlo", "trials": trials, "seed": 5}
    return simulate(ListedMatchup(**members, **choices))


def guarded(profile: Json | None = None, *items: str) -> Json:
    """A warrior with a hero of three wounds."""
    hero = make_hero(*items, profile={"W": 3} | (profile or {}), name="Hero")
    return make_side(make_group(1, profile=IDLE), hero, width=2)


def test_what_is_too_much_for_the_unit_is_not_the_heros() -> None:
    document = fought(make_side(sure(5)), guarded(IDLE))
    assert metric(document, "wounds_lost") == pytest.approx(1)
    assert metric(document, "p_destroyed") == 0


def test_whoever_strikes_after_the_unit_is_gone_strikes_the_hero() -> None:
    quick, slow = sure(1, profile={"I": 5}), sure(2, name="Slow", profile={"I": 2})
    assert metric(fought(make_side(quick, slow), guarded(IDLE)), "wounds_lost") == pytest.approx(3)
    at_once = fought(make_side(quick, sure(2, name="Slow", profile={"I": 5})), guarded(IDLE))
    assert metric(at_once, "wounds_lost") == pytest.approx(1)


def test_the_hero_can_be_singled_out() -> None:
    metrics = met(make_side(sure(5)), guarded(IDLE), at_characters=True).metrics
    assert metrics["wounds_lost"] == pytest.approx(3)
    assert metrics["models_slain"] == metrics["p_slain:Hero"] == pytest.approx(1)
    assert met(make_side(sure(5)), guarded(IDLE)).metrics["p_slain:Hero"] == 0
    assert met(guarded(IDLE), make_side(sure(5)), at_characters=True).metrics["p_attacker_slain:Hero"] == 1


def test_his_own_saves_are_rolled_for_him() -> None:
    side = guarded({"Sv": "3+"} | IDLE)
    strike = make_side(make_group(1, profile={"I": 5}))
    plain = metric(fought(strike, side), "wounds_lost")
    assert plain == pytest.approx(1 / 4)
    assert met(strike, side, at_characters=True).metrics["wounds_lost"] == pytest.approx(1 / 4 * 1 / 3)


def test_overkill_counts_up_to_five() -> None:
    """A champion of one wound takes nine: one, and five beyond it, against two ranks and a standard."""
    hero = make_side(make_hero(weapons=[{"name": "Fate", "override": {"wounds": 9}}], profile={"W": 3, "I": 9}))
    unit = make_side(
        make_group(19, profile=IDLE), make_group(1, name="Champion", profile=IDLE), width=5,
        command=["champion", "standard_bearer"],
    )  # fmt: skip
    result = met(hero, unit, challenge=True)
    assert result.metrics["wounds_lost"] == pytest.approx(1)
    assert result.metrics["p_win"] == pytest.approx(1)
    plain = met(hero, unit)
    assert plain.metrics["wounds_lost"] == pytest.approx(9)
    weak = make_side(make_hero(weapons=[{"name": "Fate", "override": {"wounds": 3}}], profile={"W": 3, "I": 9}))
    assert met(weak, unit, challenge=True).metrics["p_draw"] == pytest.approx(1)
    assert any("challenge" in text.en and "five" in text.en for text in result.assumptions)


def test_nobody_else_strikes_in_a_challenge() -> None:
    hero = make_side(make_hero(profile={"W": 3, "A": 0}))
    unit = make_side(
        make_group(9), make_group(1, name="Champion"), width=5, command=["champion"],
    )  # fmt: skip
    assert met(hero, unit, challenge=True).metrics["attacker_wounds_lost"] == pytest.approx(1 / 4)
    assert met(hero, unit).metrics["attacker_wounds_lost"] > 1


def test_dice_agree_in_a_challenge_between_units_with_heroes() -> None:
    first = make_side(make_group(9), make_hero(profile={"W": 2, "A": 3}, rules=["Killing Blow"]), width=5, charged=True)
    second = make_side(
        make_group(14, profile={"I": 2}), make_hero("Luckstone", profile={"W": 3, "A": 2, "Sv": "4+"}), width=5
    )
    for choices in ({}, {"challenge": True}, {"at_characters": True}):
        exact, dice = met(first, second, **choices), met(first, second, trials=20_000, **choices)
        errors = dice.standard_errors or {}
        for name, value in exact.metrics.items():
            assert dice.metrics[name] == pytest.approx(value, abs=5 * errors[name] + 4 / 20_000), (choices, name)


def test_helm_of_discord() -> None:
    """On 8 or more a hero with Ld 7 does not strike, and is hit without a roll."""
    fails = 15 / 36
    victim = make_side(make_hero(profile={"W": 9, "T": 3, "A": 2, "I": 1}))
    for items, hit, blows in (((), 1 / 2, 2.0), (("Helm of Discord",), (1 - fails) / 2 + fails, 2 * (1 - fails))):
        document = fought(make_side(make_hero(*items, profile={"W": 9, "A": 1, "I": 5, "Sv": "-"})), victim)
        assert metric(document, "wounds_lost") == pytest.approx(hit / 2)
        unsaved = 1 if not items else 5 / 6  # the helm is worth a point of armour
        assert metric(document, "attacker_wounds_lost") == pytest.approx(blows / 4 * unsaved)
    assert "Helm of Discord" in outcome(document).modelled
    numbers = rolled(document)
    assert numbers.metrics["wounds_lost"] == pytest.approx(metric(document, "wounds_lost"), abs=0.02)


def test_warrior_bane_takes_attacks() -> None:
    """Two sure wounds leave one of a hero's three attacks; rank and file lose none."""
    for items, blows in (((), 3), (("Warrior Bane",), 1)):
        bearer = make_hero(*items, profile={"W": 9, "I": 9, "A": 2, "WS": 9, "S": 10})
        document = fought(make_side(bearer), make_side(make_hero(profile={"W": 9, "A": 3, "WS": 3})))
        by_wounds = {0: 3, 1: 2, 2: 1} if items else {0: 3, 1: 3, 2: 3}
        wounds = 2 / 3 * 5 / 6
        chances = {0: (1 - wounds) ** 2, 1: 2 * wounds * (1 - wounds), 2: wounds**2}
        expected = sum(chances[n] * by_wounds[n] for n in chances) * 1 / 3 / 2
        assert metric(document, "attacker_wounds_lost") == pytest.approx(expected), (items, blows)
    assert "Warrior Bane" in outcome(document).modelled


def test_blows_alone_do_not_pass_on_to_a_hero_either() -> None:
    document = make_clash("melee", attacker=make_side(sure(5)), defender=guarded())
    assert metric(document, "unsaved_wounds") == pytest.approx(5)
    assert metric(document, "wounds_lost") == pytest.approx(1)
    assert metric(document, "p_destroyed") == 0


def test_rider_and_monster_are_struck_apart() -> None:
    """A rider of three wounds saves on 4+, the monster's point included; his griffon has Toughness 5 and no armour."""
    griffon = {"name": "Griffon", "profile": {"M": 6, "WS": 5, "S": 5, "T": 5, "W": 4, "I": 1, "A": 4, "Ld": 7}}
    rider = make_hero(
        troop_type="monster", mount=griffon, armour=["heavy armour"], profile={"WS": 3, "W": 3, "I": 1, "A": 2}
    )
    foe = make_side(make_group(5, profile={"I": 5}), width=5)
    at_beast = met(foe, make_side(rider)).metrics
    assert at_beast["wounds_lost"] == pytest.approx(5 / 2 * 1 / 6, rel=0.01)
    at_rider = met(foe, make_side(rider), at_characters=True).metrics
    assert at_rider["wounds_lost"] < 5 / 2 / 2 * 3 / 6  # a save of 4+ and no more than three wounds
    assert at_rider["wounds_lost"] == pytest.approx(5 / 2 / 2 * 3 / 6, rel=0.02)
    fast = make_side(make_group(5, profile={"WS": 3, "T": 3, "W": 1, "I": 1, "A": 0}), width=5)
    stomped = met(make_side(rider), fast).metrics["wounds_lost"]
    assert stomped > 4 * 2 / 3 * 5 / 6


def test_a_challenge_may_be_fought_in_a_building() -> None:
    """A champion takes nine wounds: his only one, and five of overkill, against nothing else that counts."""
    hero = make_side(make_hero(weapons=[{"name": "Fate", "override": {"wounds": 9}}], profile={"W": 3, "I": 9}))
    unit = make_side(make_group(9), make_group(1, name="Champion", profile=IDLE), width=5, command=["champion"])
    stormed, fought_out = (met(hero, unit, kind="building_assault", challenge=choice) for choice in (False, True))
    assert stormed.metrics["wounds_lost"] == pytest.approx(9)
    assert fought_out.metrics["wounds_lost"] == pytest.approx(1)
    assert fought_out.metrics["p_slain:Champion"] == pytest.approx(1)


@pytest.mark.parametrize(("challenge", "trampled"), [(True, False), (False, True)])
def test_special_attacks_in_a_building_spare_those_who_fight_a_challenge(*, challenge: bool, trampled: bool) -> None:
    hero = make_hero(profile={"W": 3, "A": 0})
    giant = make_group(1, "Thunderstomp", name="Giant", profile={"A": 0}, troop_type="monster")
    found = met(make_side(giant, hero), make_side(hero), kind="building_assault", challenge=challenge)
    assert (found.metrics["wounds_lost"] > 0) is trampled
