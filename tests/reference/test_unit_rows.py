"""Units as rows: what a unit costs as it comes, from every force that offers it, without working out the rest."""

from armybuilder.reference.default_units import UnitRow
from armybuilder.reference.unit_rows import UnitRows
from tests.engine.roster.builders import Data, change, entry, group, make_library, when

PATROL: Data = {"id": "patrol", "name": "Patrol", "categoryLinks": [{"id": "patrol-hq", "targetId": "hq"}]}


def rows(*entries: Data, forces: list[Data] | None = None) -> list[UnitRow]:
    library = make_library(*entries, system={"forceEntries": forces or [PATROL]})
    return [row for row, _ in UnitRows(library).of("army")]


def unit(key: str, category: str, points: int = 10, **fields: object) -> Data:
    primary = [{"id": f"{key}-{category}", "targetId": category, "primary": True}]
    return entry(key, type="unit", categoryLinks=primary, costs=[{"typeId": "pts", "value": points}], **fields)


def test_a_unit_stands_with_what_it_must_take() -> None:
    arms = group("arms", entry("axe", costs=[{"typeId": "pts", "value": 3}]), least=1, defaultSelectionEntryId="axe")
    found = rows(unit("lord", "hq", selectionEntryGroups=[arms]))
    assert [(row.name, row.points, row.category_name) for row in found] == [("Lord", 13, "HQ")]


def test_units_of_a_force_below_another_are_rows_each_once() -> None:
    regiment: Data = {
        "id": "regiment", "name": "Regiment", "hidden": True,
        "categoryLinks": [{"id": "regiment-troops", "targetId": "troops"}, {"id": "regiment-hq", "targetId": "hq"}],
        "modifiers": [change("set", "hidden", "false", when("instanceOf", 1, "patrol", "ancestor"))],
    }  # fmt: skip
    below = PATROL | {"forceEntries": [regiment]}
    found = rows(unit("lord", "hq"), unit("men", "troops"), unit("riders", "fast"), forces=[below])
    assert [row.name for row in found] == ["Lord", "Men"]


def test_where_a_unit_belongs_may_be_for_modifiers_to_say() -> None:
    squad: Data = {"id": "squad", "name": "Squad", "categoryLinks": [{"id": "squad-troops", "targetId": "troops"}]}

    def changed(kind: str, category: str) -> Data:
        return {"modifiers": [change(kind, "category", category, when("instanceOf", 1, "squad", "force"))]}

    found = rows(
        unit("guard", "hq", **changed("set-primary", "troops")),  # offered as HQ by the patrol already
        unit("riders", "fast", **changed("set-primary", "troops")),
        unit("scouts", "fast", **changed("unset-primary", "fast")),
        unit("spies", "fast", **changed("remove", "fast")),
        unit("steeds", "fast", **changed("add", "troops")),  # beside its primary: of no force here
        forces=[PATROL, squad],
    )
    assert [row.name for row in found] == ["Guard", "Riders", "Scouts", "Spies"]


def test_hidden_forces_and_entries_offer_nothing() -> None:
    closed = PATROL | {"id": "closed", "name": "Closed", "categoryLinks": [{"id": "c", "targetId": "troops"}]}
    found = rows(
        unit("lord", "hq"),
        unit("ghost", "hq", hidden=True),
        unit("men", "troops"),
        forces=[PATROL, closed | {"hidden": True}],
    )
    assert [row.name for row in found] == ["Lord"]


def test_an_upgrade_is_a_unit_where_it_fills_a_slot_and_costs_something() -> None:
    slot = [{"id": "slot", "targetId": "hq", "primary": True}]
    price = [{"typeId": "pts", "value": 5}]
    inner = entry("man", least=1, costs=price)
    found = rows(
        entry("free", categoryLinks=slot),
        entry("squad", categoryLinks=slot, selectionEntries=[inner]),
        entry("choice", categoryLinks=slot, selectionEntries=[entry("may", costs=price)]),
        entry("loose", costs=price),
    )
    assert [(row.name, row.points) for row in found] == [("Squad", 5)]


def test_what_most_models_are_stands_before_their_leader() -> None:
    def row(key: str) -> Data:
        return {"id": key, "name": key.title(), "typeId": "body", "typeName": "Body", "characteristics": []}

    boss = entry("boss", type="model", least=1, profiles=[row("boss")])
    boy = entry("boy", type="model", least=9, profiles=[row("boy")])
    (boyz,) = rows(unit("boyz", "hq", profiles=[row("mob")], selectionEntries=[boss, boy]))
    assert [profile["name"] for profile in boyz.profiles] == ["Boy", "Boss", "Mob"]


def test_a_wizards_own_figures_stand_before_his_spells() -> None:
    def row(key: str, kind: str, figures: int) -> Data:
        values = [{"typeId": f"{kind}-{at}", "name": f"{at}", "value": str(at)} for at in range(figures)]
        return {"id": key, "name": key.title(), "typeId": kind, "typeName": kind, "characteristics": values}

    wizard = entry("wizard", type="model", least=1, profiles=[row("wizard", "Body", 3)])
    (party,) = rows(
        unit("party", "hq", profiles=[row("party", "Rule", 1), row("bolt", "Spell", 2)], selectionEntries=[wizard])
    )
    assert [profile["name"] for profile in party.profiles] == ["Wizard", "Party", "Bolt"]
