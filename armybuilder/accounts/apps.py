"""The accounts app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Users and their API tokens."""

    name = "armybuilder.accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Have sign-ins noted; models are loaded by now."""
        from armybuilder.accounts.browser_sessions import note_sign_ins  # noqa: PLC0415 - it has models

        note_sign_ins()
