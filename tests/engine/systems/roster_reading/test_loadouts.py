"""What models carry: weapons of their own and of their unit, counted once each."""

import itertools

import pytest

from armybuilder.engine.roster.state import ProfileState, RuleState, SelectionState
from armybuilder.engine.systems.roster_reading.loadouts import (
    CarriedWeapon,
    Crowd,
    Gear,
    Key,
    Loadout,
    alike,
    gear_of,
    models_in,
    plain_parts,
    rows_left_out,
)

_ids = itertools.count()


def row(name: str, type_name: str = "Weapon") -> ProfileState:
    return ProfileState(id=name, name=name, type_id=type_name, type_name=type_name, characteristics=())


def taken(
    name: str, *rows: ProfileState, number: int = 1, below: tuple[SelectionState, ...] = (), rules: tuple[str, ...] = ()
) -> SelectionState:
    texts = tuple(RuleState(id=rule, name=rule, description="") for rule in rules)
    made = SelectionState(lambda: (rows, texts))
    made.id, made.name, made.custom_name, made.group_names = f"n{next(_ids)}", name, None, ""
    made.number = made.amount = number
    made.type, made.selections = "upgrade", below
    return made


def grouped(group: str, selection: SelectionState) -> SelectionState:
    selection.group_names = group
    return selection


def gear(
    *selections: SelectionState, times: int = 1, most: int | None = None, gave: frozenset[Key] = frozenset()
) -> Gear:
    """The gear of these selections and everything below them."""
    return gear_of(
        [node for selection in selections for node in selection.walk()],
        is_weapon=lambda profile: profile.type_name == "Weapon",
        is_wargear=lambda profile: profile.type_name == "Wargear",
        times=times,
        most=lambda _: most,
        gave=gave,
    )


def weapons(found: Gear) -> list[tuple[int, str, int]]:
    return [(weapon.number, weapon.profiles[0].name, weapon.copies) for weapon in found.weapons]


def arms(loadout: Loadout, crowd: Crowd) -> list[tuple[int | None, str]]:
    return [(one.bearers, one.profiles[0].name) for one in loadout.carried(crowd)]


def test_what_hangs_on_models_and_on_the_unit() -> None:
    each, few = CarriedWeapon(6, "g", (row("gun"),)), CarriedWeapon(2, "f", (row("flamer"),))
    unit, some = CarriedWeapon(1, "u", (row("pistol"),)), CarriedWeapon(2, "s", (row("sword"),))
    big, small = Crowd("big", 3, None, Gear([each, few])), Crowd("small", 1, None, Gear())
    loadout = Loadout([small, big], Gear([unit, some]))
    assert arms(loadout, big) == [(None, "gun"), (None, "gun"), (2, "flamer"), (None, "pistol"), (2, "sword")]
    assert arms(loadout, small) == [(None, "pistol")]


def test_a_weapon_of_the_unit_is_for_those_who_have_none_such() -> None:
    pistol = (row("pistol"),)
    leader = Crowd("leader", 1, None, Gear([CarriedWeapon(1, "Pistol", pistol)]))
    trooper = Crowd("trooper", 4, None, Gear())
    for number in (1, 4, 5):  # "for all", for those who lack it, for the whole unit
        loadout = Loadout([leader, trooper], Gear([CarriedWeapon(number, "Pistol", pistol)]))
        assert (arms(loadout, leader), arms(loadout, trooper)) == ([(None, "pistol")], [(None, "pistol")]), number


def test_who_chose_something_in_the_place_of_a_weapon_has_not_that_of_the_unit() -> None:
    sword = CarriedWeapon(1, "Sword", (row("sword"),))
    champion = Crowd(
        "champion", 1, None, Gear([CarriedWeapon(1, "Fist", (row("fist"),))]), gave=frozenset({("sword",)})
    )
    brother = Crowd("brother", 4, None, Gear())
    loadout = Loadout([champion, brother], Gear([sword]))
    assert (arms(loadout, champion), arms(loadout, brother)) == ([(None, "fist")], [(None, "sword")])
    assert (loadout.was_given("Sword "), loadout.was_given("fist")) == (True, False)


def test_a_gun_that_wargear_names_goes_with_what_was_chosen_for_it() -> None:
    bike = taken("Bike", row("bike", "Wargear"), below=(taken("Gun", row("gun")),))
    rider = taken("Rider", below=(bike, taken("Melta", row("melta"))))
    assert weapons(gear(rider)) == [(1, "gun", 1), (1, "melta", 1)]
    assert weapons(gear(rider, gave=frozenset({("gun",)}))) == [(1, "melta", 1)]


