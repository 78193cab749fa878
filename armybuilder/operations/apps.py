"""The administration, with the second factor before it."""

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    """Django's administration on a site of ours."""

    default_site = "armybuilder.operations.administration.Administration"
