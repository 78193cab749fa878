"""What django-oauth-toolkit asks of the site: what a program may be given."""

from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator


class Validator(OAuth2Validator):
    """Codes and refreshing, and no other way to a token."""

    def validate_grant_type(self, client_id: str, grant_type: str, *args: Any, **kwargs: Any) -> bool:
        """Whether a way to a token is open."""
        if grant_type not in ("authorization_code", "refresh_token"):
            return False
        return bool(super().validate_grant_type(client_id, grant_type, *args, **kwargs))
