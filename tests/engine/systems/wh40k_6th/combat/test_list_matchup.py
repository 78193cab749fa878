"""Units of two 40k 6th edition lists shooting at each other."""

# ruff: noqa: E501 - a row of a table is a line
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.list_matchups import Effect
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter, Mode, Squad
from armybuilder.engine.systems.wh40k_6th.combat.list_matchup import MATCHUPS, Wh40kConditions
from armybuilder.engine.systems.wh40k_6th.combat.matrix import Shelter, Shooters, shooting_request
from armybuilder.engine.systems.wh40k_6th.combat.model_notes import note_rules
from tests.engine.systems.wh40k_6th.roster.test_fighters import (
    COMMUNITY,
    FIXTURES,
    fighters_of,
    read_folder,
    with_detachment,
)

MARINE = Profile(BS=4, S=4, T=4, W=1, Sv="3+")
ORK = Profile(BS=2, S=3, T=4, W=1, Sv="6+")
BOLTGUN = Weapon(name="boltgun", range=24, S=4, AP=5, type="Rapid Fire")
LASCANNON = Weapon(name="lascannon", range=48, S=9, AP=2, type="Heavy", shots=1)
PLASMA = Weapon(name="plasma", range=24, S=7, AP=2, type="Rapid Fire")
FRAG = Weapon(name="frag", range=48, S=4, AP=6, type="Heavy", shots=1, rules=("Blast",))
FLAMER = Weapon(name="flamer", range="Template", S=4, AP=5, type="Assault", shots=1)
PISTOL = Weapon(name="pistol", range=12, S=4, AP=5, type="Pistol")


def make_group(
    *weapons: Weapon,
    count: int = 5,
    profile: Profile = MARINE,
    subtypes: tuple[str, ...] = ("infantry",),
    rules: tuple[str, ...] = (),
) -> Group:
    return Group(name="m", count=count, profile=profile, subtypes=subtypes, weapons=weapons, rules=rules)


def make_fighter(
    *groups: Group, name: str = "unit", modes: tuple[Mode, ...] = (), unknown: tuple[str, ...] = ()
) -> Fighter:
    return Fighter(unit=name, name=name, points=Decimal(100), side=Squad(models=groups), modes=modes, unknown=unknown)


BOYZ = make_fighter(make_group(count=10, profile=ORK), name="boyz")
TANK = make_fighter(
    make_group(LASCANNON, BOLTGUN, count=1, profile=Profile(BS=4), subtypes=("vehicle", "tank")), name="tank"
)


def one(attackers: Fighter, defenders: Fighter, *, outgoing: bool = True, **stated: Any) -> Effect | None:
    rows = MATCHUPS.effects(
        "shooting", [attackers], [defenders], conditions=Wh40kConditions(**stated), outgoing=outgoing
    )  # fmt: skip
    return next(rows)[0]


def slain(attackers: Fighter, defenders: Fighter, **stated: Any) -> float:
    effect = one(attackers, defenders, **stated)
    assert effect is not None
    return effect.models_slain


def test_by_hand() -> None:
    """Five boltguns within half range: ten shots, 2/3 hit, 1/2 wound, AP5 leaves a 6+ save nothing."""
    effect = one(make_fighter(make_group(BOLTGUN)), BOYZ, distance=12)
    assert effect is not None
    assert effect.models_slain == pytest.approx(10 * 2 / 3 / 2, abs=1e-4), "ten of ten die once in a thousand years"
    assert effect.points_destroyed == pytest.approx(effect.models_slain * 10)
    assert effect.weapons == ("boltgun",)
    assert effect.wounds_lost is None


@pytest.mark.parametrize(("case", "more", "less"), [
    ("half range of rapid fire", {"distance": 12}, {"distance": 13}),
    ("cover", {}, {"cover": "4+"}),
    ("going to ground", {"cover": "5+"}, {"cover": "5+", "gone_to_ground": True}),
    ("going to ground in the open", {"distance": 12}, {"distance": 12, "gone_to_ground": True}),
])  # fmt: skip
def test_circumstances(case: str, more: dict[str, Any], less: dict[str, Any]) -> None:
    squad = make_fighter(make_group(PLASMA))
    assert slain(squad, BOYZ, **more) > slain(squad, BOYZ, **less) + 1e-3, case


