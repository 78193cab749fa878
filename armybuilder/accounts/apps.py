"""The accounts app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users and their API tokens."""

    name = "armybuilder.accounts"
    verbose_name = _("Accounts")
