"""The administration, with the second factor before it."""

from django.contrib.admin.apps import AdminConfig
from django.core.checks import Tags, register

from armybuilder.operations.safety import check_settings


class AdministrationConfig(AdminConfig):
    """Django's administration on a site of ours."""

    default_site = "armybuilder.operations.administration.Administration"

    def ready(self) -> None:
        """Have `check --deploy` ask for unsafe settings, too."""
        super().ready()
        register(check_settings, Tags.security, deploy=True)
