"""Charts of finished runs by address: which a run has, and the signature that opens one of them to whoever has it.

They are drawn where pages are; here stands what pages and API both tell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.signing import Signer
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from armybuilder.simulations.matrices import DIRECTIONS
from armybuilder.simulations.models import RunKind, SimulationRun

AT_LEAST = "-at-least"
"""End of the name of a curve of chances to reach each value."""

OF_A_BATTLE = ("outcomes", "timeline", "survival")
OF_A_DOCUMENT = "answer"
OF_A_MATRIX = ("slain", "points", "return", "chance", "broken")
"""What a matrix can be shaded by; the last where units of its game break."""

DRAWN = ("hull_points_lost", "dc_lost", "models_slain", "units_destroyed", "unsaved_wounds")
"""Distributions of which bars are drawn: of an attack, the first that it has."""

_signer = Signer(salt="pictures of simulations")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where one chart is found as a picture."""

    png: str
    svg: str


def addresses_of(run: SimulationRun, name: str, language: str) -> Addresses:
    """The addresses of a chart of a finished run.

    Args:
        language: of its words, `en` or `ru`.
    """
    png, svg = (
        reverse("web:picture", args=[run.pk, _signature(run, name), language, f"{name}.{kind}"])
        for kind in ("png", "svg")
    )
    return Addresses(png, svg)


def charts_of(run: SimulationRun, result: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the charts that a finished run has."""
    return tuple(_charts(run.kind, result))


def is_signed(run_id: UUID, name: str, signature: str) -> bool:
    """Whether this address was given by us for this chart, and is still good."""
    day, _, _ = signature.partition("-")
    if not day.isdecimal() or not constant_time_compare(signature, _signed(run_id, name, day)):
        return False
    return date.fromordinal(min(int(day), date.max.toordinal())) >= timezone.now().date()


def _charts(kind: str, result: Mapping[str, Any]) -> Iterator[str]:
    if kind == RunKind.BATTLE:
        yield from OF_A_BATTLE
    elif kind == RunKind.MATRIX:
        for way in DIRECTIONS:
            breaks = any(cell.get("p_broken") is not None for row in result[way] for cell in row)
            yield from (f"{way}-{measure}" for measure in OF_A_MATRIX if measure != "broken" or breaks)
    elif kind == RunKind.PAIR:
        for way in DIRECTIONS:
            for attack, answer in result[way].items():
                yield from _of_an_attack(f"{way}-{attack}", answer)
    elif kind == RunKind.MATCHUP:
        yield from _of_an_attack(OF_A_DOCUMENT, result)


def _of_an_attack(name: str, answer: Mapping[str, Any]) -> Iterator[str]:
    if any(one in DRAWN for one in answer.get("distributions") or ()):
        yield from (name, f"{name}{AT_LEAST}")


def _signature(run: SimulationRun, name: str) -> str:
    """The same for every reader, so that a chart has one address: its last day follows from the run's first."""
    return _signed(run.pk, name, str((run.created.date() + timedelta(days=settings.CHART_DAYS)).toordinal()))


def _signed(run_id: UUID, name: str, day: str) -> str:
    return f"{day}-{_signer.signature(f'{run_id}/{name}/{day}')}"
