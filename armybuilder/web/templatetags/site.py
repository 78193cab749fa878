"""Tags and filters of every page: icons, the theme, the current place, and numbers as each language writes them."""

import re
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, ngettext

from armybuilder.web import documentation
from armybuilder.web.formatting import (
    decimal,
    level_effects,
    localized,
    moment,
    own_name,
    percent,
    percent_fine,
    points,
    signed_points,
)
from armybuilder.web.fragment_cache import fragment
from armybuilder.web.frame import Frame, theme_of

register = template.Library()

for _written in (decimal, localized, moment, percent, percent_fine, points, signed_points):
    register.filter(_written)
for _named in (level_effects, own_name):
    register.simple_tag(_named)

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
_LINES = re.compile(r"\bL(\d+)")


@cache
def _icons() -> str:
    """The address of icons.svg, looked up once: a page of the builder draws some sixty of them."""
    return static("web/icons.svg")


@register.simple_tag
def icon(name: str, title: str = "") -> SafeString:
    """An icon from icons.svg; silent to screen readers unless it has a title."""
    address = f"{_icons()}#{name}"
    if title:
        return format_html('<svg class="icon" role="img" aria-label="{}"><use href="{}"/></svg>', title, address)
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"/></svg>', address)


@register.simple_tag
def drawing(name: str) -> SafeString:
    """What stands over an empty place, drawn; silent to screen readers, as the words beside it say the same.

    That of a unit is among the icons: every list has it, and needs no second file for it.
    """
    address = f"{_icons() if name == 'unit' else static('web/drawings.svg')}#draw-{name}"
    return format_html('<svg class="drawing" aria-hidden="true"><use href="{}"/></svg>', address)


@register.simple_tag
def role_sign(kind: str) -> SafeString:
    """The sign of what a role is for, in its colour."""
    address = f"{_icons()}#role-{kind}"
    return format_html(
        '<svg class="icon role-sign role-sign--{}" aria-hidden="true"><use href="{}"/></svg>', kind, address
    )


@register.simple_tag
def report_query(unit: str, entry_id: str) -> str:
    """The query of the form that reports a mistake of a unit."""
    return urlencode({"unit": unit, "entry": entry_id})


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The chosen theme, for the root element of what has no frame: a list in somebody else's page, bad news."""
    request = context.get("request")
    return theme_of(request) if request is not None else "auto"


@register.simple_tag(takes_context=True)
def theme_switch(context: Context) -> SafeString:
    """The button that leads to the next theme."""
    following = _frame(context).next_theme
    label = {
        "light": gettext("Switch to the light theme"),
        "dark": gettext("Switch to the dark theme"),
        "auto": gettext("Follow the device's theme"),
    }[following]
    return fragment("site/_theme.html", following, {"next": following, "label": label})


@register.simple_tag(takes_context=True)
def site_part(context: Context, name: str) -> SafeString:
    """A part of the frame, `site/_<name>.html`, that is the same for every visitor."""
    section = _frame(context).section if name == "nav" else ""
    has_docs = name == "foot" and documentation.is_built()
    key = "docs" if has_docs else section if section in SECTIONS else ""
    return fragment(f"site/_{name}.html", key, {"section": section, "has_docs": has_docs})


def _frame(context: Context) -> Frame:
    """The frame of the page; of a template that is nobody's page, one that says nothing."""
    found: Frame = context.get("frame") or Frame()
    return found


@register.filter
def unlocalised(value: Any) -> str:
    """A coordinate as SVG reads it, whatever the language."""
    return f"{float(value):g}"


@register.simple_tag
def verdict_label(verdict: Any, unchecked: Any = 0, by_data: Any = False, to_do: int = 0) -> str:
    """A verdict in words: how much is to be done in a list just begun, and what is unknown of a legal one."""
    if to_do:
        return ngettext("Started, %(n)s thing to do", "Started, %(n)s things to do", to_do) % {"n": to_do}
    if by_data and str(verdict) in {"legal", "illegal"}:
        return gettext("Legal by the data") if str(verdict) == "legal" else gettext("Illegal by the data")
    if str(verdict) == "legal":
        return gettext("Legal, parts not checked") if unchecked else gettext("Legal")
    return gettext("Illegal") if str(verdict) == "illegal" else gettext("Not checked")


@register.simple_tag
def unsettled_label(errors: int, choices: int = 0, *, left: bool = False) -> str:
    """What keeps a list from being legal: errors, and apart from them what is only still to be chosen.

    Args:
        left: said of what remains, not of what was found.
    """
    parts = []
    if errors and left:
        parts.append(ngettext("%(count)s error left", "%(count)s errors left", errors) % {"count": errors})
    elif errors:
        parts.append(ngettext("%(count)s error", "%(count)s errors", errors) % {"count": errors})
    if choices:
        parts.append(gettext("%(count)s still to choose") % {"count": choices})
    return ", ".join(parts)


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
    """How bad a finding is, in words; also of the sign of a choice that is open."""
    words = {"error": gettext("error"), "warning": gettext("warning"), "started": gettext("Still to choose")}
    return words.get(str(severity), gettext("remark"))


@register.filter
def has_lines(source: str) -> bool:
    """Whether a source is lines of the rules text; else the data, the published game or ourselves are meant."""
    return _LINES.search(source) is not None


@register.filter
def book_lines(source: str) -> str:
    """Lines of the rules text as a reader says them: "L3515-L3526, L182" is "lines 3515–3526, 182", "L9" "line 9"."""
    if source in OF_THE_DATA:
        return gettext("game data")
    if not has_lines(source):
        return gettext(source) if source in _OTHER_SOURCES else source
    found = _LINES.sub(r"\1", source).replace("-", "–")
    word = gettext("line") if found.isdecimal() else gettext("lines")
    return f"{word} {found}"


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
def unlocalised_or_empty(value: Any) -> str:
    """A whole number for a number field; empty stays empty."""
    return "" if value in ("", None) else str(int(value))


@register.simple_tag
def run_sign(state: Any) -> str:
    """The sign beside a run: done, failed, or still under way."""
    return {"done": "legal", "failed": "error", "cancelled": "not_checked"}.get(str(state), "info")


@register.simple_tag(takes_context=True)
def sample_roster(context: Context) -> SafeString:
    """What the sample of the start page is made of; its sheet takes most of the time of the page."""
    row = context["sample"].army_list
    key = (row.pk, row.revision, row.release_id)
    return fragment("site/_sample_roster.html", key, {"sheet": context["sheet"]})


@register.simple_tag(takes_context=True)
def list_fragment(context: Context, name: str) -> SafeString:
    """The fragment `armylists/_<name>.html` of the list of this page; nothing in it depends on the visitor."""
    page, oob = context["page"], bool(context.get("oob"))
    if page.have:
        return render_to_string(f"armylists/_{name}.html", {"page": page, "oob": oob})
    key = (page.version, oob, page.focus.node_id if name == "army" else "")
    return fragment(f"armylists/_{name}.html", key, {"page": page, "oob": oob})