def test_whose_circumstances_they_are() -> None:
    gunners = make_fighter(make_group(LASCANNON))
    for outgoing, (mine, theirs) in ((True, ("moved", "defender_moved")), (False, ("defender_moved", "moved"))):
        still = slain(gunners, BOYZ, outgoing=outgoing)
        assert slain(gunners, BOYZ, outgoing=outgoing, **{mine: True}) < still / 2, "heavy weapons snap shoot"
        assert slain(gunners, BOYZ, outgoing=outgoing, **{theirs: True}) == pytest.approx(still)
    assert slain(gunners, BOYZ, attacker_cover="3+", outgoing=False) < slain(gunners, BOYZ, attacker_cover="3+")


def test_markers_hit_what_is_stated_and_never_more_than_there_are() -> None:
    thrower = make_fighter(make_group(FRAG, count=1))
    assert slain(thrower, BOYZ, models_covered=4) == pytest.approx(2 * slain(thrower, BOYZ, models_covered=2))
    few = make_fighter(make_group(count=2, profile=ORK))
    assert slain(thrower, few, models_covered=50) == pytest.approx(slain(thrower, few, models_covered=2))
    assert one(thrower, BOYZ, moved=True) is None, "markers are no snap shots"
    assert one(make_fighter(make_group(FLAMER)), BOYZ, distance=12) is None, "templates are short"
    assert slain(make_fighter(make_group(FLAMER)), BOYZ, distance=6) > 0


def test_a_model_fires_what_hurts_most() -> None:
    both = make_fighter(make_group(BOLTGUN, PLASMA))
    terminators = make_fighter(make_group(profile=Profile(T=4, W=1, Sv="2+")))
    effect = one(both, terminators)
    assert effect is not None and effect.weapons == ("plasma",)
    one_has_it = make_fighter(make_group(BOLTGUN, msgspec.structs.replace(PLASMA, count=1)))
    effect = one(one_has_it, terminators)
    assert effect is not None and effect.weapons == ("boltgun", "plasma")
    firing = MATCHUPS.matchup("shooting", one_has_it, terminators, conditions=Wh40kConditions()).attacker
    assert firing is not None
    assert [(weapon.name, weapon.count) for weapon in firing.models[0].weapons] == [("boltgun", 4), ("plasma", 1)]


@pytest.mark.parametrize(("case", "fighter", "fired"), [
    ("a vehicle fires everything", TANK, ("lascannon", "boltgun")),
    ("two pistols go together", make_fighter(make_group(PISTOL, PISTOL)), ("pistol", "pistol")),
    ("a monstrous creature fires two", make_fighter(make_group(BOLTGUN, PLASMA, LASCANNON, subtypes=("monstrous creature",))), ("plasma", "lascannon")),
    ("a multi-tracker allows one more", make_fighter(make_group(BOLTGUN, PLASMA, LASCANNON), unknown=("Multi-Tracker",)), ("plasma", "lascannon")),
    ("one profile of a weapon at a time", make_fighter(make_group(PLASMA, LASCANNON, subtypes=("vehicle",)), modes=(Mode(0, (0, 1)),)), ("plasma",)),
])  # fmt: skip
def test_how_many_weapons_are_fired(case: str, fighter: Fighter, fired: tuple[str, ...]) -> None:
    attacker = MATCHUPS.matchup("shooting", fighter, make_fighter(make_group()), conditions=Wh40kConditions()).attacker
    assert attacker is not None
    assert tuple(weapon.name for weapon in attacker.models[0].weapons) == fired, case


@pytest.mark.parametrize(("kind", "stated", "shots"), [
    ("Rapid Fire 3", {"distance": 20}, 3), ("Rapid Fire 3", {"distance": 10}, 6), ("Salvo 2/4", {"distance": 20}, 4), ("Salvo 2/4", {"distance": 10, "moved": True}, 2), ("Pistol", {"distance": 20}, 1),
    ("Assault", {"distance": 20}, 1), ("Rapid Fire", {"distance": 20}, 1), ("Rapid fire", {"distance": 8}, 2), ("Heavy 3", {"distance": 8}, "3"), ("Assault 2D6", {"distance": 8}, "2D6"),
])  # fmt: skip
def test_shots_by_type(kind: str, stated: dict[str, Any], shots: int | str) -> None:
    gun = Weapon(name="gun", range=24, S=4, AP=5, type=kind)
    document = MATCHUPS.matchup("shooting", make_fighter(make_group(gun)), BOYZ, conditions=Wh40kConditions(**stated))
    assert document.attacker is not None and document.attacker.models[0].weapons[0].shots == shots


