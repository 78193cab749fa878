"""What a player sees of an Epic army without asking: strategy rating, break points, seats, where formations start."""

from collections.abc import Iterator, Mapping

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic.army import Army, Formation, Unit
from armybuilder.engine.systems.epic.boarding import fits
from armybuilder.engine.systems.epic.list_rules.transport import slots_of
from armybuilder.engine.systems.list_summary import ListSummary

STARTS = {
    "garrison": Text("garrison", "гарнизон"),
    "reserve": Text("reserve", "резерв"),
    "teleport": Text("teleport", "телепорт"),
    "space": Text("in space", "в космосе"),
    "planetfall": Text("planetfall", "планетарная высадка"),
    "tunnel": Text("tunnel", "туннель"),
}
"""How a formation starts the game where it is not simply on the table."""

BREAK_POINT = "EP-38"
"""The remark that a formation breaks at so many markers."""


def summarised(army: Army, places: Mapping[str, str]) -> ListSummary:
    """The facts of a list.

    Args:
        places: pointer into the army -> node id, as the list was translated.
    """
    whole: tuple[Text, ...] = ()
    if army.strategy_rating is not None:
        number = army.strategy_rating
        whole = (Text(f"Strategy rating {number}", f"Стратегический рейтинг {number}"),)
    return ListSummary(
        army=whole,
        units={places[at]: tuple(_facts(formation)) for at, formation in army.places if at in places},
        summarised_rules=frozenset({BREAK_POINT}),
    )


def _facts(formation: Formation) -> Iterator[Text]:
    if formation.initiative is not None:
        value = str(formation.initiative)
        value = value if value.endswith("+") else f"{value}+"
        yield Text(f"initiative {value}", f"инициатива {value}")
    if formation.own_units:
        n = formation.break_point
        yield Text(f"breaks at {n}", f"разбивается при {n}")
    yield from _seats(formation)
    if formation.deployment in STARTS:
        yield STARTS[formation.deployment]
    if formation.overwatch_at_start:
        yield Text("on Overwatch", "в «Надзоре»")


def _seats(formation: Formation) -> Iterator[Text]:
    """Places in a formation's own transports against the places its other units need, and whether all find one."""
    carriers = [unit for unit in formation.own_units if unit.transport is not None and unit.transport.slots is not None]
    if not carriers:
        return
    room = sum(unit.count * (unit.transport.slots or 0) for unit in carriers if unit.transport is not None)
    riders = _riders(formation, carriers)
    if not riders:
        yield Text(f"carries {room}", f"мест: {room}")
        return
    need = slots_of(riders)
    if fits(riders, carriers):
        yield Text(f"seats {need} of {room}", f"занято мест: {need} из {room}")
    else:
        yield Text(f"{need} places needed, {room} in its transports", f"нужно мест: {need}, в транспортах: {room}")


def _riders(formation: Formation, carriers: list[Unit]) -> list[Unit]:
    """Units that some transport of the formation takes."""
    return [
        unit
        for unit in formation.own_units
        if unit not in carriers and any(carrier.transport and carrier.transport.takes(unit) for carrier in carriers)
    ]
