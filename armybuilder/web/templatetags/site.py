"""Tags and filters of every page: icons, the theme, the current place, and numbers as each language writes them."""

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop

from armybuilder.web.rendered import fragment

register = template.Library()

THEMES = ("auto", "light", "dark")
OF_THE_DATA = frozenset({"game data", "army list"})
"""What the engine gives as the source of a finding of the data, and of rules whose numbers come from it."""

_OTHER_SOURCES = frozenset(
    {
        gettext_noop("convention"),
        gettext_noop("published 6th edition: force organisation"),
        gettext_noop("published 6th edition: allies table"),
    }
)
"""Sources that are no lines of a text."""

SECTIONS = frozenset({"lists", "units", "matchups", "systems"})
"""First parts of addresses that the main navigation marks."""
_NBSP = "\u00a0"
_TORN = re.compile(r"(?<=\d) (?=\d{3}(?!\d)|%)")  # a number written with spaces, or its percent sign
_LINES = re.compile(r"\bL(\d+)")


def russian() -> bool:
    """Whether the page is being written in Russian."""
    return (get_language() or "en").startswith("ru")


@register.simple_tag
def icon(name: str, title: str = "") -> SafeString:
    """An icon from icons.svg; silent to screen readers unless it has a title."""
    address = f"{static('web/icons.svg')}#{name}"
    if title:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"/></svg>', title, address)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"/></svg>', address)


def theme_of(context: Context) -> str:
    """The theme a visitor chose; `auto` follows the device."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "auto") if request else "auto"
    return chosen if chosen in THEMES else "auto"


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The chosen theme, for the root element."""
    return theme_of(context)


@register.simple_tag(takes_context=True)
def theme_switch(context: Context) -> SafeString:
    """The button that leads to the next theme."""
    following = THEMES[(THEMES.index(theme_of(context)) + 1) % len(THEMES)]
    label = {
        "light": gettext("Switch to the light theme"),
        "dark": gettext("Switch to the dark theme"),
        "auto": gettext("Follow the device's theme"),
    }[following]
    return fragment("site/_theme.html", following, {"next": following, "label": label})


@register.simple_tag(takes_context=True)
def site_part(context: Context, name: str) -> SafeString:
    """A part of the frame, `site/_<name>.html`, that is the same for every visitor."""
    request = context.get("request")
    section = request.path.split("/", 2)[1] if request and name == "nav" else ""
    return fragment(f"site/_{name}.html", section if section in SECTIONS else "", {"section": section})


@register.filter
def points(value: Any) -> str:
    """A price or total with thousands separated: 1,250 in English, 1 250 in Russian; never a needless fraction."""
    if value is None or value == "":
        return "–"
    number = Decimal(str(value))
    text = f"{number:,.0f}" if number == number.to_integral_value() else f"{number.normalize():,f}"
    if russian():
        text = text.replace(",", _NBSP).replace(".", ",")
    return text.replace("-", "−")


@register.filter
def decimal(value: Any, places: int = 1) -> str:
    """A rounded figure with its decimals, as the language writes them."""
    if value is None:
        return "–"
    text = f"{float(value):,.{places}f}"
    if russian():
        text = text.replace(",", _NBSP).replace(".", ",")
    return text.replace("-", "−")


@register.filter
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


@register.filter
def spoken(text: Any) -> str:
    """A bilingual text (`en`, `ru`) in the language of the page; plain text as it is."""
    if text is None:
        return ""
    words = text if isinstance(text, str) else text.ru if russian() else text.en
    return _TORN.sub(_NBSP, words)


@register.filter
def percent_fine(chance: Any) -> str:
    """A chance to a tenth of a percent, for tables."""
    gap = _NBSP if russian() else ""
    share = float(chance)
    if 0 < share < 0.0005:
        return f"<{decimal(0.1)}{gap}%"
    return f"{decimal(share * 100)}{gap}%"


@register.filter
def unlocalised(value: Any) -> str:
    """A coordinate as SVG reads it, whatever the language."""
    return f"{float(value):g}"


@register.simple_tag
def verdict_label(verdict: Any, unchecked: Any = 0) -> str:
    """A verdict in words; a legal list of which parts are unknown says so."""
    if str(verdict) == "legal":
        return gettext("Legal, parts not checked") if unchecked else gettext("Legal")
    return gettext("Illegal") if str(verdict) == "illegal" else gettext("Not checked")


@register.simple_tag(takes_context=True)
def querystring_with(context: Context, **changes: Any) -> str:
    """The present query with some parameters replaced; None takes one away."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return query.urlencode()


@register.simple_tag
def severity_label(severity: Any) -> str:
    """How bad a finding is, in words."""
    return {"error": gettext("error"), "warning": gettext("warning")}.get(str(severity), gettext("remark"))


@register.filter
def book_lines(source: str) -> str:
    """Lines of the rules text as a reader says them: "L3515-L3526, L182" is "lines 3515–3526, 182", "L9" "line 9"."""
    if source in OF_THE_DATA:
        return gettext("game data")
    if not _LINES.search(source):
        return gettext(source) if source in _OTHER_SOURCES else source
    found = _LINES.sub(r"\1", source).replace("-", "–")
    word = gettext("line") if found.isdecimal() else gettext("lines")
    return f"{word} {found}"


@register.simple_tag
def level_effects(level: Any) -> str:
    """What a level of alliance means, in the language of the page."""
    return (level.effects_ru if russian() else "") or level.effects


@register.simple_tag
def own_name(item: Any) -> str:
    """The name of a stored item (`name`, `name_ru`) in the language of the page."""
    return (item.get("name_ru") if russian() else "") or item["name"]


@register.simple_tag(name="do")
def do_tag(edit: str, **members: Any) -> str:
    """An edit as the value of a button."""
    return urlencode({"edit": edit, **members})


@register.simple_tag
def slot_limits(role: Any) -> str:
    """The slots of a role in short: "1–3", "4", "2+"."""
    if role.maximum is None:
        return f"{role.minimum}+"
    return f"{role.minimum}–{role.maximum}" if role.minimum and role.minimum != role.maximum else str(role.maximum)


@register.filter
def signed_points(value: Any) -> str:
    """A difference in points with its sign."""
    return f"+{points(value)}" if value > 0 else points(value)


@register.filter
def unlocalised_or_empty(value: Any) -> str:
    """A whole number for a number field; empty stays empty."""
    return "" if value in ("", None) else str(int(value))


@register.simple_tag
def run_sign(state: Any) -> str:
    """The sign beside a run: done, failed, or still under way."""
    return {"done": "legal", "failed": "error", "cancelled": "not_checked"}.get(str(state), "info")


@register.simple_tag(takes_context=True)
def list_fragment(context: Context, name: str) -> SafeString:
    """The fragment `armylists/_<name>.html` of the list of this page; nothing in it depends on the visitor."""
    page, oob = context["page"], bool(context.get("oob"))
    key = (page.version, oob, page.focus.node_id if name == "army" else "")
    return fragment(f"armylists/_{name}.html", key, {"page": page, "oob": oob})