def test_a_salvo_on_the_move_is_short() -> None:
    gun = Weapon(name="gun", range=24, S=4, AP=5, type="Salvo 2/4")
    assert one(make_fighter(make_group(gun)), BOYZ, distance=20, moved=True) is None


def make_hull(*weapons: Weapon, count: int = 1, kind: str = "vehicle", more: str = "tank") -> Fighter:
    return make_fighter(make_group(*weapons, count=count, profile=Profile(BS=4), subtypes=(kind, more)))


BOLTER = Weapon(name="heavy bolter", range=36, S=5, AP=4, type="Heavy", shots=3)
STORM = Weapon(name="storm bolter", range=24, S=4, AP=5, type="Assault", shots=2)
SHELL = Weapon(name="shell", range=72, S=8, AP=3, type="Ordnance", shots=1, rules=("Large Blast",))


def test_a_vehicle_at_combat_speed_aims_one_weapon() -> None:
    def alone(weapon: Weapon, **stated: Any) -> float:
        return slain(make_hull(weapon), BOYZ, **stated)

    both = slain(make_hull(BOLTER, STORM), BOYZ, moved=True)
    assert alone(BOLTER, moved=True) == pytest.approx(alone(BOLTER)), "its only weapon is aimed"
    assert both == pytest.approx(alone(BOLTER) + alone(STORM, snap_shots=True), rel=1e-3), "an assault weapon snaps"
    pair = slain(make_hull(BOLTER, STORM, count=2), BOYZ, moved=True)
    assert pair == pytest.approx(2 * both, rel=2e-2), "each vehicle of a squadron aims one"


def test_what_cannot_snap_is_aimed_or_silent() -> None:
    aimed = one(make_hull(SHELL, STORM), BOYZ, moved=True)
    assert aimed is not None
    assert set(aimed.weapons) == {"shell", "storm bolter"}
    two = one(make_hull(SHELL, FRAG), BOYZ, moved=True)
    assert two is not None
    assert two.weapons == ("shell",)


@pytest.mark.parametrize(
    ("kind", "more", "aims"),
    [
        ("vehicle", "fast", 5),
        ("vehicle", "heavy", 5),
        ("vehicle", "super-heavy tank", 5),
        ("walker", "", 5),
        ("flyer", "", 4),
        ("vehicle", "skimmer", 1),
    ],
)
def test_how_many_weapons_vehicles_aim_on_the_move(kind: str, more: str, aims: int) -> None:
    five = make_hull(*[BOLTER] * 5, kind=kind, more=more)
    matchup = shooting_request(five, BOYZ, shooters=Shooters(12, moved=True), shelter=Shelter())
    assert matchup.attacker is not None
    assert sum(len(group.weapons) for group in matchup.attacker.models if not group.snap_shots) == aims
    assert sum(len(group.weapons) for group in matchup.attacker.models) == 5
    told = ModelNotes()
    note_rules(matchup, told)
    assert any("combat speed" in text.en for text in told.assumptions)


def test_vehicles_are_no_targets() -> None:
    assert one(make_fighter(make_group(LASCANNON)), TANK) is None
    with pytest.raises(BadDocument, match="damaged"):
        MATCHUPS.matchup("shooting", BOYZ, TANK, conditions=Wh40kConditions())
    assert slain(TANK, BOYZ) > 0


def test_out_of_range_is_no_attack() -> None:
    assert one(make_fighter(make_group(BOLTGUN)), BOYZ, distance=25) is None
    with pytest.raises(BadDocument, match="no weapon"):
        MATCHUPS.matchup("shooting", BOYZ, BOYZ, conditions=Wh40kConditions())


def test_what_the_figures_rest_on() -> None:
    squad = make_fighter(
        make_group(msgspec.structs.replace(BOLTGUN, rules=("Twin-linked", "Shred")), count=4),
        make_group(FRAG, count=1, rules=("Relentless",)),
    )
    document = MATCHUPS.matchup("shooting", squad, BOYZ, conditions=Wh40kConditions())
    notes = ModelNotes()
    note_rules(document, notes)
    assert notes.modelled == ["Twin-linked", "Relentless"]
    assert [item.rule for item in notes.approximated] == ["Blast"]
    assert notes.not_simulated == ["Shred"]
    result = simulate(document)
    assert set(result.not_simulated) == {"Shred"}
    assert [item.rule for item in result.approximated] == ["Blast"]


