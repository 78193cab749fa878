"""Formations of two Epic lists against each other: shooting, barrages and assaults."""

# ruff: noqa: E501 - a row of a table is a line
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.epic.army import Profile, Weapon
from armybuilder.engine.systems.epic.combat import matrix
from armybuilder.engine.systems.epic.combat.conditions import EpicConditions
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.list_matchup import MATCHUPS
from armybuilder.engine.systems.epic.combat.model_notes import note_rules
from armybuilder.engine.systems.epic.combat.simulations import KINDS
from armybuilder.engine.systems.epic.matchup import FormationSide, UnitGroup
from armybuilder.engine.systems.epic.roster.fighters import sides_from_roster
from armybuilder.engine.systems.list_matchups import Effect, metrics_of
from armybuilder.engine.systems.matchups import ModelNotes
from tests.engine.systems.epic.roster.test_fighters import COMMUNITY, read_folder, sample
from tests.fixtures.building import ListBuilding

RIFLES = Weapon(name="rifles", range="small arms", firepower="small arms")
MISSILE = Weapon(name="missile", range=45, firepower="AP5+/AT6+")
CANNON = Weapon(name="cannon", range=75, firepower="AT4+")
ROCKETS = Weapon(name="rockets", range=45, firepower="2BP", rules=("Indirect Fire",))
FLAK = Weapon(name="flak", range=45, firepower="AP6+/AA5+")


def make_fighter(
    *weapons: Weapon, kind: str = "INF", count: int = 6, rules: tuple[str, ...] = (), name: str = "unit", **profile: Any
) -> Fighter:
    values = {"speed": 15, "armour": "5+", "CC": "4+", "FF": "5+"} | profile
    unit = UnitGroup(
        name=name,
        type=kind,
        count=count,
        profile=Profile(**values),
        weapons=weapons,
        rules=rules,
        aircraft_class="fighter" if kind == "AC" else None,
    )  # type: ignore[arg-type]
    return Fighter(unit=name, name=name, points=Decimal(300), side=FormationSide(units=(unit,), initiative="2+"))


SQUADS = make_fighter(RIFLES, MISSILE)
TANKS = make_fighter(CANNON, kind="AV", count=3, armour="4+", CC="6+", FF="4+")
GUNS = make_fighter(ROCKETS, kind="AV", count=3)
TITAN = make_fighter(CANNON, kind="WE", count=1, DC=(3,), armour="5+")
FIGHTERS = make_fighter(FLAK, kind="AC", count=2)
CRUISER = make_fighter(Weapon(name="lance", firepower="MW2+"), kind="SC", count=1)


def one(attack: str, attackers: Fighter, defenders: Fighter, *, outgoing: bool = True, **stated: Any) -> Effect | None:
    rows = MATCHUPS.effects(attack, [attackers], [defenders], conditions=EpicConditions(**stated), outgoing=outgoing)
    return next(rows)[0]


def destroyed(attack: str, attackers: Fighter, defenders: Fighter, **stated: Any) -> float:
    effect = one(attack, attackers, defenders, **stated)
    assert effect is not None
    return effect.models_slain


def test_by_hand() -> None:
    """Six AP5+ shots at six infantry of armour 5+: 6 x 1/3 x 2/3 are lost; every hit is one unit's."""
    effect = one("shooting", SQUADS, make_fighter(name="target"))
    assert effect is not None
    assert effect.models_slain == pytest.approx(6 * (1 / 3) * (2 / 3))
    assert effect.points_destroyed == pytest.approx(effect.models_slain * 50)
    assert (effect.weapons, effect.sampled, effect.damage_lost) == (("missile",), False, None)


@pytest.mark.parametrize(("case", "attack", "more", "less"), [
    ("sustained fire", "shooting", {"action": "sustained_fire"}, {}),
    ("doubling", "shooting", {}, {"action": "double"}),
    ("terrain", "shooting", {}, {"terrain": "ruins"}),
    ("terrain in an assault", "assault", {}, {"terrain": "ruins"}),
    ("own blast markers", "shooting", {}, {"attacker_blast_markers": 3}),
    ("crossfire", "shooting", {"crossfire": True}, {}),
])  # fmt: skip
def test_circumstances(case: str, attack: str, more: dict[str, Any], less: dict[str, Any]) -> None:
    assert destroyed(attack, SQUADS, SQUADS, **more) > destroyed(attack, SQUADS, SQUADS, **less) + 1e-6, case


