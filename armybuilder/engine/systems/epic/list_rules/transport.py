"""Who rides in what: capacity, own formation, whole formations (EP-15 to EP-17)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.epic.army import Army, Unit
from armybuilder.engine.systems.epic.list_rules.rules import finding

NOT_THERE = Text("there is no such carrier", "такого транспорта нет")
NO_TRANSPORT = Text("it carries nobody", "это не транспорт")


def capacity(army: Army) -> Iterator[Finding]:
    """EP-15: the carrier exists, accepts its load, and has a slot for every part of it."""
    loads: dict[str, list[Unit]] = defaultdict(list)
    for at, _, unit in army.units:
        if unit.embarked_in is None:
            continue
        if unit.embarked_in not in army.by_id:
            yield finding("EP-15", at=f"{at}/embarked_in", carrier=unit.embarked_in, what=NOT_THERE)
        loads[unit.embarked_in].append(unit)
    for at, _, carrier in army.units:
        load = loads.get(carrier.id)
        if not load:
            continue
        what = _too_much(carrier, load)
        if what is not None:
            yield finding("EP-15", at=at, carrier=carrier.name, what=what)


def _too_much(carrier: Unit, load: Sequence[Unit]) -> Text | None:
    """Why a load cannot be carried; None where it can."""
    if carrier.transport is None:
        return NO_TRANSPORT
    refused = dict.fromkeys(unit.name for unit in load if not carrier.transport.takes(unit))
    if refused:
        return Text(
            f"it does not take {', '.join(f'“{name}”' for name in refused)}",
            f"не принимает {', '.join(f'«{name}»' for name in refused)}",
        )
    used, room = slots_of(load), carrier.count * (carrier.transport.slots or 0)
    return (
        Text(f"{used} places are needed, there are {room}", f"мест нужно {used}, есть {room}") if used > room else None
    )


def own_formation(army: Army) -> Iterator[Finding]:
    """EP-16: only war engines and aircraft carry units of another formation."""
    for at, formation, unit in army.units:
        home, carrier = army.by_id.get(unit.embarked_in or "", (None, None))
        if carrier is not None and home is not formation and not (carrier.is_war_engine or carrier.kind == "AC"):
            yield finding("EP-16", at=f"{at}/embarked_in", carrier=carrier.name)


def whole_formations(army: Army) -> Iterator[Finding]:
    """EP-17: another formation is carried as a whole; units inside its own transports count as aboard."""
    for at, formation in army.places:
        aboard = [any(home is not formation for home, _ in army.carriers(unit)) for unit in formation.own_units]
        if any(aboard) and not all(aboard):
            yield finding("EP-17", at=at, formation=formation.title)


def slots_of(units: Iterable[Unit]) -> int:
    """Transport slots that units take."""
    return sum(unit.count * unit.slots for unit in units)


CHECKS = (capacity, own_formation, whole_formations)
