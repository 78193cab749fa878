"""Reads of simulations: a run with its progress and result, for whoever asked for it."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from armybuilder.accounts.viewers import Viewer
from armybuilder.simulations.models import SimulationRun


def visible_run(run_id: UUID, viewer: Viewer) -> SimulationRun:
    """A run of the viewer's, with its computation. Raises NotFound for everybody else's."""
    raise NotImplementedError


def runs_of(viewer: Viewer) -> QuerySet[SimulationRun]:
    """The viewer's runs, newest first, without their results."""
    raise NotImplementedError


def progress_of(run: SimulationRun) -> float:
    """Share of the work done, 0 to 1."""
    raise NotImplementedError


def is_waiting_for_queue(run: SimulationRun) -> bool:
    """Whether the run is kept because the queue is away; a sweep sends it when the queue is back."""
    raise NotImplementedError


def result_of(run: SimulationRun) -> Any:
    """The result as parsed JSON; None until the run is done."""
    raise NotImplementedError
