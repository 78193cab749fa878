"""Writes to simulations: asking, cancelling, claiming a guest's runs at sign-up."""

from uuid import UUID

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.simulations.models import SimulationRun


def request_simulation(viewer: Viewer, request: object) -> SimulationRun:
    """Ask for a simulation; a question that was answered before is answered at once.

    Args:
        request: parsed JSON. A matchup document (`system` and a `kind` of that game), or
            `{"kind": "matrix", "attacker": REF, "defender": REF, "conditions": {...}}`, or
            `{"kind": "pair", "attacker": REF, "defender": REF, "attacker_unit": id,
            "defender_unit": id, "conditions": {...}}`;
            REF is `{"list": uuid}` (one's own) or `{"share": token or address}`.

    Raises:
        BadDocument: the request cannot be read.
        LimitExceeded: larger than the service computes, or too many unfinished runs of this viewer.
        NotFound: a list or unit the viewer may not see.
    """
    raise NotImplementedError


def cancel(viewer: Viewer, run_id: UUID) -> SimulationRun:
    """Give up a run; the work stops when nobody else waits for it. A finished run stays as it is."""
    raise NotImplementedError


def claim_guest_runs(user: User, guest_key: UUID) -> int:
    """Give a guest's runs to the account he has signed up for; how many there were."""
    raise NotImplementedError
