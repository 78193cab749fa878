"""What django-oauth-toolkit asks of the site: which scopes there are, and what a program may be given."""

from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator
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


class Validator(OAuth2Validator):
    """Codes and refreshing, and no other way to a token."""

    def validate_grant_type(self, client_id: str, grant_type: str, *args: Any, **kwargs: Any) -> bool:
        """Whether a way to a token is open."""
        if grant_type not in ("authorization_code", "refresh_token"):
            return False
        return bool(super().validate_grant_type(client_id, grant_type, *args, **kwargs))
