"""What a player sees of a Fantasy army without asking: shares, fortitude, breaking point, the General, lores."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.points import written
from armybuilder.engine.systems.fantasy_8th.army import Army, Unit, cost
from armybuilder.engine.systems.fantasy_8th.list_rules.composition import CORE_SHARE, SHARES
from armybuilder.engine.systems.fantasy_8th.list_rules.scenarios import breaking_point, fortitude
from armybuilder.engine.systems.fantasy_8th.reference import lore_key, lores
from armybuilder.engine.systems.list_summary import ListSummary

NO_BREAK = "\N{NO-BREAK SPACE}"
CATEGORIES = {
    "lord": Text("Lords", "лорды"),
    "hero": Text("Heroes", "герои"),
    "core": Text("Core", "основные"),
    "special": Text("Special", "специальные"),
    "rare": Text("Rare", "редкие"),
}


def summarised(army: Army, places: Mapping[str, str]) -> ListSummary:
    """The facts of a list. Source: L1017-1031, L1429-1434, L1626-1636 [text].

    Args:
        places: pointer into the army -> node id, as the list was translated.
    """
    spirit, broken = fortitude(army), breaking_point(army)
    whole = (
        *_shares(army),
        Text(f"fortitude {spirit}", f"сила духа {spirit}"),
        Text(f"breaking point {broken}", f"переломный момент {broken}"),
    )
    units = {places[at]: facts for at, unit in army.places if at in places and (facts := tuple(_facts(unit)))}
    return ListSummary(whole, units)


def _shares(army: Army) -> Iterator[Text]:
    """Points of each category, and the most or least that it may cost."""
    for category, name in CATEGORIES.items():
        percent = CORE_SHARE if category == "core" else SHARES[category][1]
        bound = written(Decimal(army.percent_base) * percent / 100)
        spent = written(cost(unit for unit in army.units if unit.category == category))
        sign = "≥" if category == "core" else "≤"
        cost_of, limit = in_figures(str(spent)), in_figures(str(bound))
        yield Text(
            f"{name.en} {cost_of.en} ({sign} {limit.en})".replace(" ", NO_BREAK),
            f"{name.ru} {cost_of.ru} ({sign} {limit.ru})".replace(" ", NO_BREAK),
        )


def _facts(unit: Unit) -> Iterator[Text]:
    """What costs nothing and so stands in no summary of options: who leads, and which lore."""
    if unit.general:
        yield Text("General", "генерал")
    known = lores().get(lore_key(unit.lore)) if unit.lore else None
    if known is not None:
        yield Text(f"Lore of {known.en}", known.ru)
