"""What a list shows unasked: shares of its categories, fortitude and breaking point, who leads, which lore."""

from armybuilder.engine.documents import parse_army
from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.list_rules.summary import summarised
from tests.engine.systems.fantasy_8th.builders import make_army


def army(**document: object) -> Army:
    changes = {
        "hero": {"army_standard": True, "wizard_level": 2, "lore": "fire"},
        "core": {"command": ["standard_bearer", "musician"]},
    }
    found = parse_army(make_army(changes, **document))
    assert isinstance(found, Army)
    return found


def test_shares_and_what_scenarios_count() -> None:
    """The example of L1626-L1636: standards, the army standard, two for the General."""
    shown = [text.en.replace("\N{NO-BREAK SPACE}", " ") for text in summarised(army(), {}).army]
    sums = {unit.category: unit.points for unit in army().units}
    standards = sum("standard_bearer" in unit.command for unit in army().units)
    assert shown[0] == f"Lords {sums['lord']} (≤ 500)"
    assert shown[2].endswith("(≥ 500)")
    assert shown[3].endswith("(≤ 1,000)")
    assert shown[-2:] == [f"fortitude {standards + 1 + 2}", "breaking point 2"]


def test_shares_of_the_total() -> None:
    whole = sum(unit.points for unit in army().units)
    shown = summarised(army(options={"percent_base": "total"}), {}).army[0].ru
    assert shown.endswith(f"≤\N{NO-BREAK SPACE}{whole * 25 / 100:g})".replace(".", ","))


def test_who_leads_and_which_lore() -> None:
    found = army()
    places = {at: unit.id for at, unit in found.places}
    units = {key: [text.ru for text in texts] for key, texts in summarised(found, places).units.items()}
    assert units == {"lord": ["генерал"], "hero": ["Школа Огня"]}
