"""The scopes of tokens in the description: read off each view as the permission reads them, and the way of OAuth."""

from typing import Any

from django.urls import reverse
from drf_spectacular.openapi import AutoSchema

from api import permissions
from armybuilder.accounts.oauth_scopes import Scopes

Schema = dict[str, Any]

TOKEN, OAUTH = "apiToken", "oauth2"
"""Names of the ways to sign in that have scopes."""

SCOPES = "x-scopes"
"""Member of an operation: scopes of which a token needs one."""


class ScopedSchema(AutoSchema):
    """An operation that names the scopes which its permission asks for; any one of them is enough.

    OpenAPI knows scopes of OAuth alone, and several in one requirement would be needed all: each is an alternative of
    its own. A program is offered those only that it can be given; `x-scopes` has those of every token.
    """

    def get_operation(self, path: str, *args: Any, **kwargs: Any) -> Schema | None:
        """The operation, as the generator wants it."""
        operation: Schema | None = super().get_operation(path, *args, **kwargs)
        if operation and "security" in operation:
            enough = permissions.enough_for(self.view, self.method, path)
            given = Scopes().get_all_scopes()
            by_program = [{OAUTH: [scope.value]} for scope in enough if scope in given] if enough else [{OAUTH: []}]
            ways = operation["security"]
            after = [TOKEN in way for way in ways].index(True) + 1
            operation["security"] = [*ways[:after], *by_program, *ways[after:]]
            if enough:
                operation[SCOPES] = [scope.value for scope in enough]
                words = " or ".join(f"`{scope.value}`" for scope in enough)
                operation["description"] += f"\n\nScope of a token: {words}."
        return operation


def asks_for_one(operation: Schema) -> bool:
    """Whether a token may lack what the operation asks for."""
    return SCOPES in operation


def describe_oauth(result: Schema) -> None:
    """Add to a whole description how a program gets a token from a user (authorization code with PKCE)."""
    token = reverse("oauth2_provider:token")
    result["components"]["securitySchemes"][OAUTH] = {
        "type": "oauth2",
        "description": "OAuth 2.1: authorization code with PKCE (S256). Programs are registered under "
        f"{reverse('web:programs')}.",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": reverse("oauth2_provider:authorize"),
                "tokenUrl": token,
                "refreshUrl": token,
                "scopes": {str(scope): str(words) for scope, words in Scopes().get_all_scopes().items()},
            }
        },
    }
