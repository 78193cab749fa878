"""Users, and the tokens their programs sign in with."""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar
from uuid import uuid4

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armybuilder.accounts.scopes import Scope, written

BROWSER_LENGTH = 250
"""Letters of a browser's own name that are kept."""


class PlayerManager(UserManager["User"]):
    """Finds users whatever the case their name is typed in."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of that name, upper and lower case being the same."""
        return self.get(username__iexact=username)


class User(AbstractUser):
    """A player or an administrator (`is_staff`). The e-mail address is optional.

    Attributes:
        sessions_ended: how often all other browsers were signed out; a session of before counts no longer.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    sessions_ended = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="username_in_any_case",
                violation_error_message=_("A user of that name already exists."),
            )
        ]

    def get_session_auth_hash(self) -> str:
        """What a session must hold to count: another one with every password and every time that others were ended."""
        return self._of_this_time(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """The same by older secret keys."""
        yield from map(self._of_this_time, super().get_session_auth_fallback_hash())

    def _of_this_time(self, told: str) -> str:
        return f"{told}.{self.sessions_ended}" if self.sessions_ended else told


class ApiToken(models.Model):
    """What a program shows instead of a password; only its hash is stored, so it can be shown once.

    Attributes:
        list_id: the only list that it opens; None opens all of its user's.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens", verbose_name=_("user"))
    name = models.CharField(_("name"), max_length=80, help_text=_("What the token is for."))
    prefix = models.CharField(_("begins with"), max_length=12)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.CharField(_("scopes"), max_length=120, help_text=_("Separated by blanks."))
    list_id = models.UUIDField(_("only this list"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def granted(self) -> tuple[Scope, ...]:
        """What the token allows."""
        return written(self.scopes)

    def is_valid_at(self, moment: datetime) -> bool:
        """Whether the token is neither revoked nor expired at that time."""
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)


class Guest(models.Model):
    """A browser without an account that something may be kept for.

    Attributes:
        key: what its things hang on; the browser holds it signed.
    """

    key = models.UUIDField(primary_key=True, editable=False)
    seen = models.DateTimeField(_("seen"), db_index=True)

    class Meta:
        verbose_name = _("guest")
        verbose_name_plural = _("guests")

    def __str__(self) -> str:
        return str(self.key)


class BrowserSession(models.Model):
    """A browser that a user is or was signed in with (`browser_sessions`).

    Attributes:
        session_key: the key of the session at present; a session that is gone has none.
        proof: of the password, and of the times that others were ended, that it was opened with.
        browser: as the browser calls itself.
        address: where the sign-in came from, if that could be told.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="browser_sessions")
    session_key = models.CharField(max_length=40, unique=True, editable=False)
    proof = models.CharField(max_length=32, editable=False)
    browser = models.CharField(max_length=BROWSER_LENGTH, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    begun = models.DateTimeField()
    seen = models.DateTimeField()

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")

    def __str__(self) -> str:
        return self.browser


class RepeatedRequest(models.Model):
    """A request with a key of its sender's, and the answer that a repeat is given; kept for a day."""

    sender = models.CharField(max_length=60)
    key = models.CharField(max_length=100)
    asked = models.CharField(max_length=64, help_text=_("Hash of the request."))
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("repeated request")
        verbose_name_plural = _("repeated requests")
        constraints = [models.UniqueConstraint(fields=["sender", "key"], name="key_once_a_sender")]

    def __str__(self) -> str:
        return self.key
