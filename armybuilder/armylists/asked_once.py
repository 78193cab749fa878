"""What both the list and its data ask is asked once: a stated fact makes the choice of the data, and a choice the fact.

The names of such choices stand in `reference/tending.toml`, under the fact they answer.
"""

import re
from collections.abc import Iterator
from math import inf

import msgspec

from armybuilder.armylists import edits as e
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.facts import list_fact_types
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.available_options import flat, offers
from armybuilder.engine.roster.model import Selection
from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.reference.tending import answers, sets_up_the_army, tidied

ALLEGIANCE, WARLORD = "allegiance", "warlord"
_SIZE = re.compile(r"(\d[\d,. ]*)(\+?)\s*(?:-?\s*)?(?:points?|pts)", re.IGNORECASE)
"""In the name of a choice of the army's size: Strike Force (2000 Point limit), Grand Army (3000+ points)."""


def answers_in_data(
    library: Library, state: RosterState, document: ListDocument, points_limit: int | None, edit: e.Edit
) -> Iterator[e.Edit]:
    """The choices of the data that say what an edit said as a fact or as the limit; none where they are made.

    Args:
        state: of the document's roster.
    """
    facts = document.facts
    if isinstance(edit, e.SetFacts) and ALLEGIANCE in edit.facts:
        yield from _choices(library, state, answers(ALLEGIANCE).get(str(edit.facts[ALLEGIANCE]), frozenset()))
    elif isinstance(edit, e.SetPointsLimit):
        yield from _sizes(library, state, edit.points_limit)
    elif isinstance(edit, e.AddDetachment):
        yield from _choices(library, state, answers(ALLEGIANCE).get(str(facts.get(ALLEGIANCE)), frozenset()))
        yield from _sizes(library, state, points_limit)
    elif isinstance(edit, e.SetWarlord):
        yield from _badge(library, state, edit.node_id)


def facts_in_data(document: ListDocument, rule_pack: str, edit: e.Edit) -> Iterator[e.Edit]:
    """The facts that an edit said by a choice of the data; none where they are stated so already."""
    known = {fact.name for fact in list_fact_types(rule_pack)}
    if not isinstance(edit, e.Select | e.SetOptionAmount):
        return
    taken = [
        place.node
        for place in document.places.values()
        if place.parent_id == edit.parent_id
        and isinstance(place.node, Selection)
        and place.node.entry_id == edit.entry_id
    ]
    if not taken:
        return
    name = tidied(taken[-1].name).casefold()
    for value, names in answers(ALLEGIANCE).items():
        if ALLEGIANCE in known and name in names and document.facts.get(ALLEGIANCE) != value:
            yield e.SetFacts(facts={ALLEGIANCE: value})
    parent = document.places.get(edit.parent_id)
    if (
        WARLORD in known
        and name in answers(WARLORD)[WARLORD]
        and parent is not None
        and not parent.is_force
        and document.facts.get(WARLORD) != edit.parent_id
    ):
        yield e.SetWarlord(node_id=edit.parent_id)


def told_by_choices(document: ListDocument, rule_pack: str) -> ListDocument:
    """A list that another tool made, with the facts that choices of its data say; none where they say two things."""
    known = {fact.name for fact in list_fact_types(rule_pack)}
    chosen = [
        (tidied(place.node.name).casefold(), place.parent_id)
        for place in document.places.values()
        if isinstance(place.node, Selection)
    ]
    sides = {side for side, names in answers(ALLEGIANCE).items() if any(name in names for name, _ in chosen)}
    leaders = {
        parent_id
        for name, parent_id in chosen
        if name in answers(WARLORD)[WARLORD] and parent_id is not None and not document.places[parent_id].is_force
    }
    found = {
        fact: said.pop()
        for fact, said in ((ALLEGIANCE, sides), (WARLORD, leaders))
        if fact in known and fact not in document.facts and len(said) == 1
    }
    return msgspec.structs.replace(document, facts={**document.facts, **found}) if found else document


def _choices(library: Library, state: RosterState, names: frozenset[str]) -> Iterator[e.Select]:
    """Choices of these names among the settings of every detachment that are not made yet."""
    if not names:
        return
    for setting in _settings(state):
        for offer in flat(offers(library, state, node_id=setting.id)):
            if tidied(offer.name).casefold() in names and not offer.hidden and not offer.current:
                yield e.Select(parent_id=setting.id, entry_id=offer.entry_id)
                break


def _sizes(library: Library, state: RosterState, limit: int | None) -> Iterator[e.Select]:
    """The smallest size of the army that its points limit fits in, where its data asks for one."""
    if limit is None:
        return
    for setting in _settings(state):
        sizes = [
            (*_range(found), offer)
            for offer in flat(offers(library, state, node_id=setting.id))
            if not offer.hidden and (found := _SIZE.search(offer.name)) is not None
        ]
        fitting = min((row for row in sizes if row[0] <= limit <= row[1]), key=lambda row: row[1], default=None)
        if len(sizes) > 1 and fitting is not None and not fitting[2].current:
            yield e.Select(parent_id=setting.id, entry_id=fitting[2].entry_id)


def _range(size: re.Match[str]) -> tuple[int, float]:
    """Points from which and up to which a size is meant."""
    number = int(re.sub(r"\D", "", size.group(1)))
    return (number, inf) if size.group(2) else (0, number)


def _badge(library: Library, state: RosterState, node_id: str | None) -> Iterator[e.Edit]:
    """The badge of the warlord at the model that is named, and nowhere else."""
    names = answers(WARLORD)[WARLORD]
    for part in state.all_selections():
        for child in part.selections:
            if part.id != node_id and child.type == "upgrade" and tidied(child.name).casefold() in names:
                yield e.Deselect(selection_id=child.id)
    node = state.node(node_id) if node_id else None
    if isinstance(node, SelectionState):
        for offer in flat(offers(library, state, node_id=node.id)):
            if tidied(offer.name).casefold() in names and not offer.hidden and not offer.current:
                yield e.Select(parent_id=node.id, entry_id=offer.entry_id)
                return


def _settings(state: RosterState) -> Iterator[SelectionState]:
    return (selection for force in state.all_forces() for selection in force.selections if sets_up_the_army(selection))
