"""Numbers and words as the language of the page writes them, for Python and, as filters, for templates."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext

from armybuilder.reference.names import russian

_NBSP = "\u00a0"
_TORN = re.compile(r"(?<=\d) (?=\d{3}(?!\d)|%)")  # a number written with spaces, or its percent sign


def points(value: Any) -> str:
    """A price or total with thousands separated: 1,250 in English, 1 250 in Russian; never a needless fraction."""
    if value is None or value == "":
        return "–"
    number = Decimal(str(value))
    text = f"{number:,.0f}" if number == number.to_integral_value() else f"{number.normalize():,f}"
    if russian():
        text = text.replace(",", _NBSP).replace(".", ",")
    return text.replace("-", "−")


def decimal(value: Any, places: int = 1) -> str:
    """A rounded figure with its decimals, as the language writes them."""
    if value is None:
        return "–"
    text = f"{float(value):,.{places}f}"
    if russian():
        text = text.replace(",", _NBSP).replace(".", ",")
    return text.replace("-", "−")


def percent(chance: Any) -> str:
    """A chance as a percentage; what is neither 0 nor 1 never reads as 0 % or 100 %."""
    if chance is None:
        return "–"
    share = float(chance)
    gap = _NBSP if russian() else ""
    if 0 < share < 0.005:
        return f"<1{gap}%"
    if 0.995 < share < 1 - 1e-12:
        return f">99{gap}%"
    return f"{share * 100:.0f}{gap}%"


def percent_fine(chance: Any) -> str:
    """A chance to a tenth of a percent, for tables."""
    gap = _NBSP if russian() else ""
    share = float(chance)
    if 0 < share < 0.0005:
        return f"<{decimal(0.1)}{gap}%"
    return f"{decimal(share * 100)}{gap}%"


def signed_points(value: Any) -> str:
    """A difference in points with its sign."""
    return f"+{points(value)}" if value > 0 else points(value)


def localized(text: Any) -> str:
    """A bilingual text (`en`, `ru`) in the language of the page; plain text as it is."""
    if text is None:
        return ""
    words = text if isinstance(text, str) else text.ru if russian() else text.en
    return _TORN.sub(_NBSP, words)


def level_effects(level: Any) -> str:
    """What a level of alliance means, in the language of the page."""
    return (level.effects_ru if russian() else "") or level.effects


def own_name(item: Any) -> str:
    """The name of a stored item (`name`, `name_ru`) in the language of the page."""
    return (item.get("name_ru") if russian() else "") or item["name"]


def time_zone() -> str:
    """The zone of the times on pages, as people write it: UTC, Europe/Berlin, America/New York."""
    return settings.TIME_ZONE.replace("_", " ")


def moment(when: datetime) -> SafeString:
    """A moment that players elsewhere must understand: date, time and its zone; `moments.js` adds the reader's own."""
    here = localtime(when)
    told = f"{date_format(here, 'j E Y, H:i')} ({time_zone()})"
    return format_html(
        '<time datetime="{}" data-here="{}">{}</time>', here.isoformat(), gettext("%s by your clock"), told
    )
