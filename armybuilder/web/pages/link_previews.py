"""What chats and other sites show of a shared list: a title, a line, a picture, and a frame."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.armylists.models import ArmyList, VerdictChoice
from armybuilder.armylists.share_links import share_url
from armybuilder.web.formatting import points

WIDTH, HEIGHT = 700, 800
"""Of a frame, in pixels, where nothing else is asked for."""
NARROWEST = 280


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """A shared list in a chat.

    Attributes:
        url, picture, frame, oembed: whole addresses of the page, its picture, the frame and the answer for sites.
    """

    title: str
    description: str
    url: str
    picture: str
    frame: str
    oembed: str


def link_preview(army_list: ArmyList, token: str, *, site: str) -> LinkPreview:
    """The preview of a list that has been checked."""
    url = share_url(token, site=site)
    address = site.rstrip("/")
    total = "" if army_list.points is None else _("%(n)s pts") % {"n": points(army_list.points)}
    verdict = str(VerdictChoice(army_list.verdict).label)
    if army_list.verdict == VerdictChoice.LEGAL and army_list.unchecked_parts:
        verdict = _("legal as far as it was checked")
    words = [str(army_list.system.label), army_list.factions, _("Verdict: %(verdict)s") % {"verdict": verdict}]
    query = f"?language={get_language() or 'en'}&state={army_list.revision}"
    return LinkPreview(
        title=f"{army_list.name} – {total}" if total else army_list.name,
        description=" · ".join(word for word in words if word),
        url=url,
        picture=f"{address}{reverse('web:shared-preview', args=[token])}{query}",
        frame=f"{address}{reverse('web:shared-embed', args=[token])}",
        oembed=f"{address}{reverse('web:oembed')}?url={url}",
    )


def oembed_answer(preview: LinkPreview, sides: tuple[int | None, int | None]) -> dict[str, Any]:
    """The answer of oEmbed 1.0: a frame no larger than was asked for.

    Args:
        sides: the largest width and height in pixels; None for any.
    """
    width = max(NARROWEST, min(WIDTH, sides[0] or WIDTH))
    height = max(NARROWEST, min(HEIGHT, sides[1] or HEIGHT))
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": _("Army Builder"),
        "title": preview.title,
        "thumbnail_url": preview.picture,
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
        "width": width,
        "height": height,
        "html": format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" sandbox="allow-popups"></iframe>',
            preview.frame,
            width,
            height,
            preview.title,
        ),
    }
