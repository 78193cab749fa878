"""What a detachment's catalogue offers: places for units, and settings of the army, which are on no chart."""

from collections.abc import Collection, Iterator

from armybuilder.armylists.reports import ListReport
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.available_options import Offer, flat, offers
from armybuilder.engine.roster.limits import NO_CATEGORY
from armybuilder.engine.roster.state import ForceState
from armybuilder.reference.tending import may_be_unit
from armybuilder.web.pages.available_options import MANY

ARMY_RULES = "army-rules"
"""The place on a roll, and its add screen, of what sets an army up."""
_ON_OFFER: dict[tuple[str, str, str], tuple[frozenset[str], frozenset[str]]] = {}


def roles_on_offer(report: ListReport, force: ForceState) -> frozenset[str]:
    """Categories that are a place for at least one unit of a detachment's catalogue."""
    return _on_offer(report, force)[0]


def has_army_rules(report: ListReport, force: ForceState) -> bool:
    """Whether a detachment's catalogue offers anything but units."""
    return bool(_on_offer(report, force)[1])


def place_of(report: ListReport, force: ForceState, offer: Offer) -> str:
    """Where an entry stands on the roll: the id of its category, or the army rules."""
    return ARMY_RULES if offer.entry_id in _on_offer(report, force)[1] else offer.category_id or ""


def _on_offer(report: ListReport, force: ForceState) -> tuple[frozenset[str], frozenset[str]]:
    """Categories of units, and the entries that are none.

    Worked out once a process for every catalogue: it needs every entry, and hardly depends on what was chosen.
    """
    key = (report.library.content_hash, force.catalogue_id, force.entry_id)
    known = _ON_OFFER.get(key)
    if known is None:
        found = list(flat(offers(report.library, report.state, node_id=force.id)))
        roles = frozenset(offer.category_id for offer in found if may_be_unit(offer) and offer.category_id)
        rules = (offer for offer in found if not may_be_unit(offer) and _is_army_rule(report, force, offer, roles))
        known = roles, frozenset(offer.entry_id for offer in rules)
        if len(_ON_OFFER) > MANY:
            _ON_OFFER.clear()
        _ON_OFFER[key] = known
    return known


def _is_army_rule(report: ListReport, force: ForceState, offer: Offer, roles: Collection[str]) -> bool:
    """Whether a free upgrade sets the army up: it stands where units do not, or in no place at all without models."""
    if offer.category_id not in (None, NO_CATEGORY):
        return offer.category_id not in roles
    place = report.library.find_root(force.catalogue_id, offer.entry_id)
    return place is None or not any(part.spec.type in ("unit", "model") for part in _below(place))


def _below(place: Place, depth: int = 3) -> Iterator[Place]:
    for child in place.children:
        yield child
        if depth:
            yield from _below(child, depth - 1)