def test_whose_circumstances_they_are() -> None:
    plain = destroyed("shooting", SQUADS, SQUADS)
    assert destroyed("shooting", SQUADS, SQUADS, outgoing=False, terrain="ruins") == pytest.approx(plain)
    assert destroyed("shooting", SQUADS, SQUADS, outgoing=False, attacker_terrain="ruins") < plain
    assert destroyed("shooting", SQUADS, SQUADS, outgoing=False, blast_markers=3) < plain


def test_blast_markers_break() -> None:
    fresh, shaken = one("shooting", SQUADS, SQUADS), one("shooting", SQUADS, SQUADS, blast_markers=4)
    assert fresh and shaken and fresh.p_broken is not None and shaken.p_broken is not None
    assert shaken.p_broken > fresh.p_broken + 0.3


@pytest.mark.parametrize(("case", "attack", "attackers", "defenders", "stated"), [
    ("out of range", "shooting", SQUADS, SQUADS, {"distance": 50}),
    ("no barrage weapons", "barrage", SQUADS, SQUADS, {}),
    ("only barrage weapons", "shooting", GUNS, SQUADS, {}),
    ("no flak", "shooting", SQUADS, FIGHTERS, {}),
    ("aircraft under a barrage", "barrage", GUNS, FIGHTERS, {}),
    ("aircraft in an assault", "assault", SQUADS, FIGHTERS, {}),
    ("a target in space", "shooting", SQUADS, CRUISER, {}),
    ("spacecraft", "shooting", CRUISER, TITAN, {}),
    ("all suppressed", "shooting", SQUADS, SQUADS, {"attacker_blast_markers": 6}),
    ("indirect fire without aiming", "barrage", GUNS, SQUADS, {"distance": 80}),
    ("indirect fire too far", "barrage", GUNS, SQUADS, {"distance": 91, "action": "sustained_fire"}),
    ("nobody who fights", "assault", make_fighter(CC="-", FF="-"), SQUADS, {}),
])  # fmt: skip
def test_what_is_no_attack(
    case: str, attack: str, attackers: Fighter, defenders: Fighter, stated: dict[str, Any]
) -> None:
    assert one(attack, attackers, defenders, **stated) is None, case
    with pytest.raises(BadDocument):
        MATCHUPS.matchup(attack, attackers, defenders, conditions=EpicConditions(**stated))


def test_flak_and_aircraft() -> None:
    assert (
        destroyed("shooting", make_fighter(FLAK), FIGHTERS)
        > destroyed("shooting", make_fighter(FLAK), FIGHTERS, action="sustained_fire") * 0.1
    )
    document = MATCHUPS.matchup("shooting", make_fighter(FLAK), FIGHTERS, conditions=EpicConditions())
    assert document.attacker is not None and (document.attacker.action, document.attacker.moved) == ("flak", True)
    assert destroyed("shooting", FIGHTERS, SQUADS) > 0


def test_a_barrage_covers_so_many_units_for_each_template() -> None:
    few, more = (destroyed("barrage", GUNS, SQUADS, units_covered=n) for n in (1, 2))
    assert more == pytest.approx(2 * few)
    assert destroyed("barrage", GUNS, SQUADS, units_covered=50) == pytest.approx(3 * few), (
        "six points, two templates, six units"
    )
    assert destroyed("barrage", GUNS, SQUADS, distance=80, action="sustained_fire") > 0, "twice as far when it aims"


def test_damage_of_war_engines() -> None:
    effect = one("shooting", TANKS, TITAN)
    assert effect is not None and effect.damage_lost is not None
    assert effect.damage_lost > effect.models_slain > 0


def test_chargers_choose_and_the_charged_answer() -> None:
    for charger, way in ((TANKS, "FF"), (SQUADS, "CC")):
        document = MATCHUPS.matchup("assault", charger, SQUADS, conditions=EpicConditions())
        assert document.attacker is not None and document.defender is not None
        assert [unit.fights for unit in (*document.attacker.groups, *document.defender.groups)] == [way, way]
        assert document.attacker.action == "engage"


def test_skimmers_need_not_fight_in_base_contact() -> None:
    sides = [make_fighter(RIFLES, CC="6+", FF="3+", rules=rules) for rules in ((), ("Skimmer",))]
    plain, skimming = (one("assault", make_fighter(RIFLES, CC="3+", FF="6+"), side) for side in sides)
    assert plain and skimming and plain.p_broken is not None and skimming.p_broken is not None
    assert skimming.p_broken < plain.p_broken - 0.1


