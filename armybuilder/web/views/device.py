"""The site on a device: as an installed program, and its pages without a line."""

import json
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from armybuilder.armylists import queries, replies, services
from armybuilder.heroes.queries import is_hero
from armybuilder.web.pages.builder_page import BuilderPage, Focus, builder_page
from armybuilder.web.viewers import WHOSE, mark_of, viewer_of
from armybuilder.web.views import heroes
from armybuilder.web.views.builder import taste_of

LOOKS = (
    *("web/site.css", "web/builder.css", "web/pages.css", "web/icons.svg", "web/drawings.svg", "web/mark.svg"),
    *("django_htmx/htmx-2.min.js", "web/idiomorph-ext.min.js", "web/sortable.min.js"),
    *(f"web/{name}.js" for name in ("site", "edits", "places", "keys", "device", "kept", "order", "play")),
    *(
        f"web/fonts/source-sans-3-{script}-{weight}-normal.woff2"
        for script in ("latin", "cyrillic", "latin-accents", "latin-ext", "cyrillic-ext")
        for weight in (400, 600)
    ),
)
"""Static files that pages need which are kept on a device."""

GROUND, HEAD = "#eef0ee", "#ffffff"
"""`--ground` and `--panel` of site.css in the light theme: while it starts, and behind the clock of a phone."""

DRAWN = ((192, "any"), (512, "any"), (512, "maskable"))
"""Sides and purposes of the drawings in `static/web/app/`, which are `mark.svg` on the colour of the site."""


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps pages on a device: at the root, for all of the site; asked for anew every time."""
    return HttpResponse(
        _worker(),
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"},
    )


@lru_cache(maxsize=1)
def _worker() -> str:
    """The script after a line that names this version's static files."""
    digest = blake2b(digest_size=8)
    for name in ("web/worker.js", *LOOKS):
        digest.update(_file(name).read_bytes())
    site = {
        "version": digest.hexdigest(),
        "looks": [static(name) for name in LOOKS],
        "isHashed": bool(settings.STATIC_COLLECTED),
    }
    return f"self.SITE = {json.dumps(site)};\n{_file('web/worker.js').read_text(encoding='utf-8')}"


def _file(name: str) -> Path:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found)


@require_safe
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    """What the site is called and looks like when it is installed, in a language."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        icons = [
            {
                "src": static(f"web/app/{purpose}-{side}.png"),
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": purpose,
            }
            for side, purpose in DRAWN
        ]
        content = {
            "id": "/",
            "name": _("Army Builder"),
            "short_name": _("Army Builder"),
            "description": _("Build an army list, see whether it is legal and why, share it, and preview a matchup."),
            "lang": language,
            "start_url": "/lists/",
            "scope": "/",
            "display": "standalone",
            "background_color": GROUND,
            "theme_color": HEAD,
            "icons": icons,
            "shortcuts": [
                {"name": _("New list"), "url": "/lists/new/"},
                {"name": _("On this device"), "url": "/device/"},
            ],
        }
    return JsonResponse(content, content_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@require_safe
def device(request: HttpRequest) -> HttpResponse:
    """What is saved where, and what this device keeps; it stands in for pages that are not kept."""
    return render(request, "site/device.html", {"guest_days": settings.GUEST_DAYS})


@gzip_page
@never_cache
@require_safe
def kept_list(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One's own list for the device: its page, and the panes of its units and add screens by their queries.

    `have` in the query is the `Kept-As` of what is kept: 204 when nothing is different.
    """
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    if is_hero(army_list):
        answer = heroes.show(request, army_list)
        whole = {"revision": army_list.revision, "page": answer.content.decode(), "panes": {}}
        return JsonResponse(whole, headers={WHOSE: mark_of(viewer)})
    report = services.check_army_list(army_list)
    taste = taste_of(request, army_list)
    page = builder_page(army_list, report, Focus(), taste)
    looks = (page.version, get_language(), request.COOKIES.get("theme"), mark_of(viewer), taste.favourites, _worker())
    kept_as = blake2b(repr(looks).encode(), digest_size=8).hexdigest()
    if request.GET.get("have") == kept_as:
        return HttpResponse(status=204)
    context = {"page": page, "army_list": army_list, "waiting": replies.waiting(army_list.pk)}
    units = (unit for force in report.state.all_forces() for unit in force.selections)
    focuses = [Focus(), *(Focus("unit", unit.id) for unit in units)]
    focuses += [Focus("add", force.id) for force in report.state.all_forces()]
    panes = {focus.query: _pane(request, builder_page(army_list, report, focus, taste), context) for focus in focuses}
    whole = {
        "revision": report.revision,
        "page": render_to_string("armylists/builder.html", context, request),
        "panes": panes,
    }
    return JsonResponse(whole, headers={WHOSE: mark_of(viewer), "Kept-As": kept_as})


def _pane(request: HttpRequest, page: BuilderPage, context: dict[str, object]) -> str:
    return render_to_string("armylists/_detail.html", context | {"page": page}, request)
