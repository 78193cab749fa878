"""The Celery application; `celery -A armybuilder.celery worker` runs queued work when REDIS_URL is set."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

app = Celery("armybuilder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["armybuilder.simulations", "armybuilder.webhooks"], related_name="worker_sweep")
app.autodiscover_tasks(["armybuilder.operations"], related_name="worker_start")