def test_a_number_that_its_name_says_again_is_said_once() -> None:
    """Two "Gorefather & Gorechild" are one of each; two lascannons are two."""
    pair = taken("Gorefather & Gorechild", row("gorefather"), row("gorechild"), number=2)
    assert weapons(gear(taken("Hero", below=(pair,)))) == [(1, "gorefather", 1), (1, "gorechild", 1)]
    assert weapons(gear(taken("Hero", below=(taken("Two Talons", row("talons"), number=2),)))) == [(1, "talons", 2)]
    assert weapons(gear(taken("Tank", below=(taken("Lascannon", row("lascannon"), number=2),)))) == [
        (2, "lascannon", 1)
    ]


def test_a_gun_on_the_pintle_is_another_than_those_of_the_sponsons() -> None:
    flamer = (row("flamer"),)
    tank = Crowd("tank", 1, None, Gear([CarriedWeapon(1, "Pintle Mounted Flamer", flamer)]))
    loadout = Loadout([tank], Gear([CarriedWeapon(1, "Two Sponson Mounted Flamers", flamer, 2)]))
    assert arms(loadout, tank) == [(None, "flamer")] * 3


@pytest.mark.parametrize(
    ("group", "is_one_models"), [("The entire unit may exchange their guns for:", False), ("One model may take:", True)]
)
def test_two_pistols_may_be_for_everybody(group: str, is_one_models: bool) -> None:
    """The number in a name is that of the weapons; who has them is what the group says."""
    (pistols,) = gear(taken("Unit", below=(grouped(group, taken("Two Pistols", row("pistol"))),))).weapons
    assert (pistols.copies, pistols.one_model) == (2, is_one_models)


def test_a_weapon_that_the_unit_names_twice_is_one_weapon() -> None:
    lasgun = (row("lasgun"),)
    many, one = Crowd("militia", 19, None, Gear()), Crowd("sergeant", 1, None, Gear())
    for numbers in ((19, 1), (1, 1), (20,)):
        loadout = Loadout([many, one], Gear([CarriedWeapon(number, "Lasgun", lasgun) for number in numbers]))
        assert (arms(loadout, many), arms(loadout, one)) == ([(None, "lasgun")], [(None, "lasgun")]), numbers
    tank = Crowd("tank", 1, None, Gear())
    assert (
        arms(Loadout([tank], Gear([CarriedWeapon(1, side, lasgun) for side in "lr"])), tank) == [(None, "lasgun")] * 2
    )


def test_a_battery_is_fired_by_its_guns() -> None:
    gunners, gun = Crowd("gunner", 3, None, Gear()), Crowd("carrier", 1, None, Gear(), is_gun=True)
    shared = Gear(
        [CarriedWeapon(1, "Multi-laser", (row("multi-laser"),)), CarriedWeapon(3, "Pistol", (row("pistol"),))]
    )
    loadout = Loadout([gunners, gun], shared)
    assert (arms(loadout, gunners), arms(loadout, gun)) == ([(None, "pistol")], [(None, "multi-laser")])


def test_numbers_in_names() -> None:
    assert weapons(gear(taken("2x Heavy Bolters", row("Heavy Bolter")))) == [(1, "Heavy Bolter", 2)]
    framed = taken("Two Hull Mounted Lascannons", below=(taken("Lascannon", row("Lascannon")),))
    assert weapons(gear(framed)) == [(1, "Lascannon", 2)]
    told = taken("Two Shock Chargers", below=(taken("Shock Charger", row("Shock Charger"), number=2),))
    assert weapons(gear(told)) == [(2, "Shock Charger", 1)], "the selection is as many already"
    both = taken("2x Flamers & Lascannons", row("Flamer"), row("Lascannon"))
    assert weapons(gear(both)) == [(1, "Flamer", 2), (1, "Lascannon", 2)], "two weapons, not two ways to use one"
    tank = Crowd("tank", 1, None, gear(taken("2x Heavy Bolters", row("Heavy Bolter"))))
    assert arms(Loadout([tank], Gear()), tank) == [(None, "Heavy Bolter")] * 2


def test_a_row_of_several_models() -> None:
    drones = taken("14x Gun Drones", below=(taken("Pulse carbine", row("Pulse carbine")),))
    crowd = Crowd("drones", models_in(drones), None, gear(*drones.selections, times=14))
    assert (crowd.count, arms(Loadout([crowd], Gear()), crowd)) == (14, [(None, "Pulse carbine")])


def test_a_weapon_named_again_inside_wargear_is_the_same() -> None:
    bike = taken("Bike", row("Bike", "Wargear"), below=(taken("Bolter", row("Bolter")),))
    assert weapons(gear(bike)) == [(1, "Bolter", 1)]
    assert weapons(gear(bike, taken("Bolter", row("Bolter")))) == [(1, "Bolter", 1)]


