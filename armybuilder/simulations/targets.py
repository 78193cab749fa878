"""Targets that belong to no list: the game's yardsticks, units typed by hand, and those a player has saved."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from armybuilder.accounts.models import User
from armybuilder.accounts.queries import owned_by, owner_of_new
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import GAMES, has_matchups, matchup_rules_of, target_book_of
from armybuilder.engine.systems.target_profiles import StandardTarget
from armybuilder.simulations.armies import Army
from armybuilder.simulations.models import SavedTarget

TARGETS_OF_A_PLAYER = 200
"""More targets than anybody measures by; the next is refused."""

SIDE_BYTES = 20_000
"""A larger description is refused before it is read."""


def standard_targets(system: str) -> tuple[StandardTarget, ...]:
    """The yardsticks of a game; none for a game without."""
    book = target_book_of(system)
    return book.standard if book is not None else ()


def saved_targets_of(viewer: Viewer, *, system: str | None = None) -> QuerySet[SavedTarget]:
    """The viewer's targets by name, of one game or of all."""
    targets = SavedTarget.objects.filter(owned_by(viewer))
    return targets if system is None else targets.filter(rule_pack=system)


def saved_target(viewer: Viewer, target_id: UUID) -> SavedTarget:
    """One of the viewer's targets. Raises NotFound for every other."""
    found = saved_targets_of(viewer).filter(pk=target_id).first()
    if found is None:
        raise NotFound("There is no such target, or it is somebody else's.")
    return found


def save_target(viewer: Viewer, *, system: str, name: str, points: Decimal, side: Mapping[str, Any]) -> SavedTarget:
    """Keep a unit to measure others by.

    Args:
        viewer: signed in, or a guest.
        side: a side of the game's matchup documents.

    Raises:
        BadDocument: no such game, or a side it cannot read, with the pointer.
        LimitExceeded: a unit or a number of targets beyond what is kept.
        NotFound, TooManyAttempts: nobody, or guests at an address that have kept too much.
    """
    _refuse_what_cannot_fight(system, name=name, points=points, side=side)
    if saved_targets_of(viewer).count() >= TARGETS_OF_A_PLAYER:
        raise LimitExceeded(f"You have {TARGETS_OF_A_PLAYER} targets; delete one first.")
    return SavedTarget.objects.create(
        **owner_of_new(viewer), rule_pack=system, name=name, points=points, side=_text(side)
    )


def change_target(
    viewer: Viewer, target_id: UUID, *, name: str, points: Decimal, side: Mapping[str, Any]
) -> SavedTarget:
    """Describe one of the viewer's targets anew. Raises NotFound, or refuses as `save_target` does."""
    target = saved_target(viewer, target_id)
    _refuse_what_cannot_fight(target.rule_pack, name=name, points=points, side=side)
    saved_targets_of(viewer).filter(pk=target.pk).update(name=name, points=points, side=_text(side))
    return saved_target(viewer, target_id)


def delete_target(viewer: Viewer, target_id: UUID) -> None:
    """Delete one of the viewer's targets; answers that used it stay. Raises NotFound."""
    saved_target(viewer, target_id).delete()


def claim_guest_targets(user: User, guest_key: UUID) -> int:
    """Give a guest's targets to the account he has signed up for; how many there were."""
    return SavedTarget.objects.filter(guest_key=guest_key).update(owner=user, guest_key=None)


def side_of(target: SavedTarget) -> dict[str, Any]:
    """A saved target's unit as plain values."""
    side: dict[str, Any] = msgspec.json.decode(target.side)
    return side


def army_of_saved_target(viewer: Viewer, target_id: UUID) -> Army:
    """A saved target as an army of one unit. Raises NotFound, or BadDocument where its game has changed since."""
    target = saved_target(viewer, target_id)
    return army_of_target(target.rule_pack, name=target.name, points=target.points, side=side_of(target), at="/target")


def army_of_standard_target(reference: str, *, at: str) -> Army:
    """A yardstick, named by its game and key, as an army of one unit. Raises BadDocument for one there is not."""
    system, _, key = reference.partition("/")
    found = next((target for target in standard_targets(system) if target.key == key), None)
    if found is None:
        raise BadDocument(f"There is no standard target '{reference}'.", at)
    return army_of_target(system, name=found.name.en, points=found.points, side=msgspec.to_builtins(found.side), at=at)


def standard_name(system: str, name: str) -> Text | None:
    """The name of a yardstick in both languages, by its English one; None for any other unit."""
    return next((target.name for target in standard_targets(system) if target.name.en == name), None)


def army_of_target(system: str, *, name: str, points: Decimal, side: Mapping[str, Any], at: str) -> Army:
    """A unit that belongs to no list as an army of one.

    Raises:
        BadDocument: no game whose units fight, or a side it cannot read, with the pointer.
    """
    if not has_matchups(system):
        raise BadDocument(f"Units of '{system}' cannot be simulated.", f"{at}/system")
    if len(_text(side)) > SIDE_BYTES:
        raise LimitExceeded(f"The unit takes more than {SIDE_BYTES} bytes.", f"{at}/side")
    described = {"unit": "target", "name": name, "points": str(points), "side": dict(side)}
    fighter: Any = shaped(described, matchup_rules_of(system).fighter, at=at)
    if fighter.models < 1:
        raise BadDocument("A unit needs at least one model.", f"{at}/side")
    return Army(name, system, (fighter,))


def _refuse_what_cannot_fight(system: str, *, name: str, points: Decimal, side: Mapping[str, Any]) -> None:
    """Read a unit and let the game's own limits judge it, as if it met itself."""
    (fighter,) = army_of_target(system, name=name, points=points, side=side, at="").fighters
    field = matchup_rules_of(system)
    kinds, judged = GAMES[system].simulations, False
    for attack in field.attacks:
        try:
            document = field.matchup(attack, fighter, fighter, conditions=field.conditions())
        except BadDocument:  # it has nothing to attack with; a target need not
            continue
        kinds[document.kind].guard(document)
        judged = True
    if not judged:
        key, kind = next((key, kind) for key, kind in kinds.items() if kind.needs == ("attacker", "defender"))
        unit: Any = fighter
        sides = {"attacker": unit.side, "defender": unit.side}
        kind.guard(kind.request(system=system, kind=key, **sides))


def _text(side: Mapping[str, Any]) -> str:
    return msgspec.json.encode(side, order="sorted").decode()
