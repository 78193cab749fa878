"""What django-oauth-toolkit asks of the site: which scopes there are."""

from typing import Any

from oauth2_provider.scopes import BaseScopes

from armybuilder.accounts.scopes import READING, Scope


class Scopes(BaseScopes):
    """The scopes of tokens; the account itself is no program's."""

    def get_all_scopes(self) -> dict[str, Any]:
        """Each with its description."""
        return {scope.value: scope.label for scope in Scope if scope is not Scope.ADMIN}

    def get_available_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        """The same for every program."""
        return list(self.get_all_scopes())

    def get_default_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        """What a program gets that asks for nothing: it reads."""
        return [scope.value for scope in READING]
