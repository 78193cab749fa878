"""The administration, with the second factor before it."""

from django.contrib.admin.apps import SimpleAdminConfig
from django.core.checks import Tags, register

from armybuilder.operations.safety import check_settings


class AdministrationConfig(SimpleAdminConfig):
    """Django's administration on a site of ours, which finds its pages when they are first asked for."""

    default_site = "armybuilder.operations.administration.Administration"

    def ready(self) -> None:
        """Have `check --deploy` ask for unsafe settings, too."""
        super().ready()
        register(check_settings, Tags.security, deploy=True)
