"""Users and tokens in the admin: tokens can be seen and revoked there, never read or made."""

from typing import Any

import oauth2_provider.admin  # noqa: F401 - registers what is taken out again below
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from oauth2_provider.models import AccessToken, Application, Grant, IDToken, RefreshToken

from armybuilder.accounts.models import ApiToken, User

for _of_oauth in (AccessToken, Application, Grant, IDToken, RefreshToken):
    admin.site.unregister(_of_oauth)  # programs are made by users, and their tokens are nobody else's


@admin.register(User)
class PlayerAdmin(UserAdmin):
    """Players and administrators."""

    list_display = ["username", "email", "is_staff", "is_active", "date_joined", "last_login", "valid_tokens"]
    list_filter = ["is_staff", "is_active", "date_joined"]
    search_fields = ["username", "email"]
    date_hierarchy = "date_joined"
    readonly_fields = ["last_login", "date_joined"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Users with the number of their valid tokens."""
        valid = Count("api_tokens", filter=Q(api_tokens__revoked_at=None))
        return super().get_queryset(request).annotate(valid_tokens=valid)

    @admin.display(description=_("API tokens"), ordering="valid_tokens")
    def valid_tokens(self, user: Any) -> int:
        """How many programs may sign in for the user."""
        return int(user.valid_tokens)


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens, which may be revoked in bulk."""

    list_display = ["name", "user", "prefix", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at"]
    list_filter = [("revoked_at", admin.EmptyFieldListFilter), "created_at"]
    list_select_related = ["user"]
    search_fields = ["name", "prefix", "user__username"]
    date_hierarchy = "created_at"
    actions = ["revoke"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody makes tokens for others: the secret would pass through the wrong hands."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ApiToken | None = None) -> bool:
        """Tokens are looked at; the only change is revoking them."""
        return False

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Who may delete a token may revoke it."""
        return self.has_delete_permission(request)

    @admin.action(description=_("Revoke the chosen tokens"), permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        """Make the tokens useless from now on."""
        count = chosen.filter(revoked_at=None).update(revoked_at=timezone.now())
        text = ngettext("%(count)s token revoked.", "%(count)s tokens revoked.", count) % {"count": count}
        self.message_user(request, text, messages.SUCCESS)
