"""What a list would be with or without something: edits carried out on a copy that is never stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from armybuilder.armylists.documents import read_document
from armybuilder.armylists.editing import Draft
from armybuilder.armylists.edits import Deselect, Edit, Select, SetOptionAmount
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list, new_id
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.amendments import original_of
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterState


@dataclass(frozen=True, slots=True)
class Builds:
    """Two states of one list that differ in one thing.

    Attributes:
        name: of what makes the difference, as the data or the edits call it.
        is_taken: whether the list as it is stored has it.
        is_counted: whether there can be several of it.
    """

    name: Text
    without: RosterState
    having: RosterState
    is_taken: bool
    is_counted: bool = False


def builds_by_edits(army_list: ArmyList, edits: Sequence[Edit]) -> Builds:
    """The list as it is, and as it would be after these edits. Raises EditRefused or TooLarge as an edit does."""
    now = _priced_by_data(army_list)
    changed, done = _edited(army_list, now, edits)
    name = Text("; ".join(text.en for text in done), "; ".join(text.ru for text in done))
    return Builds(name, now, changed, is_taken=False)


def builds_by_option(army_list: ArmyList, *, parent_id: str, entry_id: str, more: int | None = None) -> Builds:
    """The list without and with an option: one of its two states is as the list stands.

    With `more` the list as it stands is compared with itself and so many more of a counted option; else a
    counted option counts as taken when there are more than its parent needs; then "without" has only as many as
    it needs. In a choice that cannot be left open "without" has the choice's default, or its first other option.

    Raises:
        EditRefused: no such node or option, the choice has nothing else to offer, or `more` of what is not counted.
    """
    now = _priced_by_data(army_list)
    offered = offers(library_of(army_list.release_id), now, node_id=parent_id) if now.node(parent_id) else ()
    found = _found(offered, entry_id)
    if found is None:
        raise EditRefused(
            Text(en="There is no such option in this list (any more).", ru="В этом ростере нет такого выбора."),
            "/option/entry_id",
        )
    offer, group = found
    is_counted = offer.maximum != 1 and (group is None or group.maximum != 1)
    if more is not None:
        if not is_counted:
            raise EditRefused(
                Text(en=f"There can be only one {offer.name}.", ru=f"{offer.name} можно взять только один раз."),
                "/option/more",
            )
        increase = SetOptionAmount(parent_id=parent_id, entry_id=entry_id, amount=offer.current + more)
        having, _ = _edited(army_list, now, (increase,))
        name = f"+{more} × {offer.name}"
        return Builds(Text(name, name), now, having, is_taken=False, is_counted=True)
    needed = offer.minimum or 0
    if group is not None and group.maximum != 1:  # models of a unit: as many as the group asks for, whoever they are
        needed = max(needed, (group.minimum or 0) - (group.current - offer.current))
    is_taken = offer.current > needed
    edits = _taking_away(offer, group, parent_id, needed) if is_taken else _taking(offer, parent_id, needed)
    other, _ = _edited(army_list, now, edits)
    without, having = (other, now) if is_taken else (now, other)
    return Builds(Text(offer.name, offer.name), without, having, is_taken=is_taken, is_counted=is_counted)


def _priced_by_data(army_list: ArmyList) -> RosterState:
    """The list as it is; a price its owner has set for a unit says nothing of what an option of it costs."""
    return original_of(check_army_list(army_list).state)


def _edited(army_list: ArmyList, now: RosterState, edits: Sequence[Edit]) -> tuple[RosterState, list[Text]]:
    draft = Draft(
        library=library_of(army_list.release_id),
        rule_pack=army_list.system.rule_pack,
        document=read_document(army_list.document),
        points_limit=army_list.points_limit,
        new_id=new_id,
        state=now,
    )
    draft.apply(edits)
    return evaluate(draft.library, draft.document.roster, now), draft.done


def _taking(offer: Offer, parent_id: str, needed: int) -> tuple[Edit, ...]:
    if offer.current:
        return (SetOptionAmount(parent_id=parent_id, entry_id=offer.entry_id, amount=needed + 1),)
    return (Select(parent_id=parent_id, entry_id=offer.entry_id),)


def _taking_away(offer: Offer, group: OfferGroup | None, parent_id: str, needed: int) -> tuple[Edit, ...]:
    if group is not None and group.maximum == 1 and group.minimum:
        others = [one for one in group.offers if isinstance(one, Offer) and one is not offer and not one.hidden]
        if not others:
            raise EditRefused(
                Text(
                    en=f"{offer.name} is the only choice; there is nothing to compare it with.",
                    ru=f"{offer.name} – единственный выбор; сравнивать не с чем.",
                ),
                "/option/entry_id",
            )
        other = next((one for one in others if one.entry_id == group.default_id), others[0])
        return (Select(parent_id=parent_id, entry_id=other.entry_id),)
    if offer.current == 1 and len(offer.selection_ids) == 1:
        return (Deselect(selection_id=offer.selection_ids[0]),)
    return (SetOptionAmount(parent_id=parent_id, entry_id=offer.entry_id, amount=needed),)


def _found(
    offered: Sequence[Offer | OfferGroup], entry_id: str, group: OfferGroup | None = None
) -> tuple[Offer, OfferGroup | None] | None:
    """An option among those offered, with the group it directly stands in."""
    for item in offered:
        if isinstance(item, OfferGroup):
            found = _found(item.offers, entry_id, item)
            if found is not None:
                return found
        elif item.entry_id == entry_id:
            return item, group
    return None