def test_ways_taken_as_selections_are_ways_of_one_weapon() -> None:
    shells = [taken(name, row(name)) for name in ("Cannon - AP", "Cannon - HE", "Bolter")]
    assert [weapon.key for weapon in gear(*shells).weapons] == [("cannon - ap", "cannon - he"), ("bolter",)]


def test_a_gun_that_its_crew_stands_around_is_one() -> None:
    grots = taken("Grots", row("Grot", "Unit"), number=2)
    grots.type = "model"
    mob = taken("Big Gunz", below=(taken("Kannon w/ Grots", row("Kannon"), below=(grots,)),))
    crew = Crowd("Grots", 2, None, Gear())
    assert arms(Loadout([crew], gear(mob)), crew) == [(1, "Kannon")]


def test_what_nothing_was_made_of_is_named() -> None:
    nodes = [taken("Crew", row("Guardsman", "Unit")), taken("Gun", row("Lascannon"))]
    assert list(rows_left_out(nodes, lambda _: True, {"Lascannon"})) == ["Guardsman"]
    assert list(rows_left_out(nodes, lambda found: found.type_name == "Weapon", set())) == ["Lascannon"]


@pytest.mark.parametrize(("text", "parts"), [
    ("4+ invulnerable save.", [("4+ invulnerable save.", True)]),
    ("4+ invulnerable save vs. firing.", [("4+ invulnerable save ", False)]),
    ("+1 Attack; when charging 3++.", [("+1 Attack;", True), ("", False)]),
])  # fmt: skip
def test_only_what_holds_unconditionally(text: str, parts: list[tuple[str, bool]]) -> None:
    assert list(plain_parts(text)) == parts


@pytest.mark.parametrize(
    ("group", "most", "bearers"),
    [
        ("Wargear", 1, {"Marine": None, "Sergeant": None}),
        ("The entire squad may take:", 1, {"Marine": None, "Sergeant": None}),
        ("Squad Weapon - All models in the unit may take one of the following:", 1, {"Marine": None, "Sergeant": None}),
        ("Special Weapons (1)", 1, {"Marine": 1}),
        ("For every five models in the unit, one may exchange its gun for:", 1, {"Marine": 1}),
        ("Weapons", 4, {"Marine": 1}),
        ("The Sergeant may be given:", 1, {"Sergeant": None}),
        ("One Marine in the unit may take one of the following:", 1, {"Marine": 1}),
    ],
)
def test_whose_a_weapon_is_that_the_unit_takes_once(group: str, most: int, bearers: dict[str, int | None]) -> None:
    """A flamer of a squad was in the hands of every marine."""
    chosen = grouped(group, taken("Flamer", row("Flamer")))
    crowds = [Crowd("Marine", 4, None, Gear()), Crowd("Sergeant", 1, None, Gear())]
    loadout = Loadout(crowds, gear(taken("Squad", below=(chosen,)), most=most))
    assert {one.name: held for one in crowds for held, _ in arms(loadout, one)} == bearers


def test_two_squads_of_one_unit_have_a_special_weapon_each() -> None:
    one = [grouped("One Militia may take:", taken("Meltagun", row("Meltagun"))) for _ in range(2)]
    crowds = alike(Crowd(name, count, None, Gear()) for name, count in [("Militia", 19), ("Sergeant", 1)] * 2)
    loadout = Loadout(crowds, gear(taken("Unit", below=tuple(one))))
    assert [(crowd.name, crowd.count, arms(loadout, crowd)) for crowd in crowds] == [
        ("Militia", 38, [(2, "Meltagun")]),
        ("Sergeant", 2, []),
    ]


def test_an_additional_weapon_comes_besides_the_same() -> None:
    blade = row("Blade")
    more = taken("Additional Blade", number=3, below=(taken("Blade", blade, number=3),))
    brutes = Crowd("Brute", 3, None, gear(taken("Blade", blade, number=3)))
    assert arms(Loadout([brutes], gear(taken("Unit", below=(more,)))), brutes) == [(None, "Blade")] * 2


def test_pistols_of_a_battery_are_the_gunners() -> None:
    crowds = [Crowd("Gunners", 9, None, Gear()), Crowd("Rapier", 3, None, Gear(), is_gun=True)]
    six, three = (
        grouped("Gunner Weapons", taken(name, row(name), number=number)) for name, number in (("Pistol", 6), ("Gun", 3))
    )
    loadout = Loadout(crowds, gear(taken("Battery", below=(six, three))))
    assert [arms(loadout, crowd) for crowd in crowds] == [[(6, "Pistol"), (3, "Gun")], []]


