"""Who rides in what when a player only says that a formation is aboard: each unit gets a place that takes it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import networkx
from msgspec.structs import replace

from armybuilder.engine.systems.epic.army import Unit

Seats = dict[tuple[str, str], int]
"""How many of a rider sit in a carrier, by the ids of both."""

MOST_IN_ADDITION = 100
"""Units that a carrier takes besides those its places are for."""

MOST_WAYS = 2000
"""Ways of seating the large units that are tried; real formations have a few dozen."""


def board(riders: Sequence[Unit], carriers: Sequence[Unit], *, taken: Mapping[str, int]) -> tuple[Unit, ...]:
    """The riders with `embarked_in`, split where they ride in different carriers.

    Whoever finds no place rides in the first carrier all the same: the check of its capacity says so.

    Args:
        taken: places already used, by the carrier's id.
    """
    seats = _seated(riders, carriers, _room(carriers, taken))
    return tuple(
        part
        for rider in riders
        for part in _split(
            rider, {carrier_id: number for (own, carrier_id), number in seats.items() if own == rider.id}, carriers
        )
    )


def riding(units: Sequence[Unit]) -> dict[str, int]:
    """How many of each unit of a formation, by its id, ride when it mounts its own transports."""
    carriers = [unit for unit in units if unit.transport is not None and unit.transport.slots is not None]
    riders = [unit for unit in units if unit not in carriers and any(_takes(carrier, unit) for carrier in carriers)]
    found: dict[str, int] = {}
    for (rider_id, _), number in _seated(riders, carriers, _room(carriers, {})).items():
        found[rider_id] = found.get(rider_id, 0) + number
    return found


def fits(riders: Sequence[Unit], carriers: Sequence[Unit]) -> bool:
    """Whether some way of boarding finds a place for everybody."""
    seats = _seated(riders, carriers, _room(carriers, {}))
    return sum(seats.values()) == sum(rider.count for rider in riders)


def _room(carriers: Sequence[Unit], taken: Mapping[str, int]) -> dict[str, int]:
    return {
        carrier.id: carrier.count * (carrier.transport.slots or 0) - taken.get(carrier.id, 0)
        for carrier in carriers
        if carrier.transport is not None
    }


def _seated(riders: Sequence[Unit], carriers: Sequence[Unit], room: Mapping[str, int]) -> Seats:
    """The seating that leaves the fewest standing.

    Units of one size are a maximum flow from riders to the carriers that take them. Where sizes differ, every way of
    seating the largest is tried, and the rest is seated around them.
    """
    sizes = sorted({rider.slots for rider in riders if rider.count}, reverse=True)
    if not sizes:
        return {}
    largest = [rider for rider in riders if rider.slots == sizes[0]]
    rest = [rider for rider in riders if rider.slots < sizes[0]]
    if not rest:
        return _flow(largest, carriers, room)
    best: Seats = {}
    everybody = sum(rider.count for rider in riders)
    for seats in islice(_ways(largest, carriers, dict(room)), MOST_WAYS):
        left = dict(room)
        for (_, carrier_id), number in seats.items():
            left[carrier_id] -= number * sizes[0]
        whole = seats | _seated(rest, carriers, left)
        if sum(whole.values()) > sum(best.values()) or not best:
            best = whole
        if sum(whole.values()) == everybody:
            break
    return best


def _ways(riders: Sequence[Unit], carriers: Sequence[Unit], room: dict[str, int]) -> Iterator[Seats]:
    """Every way of seating riders of one size, as many as possible first."""
    open_pairs = [(rider, carrier) for rider in riders for carrier in carriers if _takes(carrier, rider)]

    def seat(index: int, standing: dict[str, int], places: dict[str, int]) -> Iterator[Seats]:
        if index == len(open_pairs):
            yield {}
            return
        rider, carrier = open_pairs[index]
        most = min(standing[rider.id], _places(carrier, rider.slots, places[carrier.id]))
        for number in range(most, -1, -1):
            rest = seat(
                index + 1,
                standing | {rider.id: standing[rider.id] - number},
                places | {carrier.id: places[carrier.id] - number * rider.slots},
            )
            for seats in rest:
                yield {(rider.id, carrier.id): number} | seats if number else seats

    yield from seat(0, {rider.id: rider.count for rider in riders}, room)


def _flow(riders: Sequence[Unit], carriers: Sequence[Unit], room: Mapping[str, int]) -> Seats:
    """As many riders of one size as find a seat."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(("source", "sink"))
    for carrier in carriers:
        for rider in riders:
            if _takes(carrier, rider):
                graph.add_edge(("rider", rider.id), ("carrier", carrier.id))
                places = _places(carrier, rider.slots, room[carrier.id])
                graph.add_edge(("carrier", carrier.id), "sink", capacity=places)
    for rider in riders:
        graph.add_edge("source", ("rider", rider.id), capacity=rider.count)
    _, flow = networkx.maximum_flow(graph, "source", "sink")
    return {
        (rider.id, name): number
        for rider in riders
        for (_, name), number in flow[("rider", rider.id)].items()
        if number
    }


def _takes(carrier: Unit, rider: Unit) -> bool:
    return carrier.transport is not None and carrier.transport.takes(rider)


def _places(carrier: Unit, size: int, room: int) -> int:
    """How many units of a size sit in carriers with that much room: none is divided between two of them."""
    if not size:
        return carrier.count * MOST_IN_ADDITION
    each = ((carrier.transport.slots if carrier.transport else None) or 0) // size
    return max(0, min(carrier.count * each, room // size))


def _split(rider: Unit, places: Mapping[str, int], carriers: Sequence[Unit]) -> list[Unit]:
    left = rider.count - sum(places.values())
    shares = dict(places)
    if left and carriers:
        shares[carriers[0].id] = shares.get(carriers[0].id, 0) + left
    if not shares:
        return [rider]
    return [
        replace(rider, id=rider.id if not index else f"{rider.id}:{carrier_id}", count=number, embarked_in=carrier_id)
        for index, (carrier_id, number) in enumerate(shares.items())
    ]
