"""What the page of all components shows: one of each, made as other pages make them."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.models import Tint
from armybuilder.armylists.queries import army_lists_of
from armybuilder.web.charts.distributions import distribution_chart
from armybuilder.web.pages.games import EMBLEMS, OTHER_GAME
from armybuilder.web.pages.list_rows import list_rows
from armybuilder.web.pages.role_shares import role_shares

KINDS = ("leader", "hero", "core", "elite", "fast", "heavy", "titan", "support", "other")
STEPS = range(10)
"""Shades of the matrix."""


def components(viewer: Viewer) -> dict[str, Any]:
    """The context of the page; rows are the viewer's own newest lists, if he has any."""
    spent = [(kind, kind, Decimal(100 * place)) for place, kind in enumerate(KINDS, start=1)]
    return {
        "themes": [("light", _("Light theme")), ("dark", _("Dark theme"))],
        "shares": role_shares(spent, Decimal(5000)),
        "kinds": KINDS,
        "tints": [(tint.value, tint.label) for tint in Tint],
        "rows": list_rows(army_lists_of(viewer)[:2]),
        "bars": [
            (_("Casualties"), 1000, "13.8"),
            (_("Points destroyed"), 420, "152"),
            (_("Chance to destroy"), 60, "6%"),
        ],
        "steps": STEPS,
        "chart": distribution_chart({0: 0.1, 1: 0.3, 2: 0.4, 3: 0.2}),
        "tiles": [(EMBLEMS["fantasy-8th"], _("Game")), (OTHER_GAME, _("Data set"))],
        "words": (_("Warlord"), _("It never makes a list illegal.")),
    }