def test_too_much_to_follow_is_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = one("assault", SQUADS, TANKS)
    monkeypatch.setattr("armybuilder.engine.systems.epic.combat.assault.MAX_WAYS", 1)
    rolled = one("assault", SQUADS, TANKS)
    assert exact and rolled and rolled.sampled and not exact.sampled
    assert rolled.models_slain == pytest.approx(exact.models_slain, abs=0.1)


def test_snipers_choose_who_saves_worst() -> None:
    mixed = replace(
        SQUADS.side, units=(*SQUADS.side.groups, *make_fighter(name="recruits", count=3, armour="-").side.groups)
    )
    target = replace(SQUADS, side=mixed)
    plain, sniping = (destroyed("shooting", make_fighter(MISSILE, rules=rules), target) for rules in ((), ("Snipers",)))
    assert sniping == pytest.approx(
        destroyed("shooting", make_fighter(MISSILE), make_fighter(count=3, armour="-")), abs=1e-9
    )
    assert sniping != pytest.approx(plain)


def test_what_the_figures_rest_on() -> None:
    sharp = make_fighter(
        replace(MISSILE, rules=("Sniper", "Guided Missiles", "Forward Arc")),
        RIFLES,
        rules=("Fearless", "Void Shields (2)"),
    )
    notes = ModelNotes()
    note_rules(MATCHUPS.matchup("shooting", sharp, TANKS, conditions=EpicConditions()), notes)
    assert {item.rule for item in notes.approximated} == {"Sniper", "Forward Arc"}
    assert (notes.modelled, notes.not_simulated) == (["Fearless"], ["Void Shields (2)", "Guided Missiles"])
    fight = ModelNotes()
    note_rules(MATCHUPS.matchup("assault", sharp, TANKS, conditions=EpicConditions()), fight)
    assert "Guided Missiles" not in fight.not_simulated, "the missile takes no part in an assault"


def test_a_rough_rule_is_told_where_it_does_something() -> None:
    bearer = make_fighter(MISSILE, RIFLES, rules=("Commander", "Infiltrators", "Skimmer", "Transport (2)"))

    def roughly(attack: str, **stated: Any) -> set[str]:
        notes = ModelNotes()
        note_rules(MATCHUPS.matchup(attack, bearer, TANKS, conditions=EpicConditions(**stated)), notes)
        assert not notes.not_simulated
        return {item.rule for item in notes.approximated}

    assert roughly("shooting") == set()
    assert roughly("shooting", popped_up=True) == {"Popped Up"}
    assert roughly("assault") == {"Commander", "Infiltrators", "Skimmer"}


@pytest.mark.parametrize(("rule", "attack", "bearer"), [
    ("Reinforced Armour", "shooting", "defenders"), ("Invulnerable Save (5+)", "shooting", "defenders"), ("Thick Rear Armour", "shooting", "defenders"),
    ("Extra Attacks (+1)", "assault", "attackers"), ("First Strike", "assault", "attackers"), ("Inspiring", "assault", "attackers"),
])  # fmt: skip
def test_a_rule_in_the_figures_changes_them(rule: str, attack: str, bearer: str) -> None:
    sides = {"attackers": make_fighter(RIFLES, MISSILE), "defenders": make_fighter(RIFLES, MISSILE, name="target")}
    plain = one(attack, **sides, crossfire=True)  # type: ignore[arg-type]
    sides[bearer] = make_fighter(RIFLES, MISSILE, rules=(rule,))
    changed = one(attack, **sides, crossfire=True)  # type: ignore[arg-type]
    assert plain and changed
    assert (plain.models_slain, plain.p_broken) != pytest.approx((changed.models_slain, changed.p_broken), abs=1e-6)


def assert_cells_are_their_pairs(mine: list[Fighter], theirs: list[Fighter]) -> dict[str, int]:
    """Every exact cell agrees with the document behind it; how many attacks of each kind there are."""
    found = dict.fromkeys(MATCHUPS.attacks, 0)
    for attack in MATCHUPS.attacks:
        rows = MATCHUPS.effects(attack, mine, theirs, conditions=EpicConditions())
        for attacker, row in zip(mine, rows, strict=True):
            for defender, cell in zip(theirs, row, strict=True):
                if cell is None:
                    continue
                found[attack] += 1
                assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9
                if not cell.sampled:
                    metrics = simulate(
                        MATCHUPS.matchup(attack, attacker, defender, conditions=EpicConditions())
                    ).metrics
                    assert cell.models_slain == pytest.approx(metrics["units_destroyed"], abs=1e-9), (
                        f"{attacker.name} – {defender.name}"
                    )
                    assert cell.p_destroyed == pytest.approx(metrics["p_destroyed"], abs=1e-9)
    return found


