"""What the page of all components shows: one of each, made as other pages make them."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.armylists.models import ArmyList, Tint, VerdictChoice
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.web.charts.distributions import distribution_chart
from armybuilder.web.formatting import decimal, percent
from armybuilder.web.pages.games import EMBLEMS, OTHER_GAME
from armybuilder.web.pages.list_rows import ListRow
from armybuilder.web.pages.role_shares import RoleShare, role_shares

KINDS = ("leader", "hero", "core", "elite", "fast", "heavy", "titan", "support", "other")
STEPS = range(10)
"""Shades of the matrix."""


def components() -> dict[str, Any]:
    """The context of the page, the same for everybody."""
    spent = [(kind, kind, Decimal(100 * place)) for place, kind in enumerate(KINDS, start=1)]
    shares = role_shares(spent, Decimal(5000))
    return {
        "themes": [("light", _("Light theme")), ("dark", _("Dark theme"))],
        "shares": shares,
        "kinds": KINDS,
        "tints": [(tint.value, tint.label) for tint in Tint],
        "rows": _rows(shares),
        "bars": [
            (_("Casualties"), 1000, decimal(13.8)),
            (_("Points destroyed"), 420, "152"),
            (_("Chance to destroy"), 60, percent(0.06)),
        ],
        "steps": STEPS,
        "chart": distribution_chart({0: 0.1, 1: 0.3, 2: 0.4, 3: 0.2}),
        "tiles": [(EMBLEMS["fantasy-8th"], _("Game")), (OTHER_GAME, _("Data set"))],
        "words": (_("Warlord"), _("It never makes a list illegal.")),
    }


def _rows(shares: tuple[RoleShare, ...]) -> tuple[ListRow, ...]:
    """A list that is legal, with all that a row may hold, and one that is not; neither is stored."""
    game = PublishedSystem(name=_("Game"), rule_pack="fantasy-8th")
    legal = ArmyList(
        system=game,
        name=_("Name of the list"),
        points=4500,
        points_limit=5000,
        verdict=VerdictChoice.LEGAL,
        tint=Tint.CRIMSON,
        folder=_("Folder"),
        tags=[_("Hero")],
    )
    illegal = ArmyList(system=game, name=_("Army list"), points=1700, verdict=VerdictChoice.ILLEGAL)
    return ListRow(legal, "", shares, (illegal,)), ListRow(illegal, "", (), ())
