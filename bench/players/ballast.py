"""Many lists with many states, written as rows: a site that has been used for years."""

from itertools import count
from typing import Any

LISTS_AT_ONCE = 250
LISTS_OF_A_USER = 20


def fill(lists: int, revisions: int) -> None:
    """Store so many lists, each with the same number of states, of users with `LISTS_OF_A_USER` lists each.

    Args:
        lists: how many more lists there shall be.
        revisions: of all of them together.
    """
    from armybuilder.accounts.models import User
    from armybuilder.armylists.models import ArmyList, Revision

    pattern = ArmyList.objects.filter(system="horus-heresy").order_by("created").first()
    assert pattern is not None, "the shipped samples are there"
    state = pattern.revisions.get(number=pattern.revision)
    copied = fields(pattern, {"id", "owner", "guest_key", "family", "revision", "created", "updated", "name"})
    kept = fields(state, {"id", "army_list", "number", "content", "parent", "created"})
    each = max(1, revisions // lists)
    users = User.objects.bulk_create(User(username=f"ballast-{n}") for n in range(1 + lists // LISTS_OF_A_USER))
    numbers = count()
    for first in range(0, lists, LISTS_AT_ONCE):
        rows = [
            ArmyList(owner=users[n // LISTS_OF_A_USER], name=f"Ballast {n}", revision=each, **copied)
            for n in (next(numbers) for _ in range(min(LISTS_AT_ONCE, lists - first)))
        ]
        ArmyList.objects.bulk_create(rows)
        states = (
            Revision(army_list=row, number=number, content=number, parent=number - 1 or None, **kept)
            for row in rows
            for number in range(1, each + 1)
        )
        Revision.objects.bulk_create(states, batch_size=1000)


def fields(row: Any, but: set[str]) -> dict[str, Any]:
    """The values of a row's columns but for some."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in but}