def test_our_own_lists_meet() -> None:
    mine, theirs = sample("strike-force-damocles"), sample("hades-hive-relief")
    assert assert_cells_are_their_pairs(mine, theirs) == {"shooting": 66, "barrage": 16, "assault": 72}


@pytest.mark.shared
def test_two_community_lists_meet(shared: Path) -> None:
    lists = []
    for catalogue_file, names in (
        (
            "Space Marines - EA",
            ("Tactical", "Devastator", "Predator", "Whirlwind", "Land Raider", "Warhound", "Thunderbolt"),
        ),
        ("Orks - Goff", ("Goff Warband", "Blitz Brigade", "Big Gunz", "Fighta", "Gargant", "Stormboyz")),
    ):
        library = read_folder(shared / COMMUNITY, catalogue_file)
        army = ListBuilding(library)
        catalogue = library.catalogues[0]
        army.detachment(library.force_entries(catalogue.id)[0].id, catalogue.id)
        offered = [offer.name for offer, _ in army.offered(army.force_id)]
        for name in names:
            army.add(next(offer for offer in offered if offer.startswith(name)))
        lists.append(list(sides_from_roster(army.state)))
    mine, theirs = lists
    assert (len(mine), len(theirs)) == (7, 6)
    found = assert_cells_are_their_pairs(mine, theirs)
    assert found["shooting"] >= 25 and found["assault"] >= 20
    assert assert_cells_are_their_pairs(theirs, mine)["barrage"] >= 6


def test_a_template_is_some_units_wide() -> None:
    assert matrix.UNDER_ONE_TEMPLATE == 3
    assert destroyed("barrage", GUNS, SQUADS) == pytest.approx(destroyed("barrage", GUNS, SQUADS, units_covered=3))


PIN_POINT = Weapon(name="Pin-point Attack", firepower="MW2+")
BOMBS = Weapon(name="Bombardment", firepower="5BP")


def test_spacecraft_bombard_and_hit_engines_from_orbit() -> None:
    ship = make_fighter(PIN_POINT, BOMBS, kind="SC", count=1)
    assert destroyed("barrage", ship, SQUADS) == destroyed("barrage", ship, SQUADS, crossfire=True) > 0
    document = MATCHUPS.matchup("barrage", ship, make_fighter(RIFLES, count=20), conditions=EpicConditions())
    assert document.defender is not None
    assert sum(unit.under_template for unit in document.defender.groups) == 16, "two templates of 12 cm"
    effect = one("shooting", ship, TITAN)
    assert effect is not None and effect.damage_lost == pytest.approx(5 / 6)
    assert one("shooting", ship, SQUADS) is None, "no engine to aim at"
    assert one("assault", ship, SQUADS) is None


def test_a_commander_leads_others() -> None:
    led = make_fighter(RIFLES, rules=("Commander", "Inspiring"))
    alone, joined = (MATCHUPS.matchup("assault", led, SQUADS, conditions=EpicConditions(joined=n)) for n in (0, 2))
    assert alone.attacker is not None and joined.attacker is not None
    assert (alone.attacker.strength, joined.attacker.strength) == (6, 18)
    assert joined.attacker.bearers("inspiring") == 6, "those who join have no character with them"
    markers = EpicConditions(joined=1, attacker_blast_markers=2)
    led_markers = MATCHUPS.matchup("assault", led, SQUADS, conditions=markers).attacker
    assert led_markers is not None and led_markers.markers == 4
    nobody = MATCHUPS.matchup("assault", SQUADS, SQUADS, conditions=EpicConditions(joined=2)).attacker
    assert nobody is not None and nobody.strength == 6


def test_two_chargers_find_room_for_each_enemy() -> None:
    horde = make_fighter(RIFLES, count=10, CC="3+", FF="5+")
    document = MATCHUPS.matchup("assault", horde, make_fighter(RIFLES, count=3), conditions=EpicConditions())
    assert document.attacker is not None
    assert [(unit.count, unit.fights) for unit in document.attacker.groups] == [(6, "CC"), (4, "FF")]
    engine = MATCHUPS.matchup("assault", horde, TITAN, conditions=EpicConditions())
    assert engine.attacker is not None
    assert [(unit.count, unit.fights) for unit in engine.attacker.groups] == [(6, "CC"), (4, "FF")], "DC 3: six"


