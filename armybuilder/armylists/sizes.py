"""How large a list may be: detachments, selections, names, notes, facts."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from armybuilder.armylists import limits
from armybuilder.armylists.documents import ListDocument, display_name
from armybuilder.armylists.errors import TooLarge
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.model import Force, Roster, Selection


def refuse_more_selections(selections: int, forces: int) -> None:
    """Raise TooLarge where a list would have more than are allowed."""
    if selections > limits.SELECTIONS or forces > limits.FORCES:
        raise TooLarge(
            Text(
                en=f"The list would have {selections} selections in {forces} detachments; "
                f"{limits.SELECTIONS} in {limits.FORCES} are allowed.",
                ru=f"В ростере было бы {selections} выборов в {forces} подразделениях; "
                f"допускается {limits.SELECTIONS} в {limits.FORCES}.",
            )
        )


def check_sizes(document: ListDocument) -> None:
    """Refuse a list with more detachments, selections or facts than allowed, or names and notes that are too long.

    Raises:
        TooLarge: naming the numbers.
    """
    refuse_too_many_facts(document.facts, "/facts")
    places = document.places.values()
    forces = sum(place.is_force for place in places)
    selections = len(places) - forces
    refuse_more_selections(selections, forces)
    if len(places) < sum(1 for _ in _nodes(document.roster)):
        raise TooLarge(
            Text(en="An id stands twice in the list.", ru="В ростере дважды встречается один номер."), "/roster"
        )
    for place in places:
        node = place.node
        if place.pointer.count("/selections/") > limits.DEPTH:
            raise TooLarge(
                Text(
                    en=f"Selections lie deeper than {limits.DEPTH} levels.",
                    ru=f"Выборы вложены глубже {limits.DEPTH} уровней.",
                ),
                place.pointer,
            )
        name, notes = max(len(node.name), len(node.custom_name or "")), len(node.notes or "")
        amount = node.amount if isinstance(node, Selection) else 1
        if name > 4 * limits.NAME_LENGTH or notes > limits.NOTES_LENGTH or not 0 <= amount <= limits.AMOUNT:
            raise TooLarge(
                Text(
                    en=f"{display_name(node)[:40]}: its name, notes or number ({amount}) are larger than allowed.",
                    ru=f"{display_name(node)[:40]}: название, заметки или количество ({amount}) больше допустимого.",
                ),
                place.pointer,
            )


def refuse_too_many_facts(facts: Mapping[str, Any], at: str) -> None:
    """Refuse facts that take too many bytes. Raises TooLarge."""
    size = len(msgspec.json.encode(facts))
    if size > limits.FACTS_BYTES:
        raise TooLarge(
            Text(
                en=f"The facts of this list take {size} bytes; {limits.FACTS_BYTES} are allowed.",
                ru=f"Факты ростера занимают {size} байт; допускается {limits.FACTS_BYTES}.",
            ),
            at,
        )


def _nodes(roster: Roster) -> Iterator[Force | Selection]:
    """Every force and selection, whatever their ids."""
    yield from roster.all_forces()
    yield from roster.all_selections()
