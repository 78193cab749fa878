"""Who rides in what when a player only says that a formation is aboard: each unit gets a place that takes it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import networkx
from msgspec.structs import replace

from armybuilder.engine.systems.epic.army import Unit


def board(riders: Sequence[Unit], carriers: Sequence[Unit], *, taken: Mapping[str, int]) -> tuple[Unit, ...]:
    """The riders with `embarked_in`, split where they ride in different carriers.

    Units of many places are seated before those of few; within one size the seating is a maximum flow, so nobody is
    left out who could be seated. Whoever finds no place rides in the first carrier all the same: the check of its
    capacity says so.

    Args:
        taken: places already used, by the carrier's id.
    """
    room = {
        carrier.id: carrier.count * (carrier.transport.slots or 0) - taken.get(carrier.id, 0)
        for carrier in carriers
        if carrier.transport is not None
    }
    seats: dict[str, dict[str, int]] = defaultdict(dict)
    for size in sorted({rider.slots for rider in riders}, reverse=True):
        for rider_id, places in _seated([rider for rider in riders if rider.slots == size], carriers, room).items():
            for carrier_id, number in places.items():
                seats[rider_id][carrier_id] = number
                room[carrier_id] -= number * size
    return tuple(part for rider in riders for part in _split(rider, seats[rider.id], carriers))


def _seated(riders: Sequence[Unit], carriers: Sequence[Unit], room: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """How many of each rider sit in each carrier; all riders take the same number of places."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(("source", "sink"))
    size = max(1, riders[0].slots)
    for carrier in carriers:
        if carrier.transport is None or room.get(carrier.id, 0) < size:
            continue
        graph.add_edge(("carrier", carrier.id), "sink", capacity=room[carrier.id] // size)
        for rider in riders:
            if carrier.transport.takes(rider):
                graph.add_edge(("rider", rider.id), ("carrier", carrier.id))
    for rider in riders:
        graph.add_edge("source", ("rider", rider.id), capacity=rider.count)
    _, flow = networkx.maximum_flow(graph, "source", "sink")
    return {
        rider.id: {name: number for (_, name), number in flow[("rider", rider.id)].items() if number}
        for rider in riders
    }


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
