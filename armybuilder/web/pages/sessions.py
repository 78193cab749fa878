"""The browsers a user is signed in with, as their page shows them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from armybuilder.accounts.models import BrowserSession

_BROWSERS = (
    ("YaBrowser/", "Yandex Browser"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("OPR/", "Opera"),
    ("Edg", "Edge"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""What a browser calls itself, those first that call themselves others too."""

_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One of them.

    Attributes:
        address: where the sign-in came from; empty when that is not known.
        is_this: whether it is the one that asks.
    """

    id: UUID
    browser: str
    address: str
    begun: datetime
    seen: datetime
    is_this: bool


def session_row(session: BrowserSession, *, this: UUID | None) -> SessionRow:
    """A session as it is shown. `this` is the id of the one that asks."""
    return SessionRow(
        id=session.pk,
        browser=browser_name(session.browser),
        address=session.address or "",
        begun=session.begun,
        seen=session.seen,
        is_this=session.pk == this,
    )


def browser_name(told: str) -> str:
    """What a browser and its system are called, as far as that is known; else how it calls itself."""
    browser, system = (next((name for mark, name in names if mark in told), "") for names in (_BROWSERS, _SYSTEMS))
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or told[:LONGEST_NAME] or _("unknown browser")
