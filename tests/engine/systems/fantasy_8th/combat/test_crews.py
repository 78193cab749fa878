"""Crews of chariots and machines in lists: each row strikes and shoots with its own characteristics and weapons."""

import msgspec
import pytest

from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.fantasy_8th.army import Profile
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.matchup import (
    Conditions,
    FantasyMatchup,
    Group,
    ListedCrew,
    ListedGroup,
    ListedSide,
    ListedWeapon,
    Mount,
    Side,
)

WARRIORS = Side(
    models=(Group(name="Warriors", count=30, profile=Profile(WS=3, BS=3, S=3, T=3, W=1, I=3, A=1, Ld=7)),), width=10
)
CHARIOTEERS = ListedCrew(count=2, profile=Profile(WS=5, BS=3, S=4, I=5, A=2, Ld=8), weapons=("Halberd",))
STEEDS = Mount(profile=Profile(WS=3, S=4, I=3, A=2))
HITS_BETTER, HITS_EVEN = 2 / 3, 1 / 2  # 3+ and 4+
S4, S5, S6 = 4 / 6, 5 / 6, 5 / 6  # to wound Toughness 3


def chariot(crew: ListedCrew, *weapons: str | ListedWeapon, **facts: object) -> ListedSide:
    body = Profile(WS=5, BS=3, S=5, T=5, W=4, I=5, Ld=8)
    group = ListedGroup(
        name="Chariot", count=1, troop_type="chariot", profile=body, crew=crew, weapons=weapons, mount=STEEDS
    )
    return ListedSide(models=(msgspec.structs.replace(group, **facts),))


def metrics(kind: str, side: Side, **conditions: object) -> dict[str, float]:
    document = FantasyMatchup(
        system="fantasy-8th",
        kind=kind,
        attacker=side,
        defender=WARRIORS,
        conditions=msgspec.convert(conditions, Conditions),
    )
    return dict(simulate(document).metrics)


def test_a_crew_strikes_with_what_it_holds_and_beasts_with_their_teeth() -> None:
    found = metrics("melee", chariot(CHARIOTEERS), combat_round=2)
    assert found["attacks"] == 6
    crew, beasts = 4 * HITS_BETTER * S5, 2 * HITS_EVEN * S4
    assert found["unsaved_wounds"] == pytest.approx(crew + beasts)
    assert found["unsaved_wounds:crew"] == pytest.approx(crew)


def test_every_row_of_a_crew_has_its_own_weapon() -> None:
    gor = ListedCrew(count=1, profile=Profile(WS=4, BS=3, S=3, I=3, A=1), weapons=("Cavalry spear",))
    bestigor = ListedCrew(count=1, profile=Profile(WS=4, BS=3, S=4, I=3, A=1), weapons=("Great Weapon",), others=(gor,))
    for charged, spear in ((True, S4), (False, 1 / 2)):
        side = msgspec.structs.replace(chariot(bestigor), charged=charged)
        found = metrics("melee", side, combat_round=1)
        assert found["unsaved_wounds:crew"] == pytest.approx(HITS_BETTER * S6 + HITS_BETTER * spear)


def test_rules_of_a_crew_are_in_its_blows_only() -> None:
    hating = msgspec.structs.replace(CHARIOTEERS, rules=("Hatred",))
    found = metrics("melee", chariot(hating), combat_round=1)
    again = HITS_BETTER + (1 - HITS_BETTER) * HITS_BETTER
    assert found["unsaved_wounds:crew"] == pytest.approx(4 * again * S5)
    assert found["unsaved_wounds:mount"] == pytest.approx(2 * HITS_EVEN * S4)


@pytest.mark.parametrize(
    ("case", "weapon", "carried", "shots"),
    [
        ("a bow in each hand", "Bow", True, 2),
        ("two shots of each", ListedWeapon(name="R", range=24.0, S=3, rules=("Multiple Shots (2)",)), True, 4),
        ("one harpoon on the chariot", ListedWeapon(name="H", range=24.0, S=7), False, 1),
    ],
)
def test_each_of_a_crew_shoots_his_own(case: str, weapon: str | ListedWeapon, carried: bool, shots: int) -> None:
    held = (weapon,) if carried else ()
    side = chariot(msgspec.structs.replace(CHARIOTEERS, weapons=held), weapon)
    mode = "multiple_shots" if shots == 4 else "normal"
    assert metrics("shooting", side, distance=8, shooting_mode=mode)["shots"] == shots, case


def test_a_weapon_that_works_as_a_machine_keeps_its_own_range_and_strength() -> None:
    ball = ListedWeapon(name="Ball", range=36.0, S=5, rules=("Multiple Wounds (D6)",), works_as="cannon")
    side = chariot(CHARIOTEERS, ball)
    near, far = (metrics("shooting", side, distance=distance, models_covered=2) for distance in (36, 37))
    assert (near["shots"], near["unsaved_wounds"]) == (2, pytest.approx(2 * S5))
    assert far["shots"] == 0


def test_impact_hits_of_a_ridden_chariot_have_its_strength() -> None:
    rider = Profile(WS=5, BS=3, S=4, T=5, W=4, I=4, A=4, Ld=8)
    ramming = chariot(CHARIOTEERS, profile=rider, chassis=Profile(S=5, T=5, W=4))
    found = metrics("impact_hits", msgspec.structs.replace(ramming, charged=True))
    assert found["unsaved_wounds"] == pytest.approx(3.5 * S5)


def test_a_machine_of_a_list_fights_with_its_crew() -> None:
    guards = ListedCrew(count=3, profile=Profile(WS=3, S=3, T=3, W=1, I=3, A=2, Ld=8), weapons=("Great Weapon",))
    machine = Group(name="Casket", count=1, troop_type="war_machine", profile=Profile(T=10, W=3))
    listed = msgspec.convert(msgspec.to_builtins(machine), ListedGroup)
    side = ListedSide(models=(msgspec.structs.replace(listed, crew=guards),))
    document = FantasyMatchup(system="fantasy-8th", kind="war_machine_melee", attacker=WARRIORS, defender=side)
    assert simulate(document).metrics["attacks"] == 6
    assert side.main.crews == (guards,)


def test_a_fighter_is_the_same_when_it_has_been_stored() -> None:
    ball = ListedWeapon(name="Ball", range=36.0, S=10, works_as="cannon")
    fighter = Fighter(unit="u", name="Chariot", points=100, side=chariot(CHARIOTEERS, ball))  # type: ignore[arg-type]
    assert msgspec.json.decode(msgspec.json.encode(fighter), type=Fighter).side == fighter.side
