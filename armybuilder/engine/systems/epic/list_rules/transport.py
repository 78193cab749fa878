"""Who rides in what: capacity, own formation, whole formations (EP-15 to EP-17)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.epic.army import Army, Unit
from armybuilder.engine.systems.epic.list_rules.rules import finding


def capacity(army: Army) -> Iterator[Finding]:
    """EP-15: the carrier exists, accepts its load, and has a slot for every part of it."""
    loads: dict[str, list[Unit]] = defaultdict(list)
    for at, _, unit in army.units:
        if unit.embarked_in is None:
            continue
        if unit.embarked_in not in army.by_id:
            yield finding("EP-15", at=f"{at}/embarked_in", carrier=unit.embarked_in, used=slots_of([unit]), capacity=0)
        loads[unit.embarked_in].append(unit)
    for at, _, carrier in army.units:
        load = loads.get(carrier.id)
        if not load:
            continue
        room = carrier.count * ((carrier.transport.slots if carrier.transport else None) or 0)
        refused = carrier.transport is None or not all(carrier.transport.takes(unit) for unit in load)
        if refused or slots_of(load) > room:
            yield finding("EP-15", at=at, carrier=carrier.name, used=slots_of(load), capacity=room)


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
