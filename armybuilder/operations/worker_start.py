"""A Celery worker refuses the settings that a web process refuses."""

from typing import Any

from celery.signals import celeryd_init
from django.core.exceptions import ImproperlyConfigured

from armybuilder.operations.safety import refuse_unsafe_settings


@celeryd_init.connect
def _refuse_unsafe_settings(**_: Any) -> None:
    """Before it takes work, and with the words alone: a signal's exceptions would be logged and forgotten."""
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None
