"""Makes `armybuilder` itself an installed app, so that Django finds its commands."""

from django.apps import AppConfig


class CommandsConfig(AppConfig):
    """The package as the home of management/commands; it has no models."""

    name = "armybuilder"
    label = "armybuilder"
    verbose_name = "Army Builder"
