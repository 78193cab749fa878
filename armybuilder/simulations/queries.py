"""Reads of simulations: a run with its progress and result, for whoever asked for it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Avg, Q, QuerySet, Sum
from django.utils import timezone

from armybuilder.accounts.queries import owned_by
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.share_links import is_token
from armybuilder.simulations.models import Chunk, RunKind, RunState, SimulationRun

WAITING_SECONDS = 10
"""A run that no worker has touched for this long is said to be waiting for the queue."""


def visible_run(run_id: UUID, viewer: Viewer) -> SimulationRun:
    """A run of the viewer's, with its computation.

    Who may view runs in the admin sees all; a run asked for by nobody the site knows is open to whoever has its
    address.

    Raises:
        NotFound: there is none, or it is somebody else's.
    """
    visible = Q() if viewer.may("simulations.view_simulationrun") else _open_to(viewer)
    return _one(SimulationRun.objects.filter(visible, pk=run_id))


def cancellable_run(run_id: UUID, viewer: Viewer) -> SimulationRun:
    """A run the viewer may give up: as `visible_run`, but of others' only with the permission to change runs.

    Raises:
        NotFound: there is none, or it is somebody else's.
    """
    visible = Q() if viewer.may("simulations.change_simulationrun") else _open_to(viewer)
    return _one(SimulationRun.objects.filter(visible, pk=run_id))


def _one(runs: QuerySet[SimulationRun]) -> SimulationRun:
    run = runs.select_related("computation").first()
    if run is None:
        raise NotFound("There is no such simulation, or it is somebody else's.")
    return run


def shared_run(token: str) -> SimulationRun:
    """A run by the token of its link, for whoever has it. Raises NotFound."""
    if not is_token(token):
        raise NotFound("There is no such simulation, or its link was taken back.")
    return _one(SimulationRun.objects.filter(share_token=token, cancelled__isnull=True))


def run_of_signed_address(run_id: UUID) -> SimulationRun:
    """A run whose address was signed by the site, for whoever has that address. Raises NotFound."""
    run = SimulationRun.objects.filter(pk=run_id).select_related("computation").first()
    if run is None:
        raise NotFound("There is no such simulation any more.")
    return run


def runs_of(viewer: Viewer) -> QuerySet[SimulationRun]:
    """The viewer's runs, newest first, without their requests and results."""
    runs = SimulationRun.objects.filter(owned_by(viewer)).select_related("computation")
    return runs.defer("computation__result", "computation__request")


def last_upgrade_of(viewer: Viewer, system: str) -> SimulationRun | None:
    """The viewer's newest question of what an option buys, of a rule pack."""
    asked = runs_of(viewer).filter(computation__kind=RunKind.UPGRADE)
    return asked.filter(computation__request__contains=f'"system":"{system}"').first()


def progress_of(run: SimulationRun) -> float:
    """Share of the work done, 0 to 1."""
    if run.computation.state == RunState.DONE:
        return 1.0
    share = Chunk.objects.filter(computation=run.computation_id).aggregate(share=Avg("progress"))["share"]
    return share or 0.0


def attempts_of(run: SimulationRun) -> int:
    """How often a worker began a piece of it; more than its chunks means that a worker was lost or gave back."""
    total = Chunk.objects.filter(computation=run.computation_id).aggregate(total=Sum("attempts"))["total"]
    return total or 0


def is_waiting_for_queue(run: SimulationRun) -> bool:
    """Whether the run is kept because the queue is away; a sweep sends it when the queue is back."""
    computation = run.computation
    if run.state != RunState.QUEUED:
        return False
    return computation.sent is None or computation.sent < timezone.now() - timedelta(seconds=WAITING_SECONDS)


def result_of(run: SimulationRun) -> Any:
    """The result as parsed JSON, with the `id` of the document that was asked; None until the run is done."""
    if run.state != RunState.DONE:
        return None
    result = msgspec.json.decode(run.computation.result)
    asked = msgspec.json.decode(run.asked)
    return {"id": asked["id"], **result} if asked.get("id") is not None else result


def _open_to(viewer: Viewer) -> Q:
    """The viewer's runs, and those that nobody the site knows has asked."""
    return owned_by(viewer) | Q(owner__isnull=True, guest_key__isnull=True)
