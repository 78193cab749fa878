"""The Celery application; `celery -A armybuilder.celery worker` runs queued work when REDIS_URL is set."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from celery import Celery
from django.core.exceptions import ImproperlyConfigured

from armybuilder import figure_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

if "worker" in sys.argv[1:] and "celery" in Path(sys.argv[0]).parts[-2:]:
    # Before anything that counts is imported; settings that cannot be are told when the worker starts.
    with suppress(ImproperlyConfigured, OSError):
        figure_folder.join()

app = Celery("armybuilder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["armybuilder.simulations", "armybuilder.webhooks"], related_name="worker_sweep")
app.autodiscover_tasks(["armybuilder.operations"], related_name="worker_start")
