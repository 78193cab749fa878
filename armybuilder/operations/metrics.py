"""Figures for Prometheus: what processes counted (`figures`), and what the database tells of queue and sizes."""

import hmac
import os
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client import REGISTRY as OF_THIS_PROCESS
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from armybuilder.operations import backups, health


class StoredFigures(Collector):
    """Queue and health, asked when somebody looks; without a database only that it is away."""

    def collect(self) -> Iterator[Metric]:
        """The figures of this moment."""
        up = GaugeMetricFamily("armybuilder_up", "Whether a part is as it should be.", labels=["part"])
        for state in [*health.states(), *health.replica()]:
            up.add_metric([state.name], float(state.is_well))
        yield up
        try:
            queue = health.queue()
        except DatabaseError:
            return
        yield GaugeMetricFamily("armybuilder_queue_waiting", "Pieces that wait for a worker.", value=queue.waiting)
        yield GaugeMetricFamily("armybuilder_queue_running", "Pieces in the hands of workers.", value=queue.running)
        yield GaugeMetricFamily(
            "armybuilder_queue_oldest_seconds", "How long the oldest of them waits.", value=queue.oldest_seconds
        )
        for newest in backups.kept()[:1]:
            yield GaugeMetricFamily(
                "armybuilder_last_backup_timestamp_seconds",
                "When the last backup was made.",
                value=newest.made.timestamp(),
            )


def may_look(request: HttpRequest) -> bool:
    """Whether the request knows METRICS_TOKEN; without one nobody may."""
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(
        request.META.get("HTTP_AUTHORIZATION", "").encode(), wanted.encode()
    )


def answer() -> HttpResponse:
    """All figures in the text format of Prometheus."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)
        counted = generate_latest(registry)
    else:
        counted = generate_latest(OF_THIS_PROCESS)
    stored = CollectorRegistry()
    stored.register(StoredFigures())
    return HttpResponse(counted + generate_latest(stored), content_type=CONTENT_TYPE_LATEST)