@pytest.mark.parametrize(("charge_from", "rules", "ways"), [
    (15, (), ["CC"]), (16, (), ["FF"]), (30, (), ["FF"]), (31, (), None),
    (30, ("Infiltrators",), ["CC"]), (45, ("Infiltrators",), ["FF"]), (46, ("Infiltrators",), None),
])  # fmt: skip
def test_how_far_a_charge_reaches(charge_from: int, rules: tuple[str, ...], ways: list[str] | None) -> None:
    charger = make_fighter(RIFLES, rules=rules)
    stated = EpicConditions(charge_from=charge_from)
    if ways is None:
        assert one("assault", charger, SQUADS, charge_from=charge_from) is None
        return
    document = MATCHUPS.matchup("assault", charger, SQUADS, conditions=stated)
    assert document.attacker is not None
    assert [unit.fights for unit in document.attacker.groups] == ways


def test_supporting_fire_helps_the_side_it_supports() -> None:
    plain, helped, hindered = (
        metrics_of(MATCHUPS.matchup("assault", SQUADS, SQUADS, conditions=EpicConditions(**stated)), KINDS)[0]
        for stated in ({}, {"supporting": 4}, {"defender_supporting": 4})
    )
    assert helped["units_destroyed"] > plain["units_destroyed"] + 0.5
    assert hindered["attacker_units_destroyed"] > plain["attacker_units_destroyed"] + 0.5
    assert helped["attacker_units_destroyed"] == pytest.approx(plain["attacker_units_destroyed"])
    assert helped["p_win"] > plain["p_win"] > hindered["p_win"]


def test_who_rides_neither_shoots_nor_is_shot_at_but_dies_with_the_transport() -> None:
    trucks = UnitGroup(
        name="truck", type="AV", count=3, profile=Profile(speed=30, armour="6+"), rules=("Transport (2)",)
    )
    mounted = replace(SQUADS, side=replace(SQUADS.side, units=(*SQUADS.side.groups, trucks)), riding=(6, 0))
    assert one("shooting", mounted, SQUADS, mounted=True) is None
    assert destroyed("shooting", mounted, SQUADS) > 0
    document = MATCHUPS.matchup("shooting", TANKS, mounted, conditions=EpicConditions(defender_mounted=True))
    metrics = simulate(document).metrics
    on_foot = simulate(MATCHUPS.matchup("shooting", TANKS, mounted, conditions=EpicConditions())).metrics
    wrecks = on_foot["units_destroyed"]
    assert metrics["units_destroyed"] == pytest.approx(wrecks * (1 + 2 * 4 / 6)), "two aboard each, armour 5+"
    sampled = simulate(replace(document, method="montecarlo", trials=4_000, seed=1))
    assert sampled.metrics["units_destroyed"] == pytest.approx(metrics["units_destroyed"], abs=0.1)


def test_infantry_beside_vehicles_counts_as_in_cover() -> None:
    """Six shots on 5+ against a save of 5+; those at the vehicles are none the worse."""
    assert destroyed("shooting", SQUADS, SQUADS, beside_vehicles=True) == pytest.approx(
        destroyed("shooting", SQUADS, SQUADS) / 2
    )
    assert destroyed("shooting", TANKS, TANKS, beside_vehicles=True) == destroyed("shooting", TANKS, TANKS)


def test_damage_of_war_engines_is_stated() -> None:
    track = make_fighter(CANNON, RIFLES, kind="WE", count=1, DC=(4, 2, 1), name="engine")
    whole, damaged = (destroyed("shooting", track, TANKS, attacker_engine_damage=n) for n in (1, 2))
    assert damaged < whole == destroyed("shooting", track, TANKS)
    weak = destroyed("assault", track, SQUADS, attacker_engine_damage=3)
    assert weak < destroyed("assault", track, SQUADS, attacker_engine_damage=2)
    assert destroyed("shooting", TANKS, track, engine_damage=50) > destroyed("shooting", TANKS, track), "one is left"


def test_jinking_aircraft_save_and_do_not_attack() -> None:
    flak = make_fighter(FLAK)
    assert destroyed("shooting", flak, FIGHTERS, jinks=True) < destroyed("shooting", flak, FIGHTERS)
    jinking = replace(FIGHTERS, side=replace(FIGHTERS.side, jink=True))
    assert one("shooting", jinking, SQUADS) is None
