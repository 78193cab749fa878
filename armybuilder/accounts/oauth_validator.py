"""What django-oauth-toolkit asks of the site: what a program may be given, and until when."""

from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone
from oauth2_provider.models import RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request
from oauthlib.oauth2 import InvalidGrantError

from armybuilder.accounts.backends import security

LONGEST_LIFE = timedelta(days=365)
"""So long after a user allowed a program its last token is refreshed; then it asks him again (ASVS 10.4.8)."""

_FAMILIES = UUID("8f0d6a52-6c0e-4f0b-9a39-3c1f2d1f6f7e")


class Validator(OAuth2Validator):
    """Codes and refreshing, and no other way to a token.

    Tokens that come of a code make a family whose name follows from the code: the code itself is forgotten when it has
    been used, and one that comes again still finds what it gave (RFC 6749, 4.1.2).
    """

    def validate_grant_type(self, client_id: str, grant_type: str, *args: Any, **kwargs: Any) -> bool:
        """Whether a way to a token is open."""
        if grant_type not in ("authorization_code", "refresh_token"):
            return False
        return bool(super().validate_grant_type(client_id, grant_type, *args, **kwargs))

    def validate_code(self, client_id: str, code: str, *args: Any, **kwargs: Any) -> bool:
        """Whether a code is good; all tokens of one that was used before are revoked: somebody else has it as well."""
        if super().validate_code(client_id, code, *args, **kwargs):
            return True
        _revoke_what_came_of(client_id, code)
        return False

    def invalidate_authorization_code(self, client_id: str, code: str, *args: Any, **kwargs: Any) -> None:
        """Forget a code that has given its tokens; of two who sent it at the same moment neither keeps any."""
        try:
            super().invalidate_authorization_code(client_id, code, *args, **kwargs)
        except InvalidGrantError:
            _revoke_what_came_of(client_id, code)
            raise

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Request, *args: Any, **kw: Any) -> bool:
        """Whether a token may be refreshed, which ends with its family's life."""
        if not super().validate_refresh_token(refresh_token, client, request, *args, **kw):
            return False
        known: RefreshToken = request.refresh_token_instance
        if known.created + LONGEST_LIFE > timezone.now():
            return True
        RefreshToken.revoke_family(known.token_family)
        return False

    def _save_bearer_token(self, token: dict[str, Any], request: Request, *args: Any, **kwargs: Any) -> None:
        """Store tokens, in the family of their code; a refreshed one is as old as its family."""
        before: RefreshToken | None = getattr(request, "refresh_token_instance", None)
        super()._save_bearer_token(token, request, *args, **kwargs)
        given = RefreshToken.objects.filter(token_checksum=sha256(token["refresh_token"].encode()).hexdigest())
        if before is not None:
            given.update(created=before.created)
        else:
            given.update(token_family=_family(request.client_id, request.code))


def _family(client_id: str, code: str) -> UUID:
    return uuid5(_FAMILIES, f"{client_id} {code}")


def _revoke_what_came_of(client_id: str, code: str) -> None:
    family = _family(client_id, code)
    if RefreshToken.objects.filter(token_family=family, revoked=None).exists():
        RefreshToken.revoke_family(family)
        security.warning("code of a program came twice program=%s", client_id)
