"""The HTML door as a Django app, so that its template tags, texts and static files are found."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebConfig(AppConfig):
    """Pages and fragments; no models."""

    name = "armybuilder.web"
    verbose_name = _("Web site")
