"""Refuses what is more or longer than one list, or one player, may have."""

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries, sizes
from armybuilder.armylists.errors import NotFound, TooLarge
from armybuilder.engine.findings import Text


def refuse_too_many(viewer: Viewer) -> None:
    """Make sure that the viewer may have one more list. Raises NotFound for nobody, TooLarge for a collector."""
    if not viewer.is_anybody:
        raise NotFound("A list needs an owner: sign in, or allow the cookie that keeps a guest's lists.")
    limit = sizes.LISTS_OF_A_USER if viewer.user is not None else sizes.LISTS_OF_A_GUEST
    if queries.army_lists_of(viewer).count() >= limit:
        raise TooLarge(
            Text(
                en=f"You have {limit} lists, more cannot be kept. Delete one first.",
                ru=f"У вас {limit} ростеров, больше хранить нельзя. Сначала удалите один.",
            )
        )


def fitting(text: str, length: int, at: str) -> str:
    """A text without blanks around it. Raises TooLarge when it is longer than `length`; `at` is where it stands."""
    text = text.strip()
    if len(text) > length:
        raise TooLarge(
            Text(
                en=f"The text has {len(text)} characters; {length} are allowed.",
                ru=f"В тексте {len(text)} знаков; допускается {length}.",
            ),
            at,
        )
    return text
