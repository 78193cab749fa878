"""What the frame of a page shows of whoever asks: all of it, so that a page can be kept for exactly those it is for."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from armybuilder.web.viewers import mark_of, viewer_of

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of one page, besides its language.

    Attributes:
        address: path and query, to which the choice of a language leads back.
        theme: of THEMES; `auto` follows the device.
        whose: the mark of whoever the page is made for; empty where nobody asks.
        user_name: empty for whoever is not signed in.
    """

    address: str = ""
    theme: str = "auto"
    whose: str = ""
    user_name: str = ""

    @property
    def section(self) -> str:
        """The first part of the path."""
        return self.address.split("?", 1)[0].split("/", 2)[1] if self.address else ""

    @property
    def next_theme(self) -> str:
        """The theme that the switch leads to."""
        return THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)]


def theme_of(request: HttpRequest) -> str:
    """The theme a visitor chose: a cookie says so, and the database need not be there."""
    chosen = request.COOKIES.get("theme", "auto")
    return chosen if chosen in THEMES else "auto"


def frame_of(request: HttpRequest) -> Frame:
    """The frame of the page that answers a request; one that came no further than its headers is nobody's."""
    user = getattr(request, "user", None)
    return Frame(
        address=request.get_full_path(),
        theme=theme_of(request),
        whose=mark_of(viewer_of(request)) if user is not None else "",
        user_name=user.get_username() if user is not None and user.is_authenticated else "",
    )


def frame(request: HttpRequest) -> dict[str, Any]:
    """For every template: the frame, made when the first of them asks."""
    return {"frame": SimpleLazyObject(lambda: frame_of(request))}