def test_a_rule_in_the_figures_changes_them() -> None:
    plain = make_fighter(make_group(BOLTGUN))
    for rule in ("Twin-linked", "Master-crafted"):
        better = make_fighter(make_group(msgspec.structs.replace(BOLTGUN, rules=(rule,))))
        assert slain(better, BOYZ) > slain(plain, BOYZ) * 1.2, rule


def assert_cells_are_their_pairs(mine: list[Fighter], theirs: list[Fighter], **stated: Any) -> int:
    """Every cell agrees with the document behind it; how many attacks there are."""
    circumstances, found = Wh40kConditions(**stated), 0
    rows = MATCHUPS.effects("shooting", mine, theirs, conditions=circumstances)
    for attacker, row in zip(mine, rows, strict=True):
        for defender, cell in zip(theirs, row, strict=True):
            if cell is None:
                with pytest.raises(BadDocument):
                    MATCHUPS.matchup("shooting", attacker, defender, conditions=circumstances)
                continue
            metrics = simulate(MATCHUPS.matchup("shooting", attacker, defender, conditions=circumstances)).metrics
            assert cell.models_slain == pytest.approx(metrics["models_slain"], abs=1e-9), (
                f"{attacker.name} – {defender.name}"
            )
            assert cell.p_destroyed == pytest.approx(metrics["p_destroyed"], abs=1e-9)
            assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9
            found += 1
    return found


def test_our_own_lists_meet() -> None:
    marines = with_detachment(read_folder(FIXTURES), "Space Marines")
    orks = with_detachment(read_folder(FIXTURES), "Orks")
    for army, names in (
        (marines, ("Captain", "Tactical Squad", "Terminator Squad", "Predator")),
        (orks, ("Warboss", "Ork Boyz", "Lootas")),
    ):
        for name in names:
            army.add(name)
    mine, theirs = list(fighters_of(marines).values()), list(fighters_of(orks).values())
    assert assert_cells_are_their_pairs(mine, theirs) >= 9
    assert assert_cells_are_their_pairs(theirs, mine, distance=8) >= 6


@pytest.mark.shared
def test_two_community_lists_meet(shared: Path) -> None:
    tau, orks = (with_detachment(read_folder(shared / COMMUNITY), name) for name in ("Tau", "Orks"))
    for army, names in (
        (
            tau,
            (
                "Commander Farsight",
                "Fire Warrior Team",
                "Kroot Carnivore Squad",
                "XV104 Riptide",
                "Stealth Team",
                "Piranhas",
            ),
        ),
        (orks, ("Warboss", "Ork Boyz", "Lootas", "Burna Boyz", "Deffkoptas", "Battlewagon")),
    ):
        for name in names:
            army.add(name)
    mine, theirs = list(fighters_of(tau).values()), list(fighters_of(orks).values())
    assert len(mine) == 6
    assert {"Warboss", "Ork Boyz", "Battlewagon"} <= {fighter.name for fighter in theirs}
    assert assert_cells_are_their_pairs(mine, theirs, distance=12) >= 20
    assert assert_cells_are_their_pairs(theirs, mine, distance=12) >= 12


@pytest.mark.shared
def test_lists_of_the_seventh_edition_data_meet(shared: Path) -> None:
    """Read by the same words; the figures are those of the 6th edition."""
    folder = shared / "battlescribe/data/wh40k-7th-edition"
    marines, orks = (with_detachment(read_folder(folder), name) for name in ("Space Marines", "Orks"))
    for army, names in (
        (marines, ("Captain", "Cataphractii Terminator Squad")),
        (orks, ("Boyz", "Burna Boyz", "Big Mek")),
    ):
        for name in names:
            army.add(name)
    mine, theirs = (list(fighters_of(army).values()) for army in (marines, orks))
    terminators = next(fighter for fighter in mine if fighter.name.startswith("Cataphractii"))
    assert {(group.profile.Sv, group.profile.Inv) for group in terminators.groups if group.profile} == {("2+", "4+")}
    assert all(
        weapon.name != "Stikkbombs" for fighter in theirs for group in fighter.groups for weapon in group.weapons
    )
    assert assert_cells_are_their_pairs(mine, theirs, distance=8) >= 4