def test_guns_of_a_container_come_besides_those_of_the_lorry() -> None:
    stubber = row("Stubber")
    container = taken("Container", row("Container", "Wargear"), below=(taken("Pintle Stubber", stubber, number=2),))
    lorry = taken("Lorry", below=(taken("Pintle Stubber", stubber), container))
    assert sum(weapon.number for weapon in gear(lorry).weapons) == 3


@pytest.mark.parametrize(
    ("group", "number", "left"),
    [
        ("Any model may exchange its Sword for:", 2, [(3, "Sword")]),
        ("Any model may exchange its Sword for:", 5, []),
        ("The entire unit may replace their swords with:", 1, []),
        ("Any model may exchange its Sword or Axe for:", 2, [(3, "Sword")]),  # they have no axe
        ("Any model may exchange its Sword or Shield for:", 2, [(None, "Sword")]),  # which of the two, nobody knows
        ("Any model may exchange one of its Swords for:", 2, [(None, "Sword")]),
        ("Any model may exchange its Great Sword for:", 2, [(None, "Sword")]),
        ("Any model may take:", 2, [(None, "Sword")]),
    ],
)
def test_who_took_something_for_a_weapon_has_it_no_more(
    group: str, number: int, left: list[tuple[int | None, str]]
) -> None:
    """A fist that comes with a gun is taken in place of one sword."""
    fist, gun = (taken(name, row(name), number=number) for name in ("Fist", "Gun"))
    pair = grouped(group, taken("Gun and Fist", number=number, below=(gun, fist)))
    guard = Crowd("Guard", 5, None, Gear())
    loadout = Loadout([guard], gear(*(taken(name, row(name)) for name in ("Sword", "Shield")), pair))
    assert [one for one in arms(loadout, guard) if one[1] == "Sword"] == left
    assert [name for _, name in arms(loadout, guard) if name != "Sword"] == ["Shield", "Gun", "Fist"]


def test_of_two_of_a_kind_one_is_exchanged_unless_it_is_both() -> None:
    for group, swords in (("May exchange a Sword for:", 1), ("May exchange both Swords for:", 0)):
        fist = grouped(group, taken("Fist", row("Fist")))
        leader = Crowd("Leader", 1, None, gear(taken("Sword", row("Sword"), number=2), fist))
        carried = [name for _, name in arms(Loadout([leader], Gear()), leader)]
        assert carried == ["Sword"] * swords + ["Fist"]


def test_where_everybody_chose_nobody_has_two() -> None:
    """Four of one and one of another among four and their leader."""
    guard, leader = Crowd("Guard", 4, None, Gear()), Crowd("Leader", 1, None, Gear())
    group = "Every Guard and the Leader must choose between:"
    chosen = [grouped(group, taken(name, row(name), number=number)) for name, number in (("Flamer", 2), ("Gun", 3))]
    loadout = Loadout([leader, guard], gear(*chosen))
    assert arms(loadout, guard) == [(1, "Flamer"), (3, "Gun")]
    assert arms(loadout, leader) == [(None, "Flamer")]


def test_what_is_got_in_exchange_is_not_given_for_something_else() -> None:
    """Two arms of a Knight, each of which may be exchanged for what the other one is."""
    left, right = "May exchange its Claw for:", "May exchange its Gun for:"
    for arm, other in (("Lance", "Claw"), ("Claw", "Claw"), ("Claw", "Lance")):
        gear_of_both = gear(grouped(left, taken(arm, row(arm))), grouped(right, taken(other, row(other))))
        knight = Crowd("Knight", 1, None, gear_of_both)
        assert [name for _, name in arms(Loadout([knight], Gear()), knight)] == [arm, other]


def test_a_choice_to_keep_what_there_is_takes_nothing_away() -> None:
    """An automaton has a claw, and in place of another claw and an arm just those."""
    kept = taken("Claw and Arm", below=(taken("Claw", row("Claw")), taken("Arm", row("Arm"))))
    own = gear(taken("Claw", row("Claw")), grouped("May exchange a Claw and an Arm for:", kept))
    automaton = Crowd("Automaton", 1, None, own)
    assert [name for _, name in arms(Loadout([automaton], Gear()), automaton)] == ["Claw", "Claw", "Arm"]
    cannon = grouped("May exchange a Claw and an Arm for:", taken("Cannon", row("Cannon")))
    automaton = Crowd("Automaton", 1, None, gear(taken("Claw", row("Claw")), cannon))
    assert [name for _, name in arms(Loadout([automaton], Gear()), automaton)] == ["Claw", "Cannon"]
