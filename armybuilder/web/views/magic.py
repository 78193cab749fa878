"""Magic of a game: the items every army may buy, and the lores with their spells."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from armybuilder.reference import queries
from armybuilder.reference.magic import lores as lores_of
from armybuilder.reference.models import MagicItem
from armybuilder.web.forms.magic import ItemSearch
from armybuilder.web.fragments import wants_fragment

SPELL_TYPES = {
    "magic_missile": _("magic missile"),
    "direct_damage": _("direct damage"),
    "augment": _("augment"),
    "hex": _("hex"),
    "magical_vortex": _("magical vortex"),
    "other": _("other"),
}
"""Casting types of spells."""


@require_safe
def items(request: HttpRequest, system_id: str) -> HttpResponse:
    """The magic items found, as a page or as the table alone."""
    game = queries.system(system_id)
    form = ItemSearch(request.GET)
    form.is_valid()
    wanted = form.cleaned_data
    found = queries.magic_items(system_id, category=wanted.get("kind") or None, text=wanted.get("q", ""))
    context = {"system": game, "items": list(found), "form": form}
    if wants_fragment(request):
        return render(request, "systems/_magic_items.html", context)
    if not queries.magic_items(system_id).exists():
        raise Http404
    return render(request, "systems/magic_items.html", context | {"kinds": MagicItem.Category.choices})


@require_safe
def lores(request: HttpRequest, system_id: str) -> HttpResponse:
    """The lores of the rulebook with their spells."""
    game = queries.system(system_id)
    found = lores_of(game)
    if not found:
        raise Http404
    rows = [
        (lore, [(spell, SPELL_TYPES.get(spell.type, spell.type)) for spell in lore.spells]) for lore in found.values()
    ]
    return render(request, "systems/lores.html", {"system": game, "lores": rows})
