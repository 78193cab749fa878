"""How units start the game: Flyers, units that cannot move, Deep Strike and Flanking Assaults."""

from collections.abc import Callable, Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army, Model, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment

ON_THE_TABLE = frozenset({Deployment.TABLE, Deployment.INFILTRATE, Deployment.SCOUT})

GIVES_OUTFLANK = ("infiltrate", "scout")
"""A unit with one of these rules that is in reserve gains Outflank. Source: HH L3139, L3291 [text]."""


def flyers_in_reserve(army: Army) -> Iterator[Finding]:
    """HH-52: Flyers start in reserve."""
    for placed in army.units:
        if placed.unit.deployment in ON_THE_TABLE and placed.is_flyer:
            yield finding("HH-52", at=f"{placed.at}/deployment", unit=placed.name)


def immobile_not_in_reserve(army: Army) -> Iterator[Finding]:
    """HH-53: what cannot move is not put in reserve [derived]; HH-48 speaks of fortifications, Flyers always move."""
    for placed in army.units:
        if placed.unit.deployment is not Deployment.RESERVE or placed.is_fortification or placed.is_flyer:
            continue
        moves = [movement for model in placed.models for movement in _movement(placed, model)]
        if moves and not any(moves):
            yield finding("HH-53", at=f"{placed.at}/deployment", unit=placed.name)


def _movement(placed: PlacedUnit, model: Model) -> Iterator[int]:
    """The printed Movement of a model, 0 for a dash; nothing where the document does not say."""
    for profile in (model.profile, placed.unit.profile):
        if profile is not None and (profile.M is None or isinstance(profile.M, int)):
            yield profile.M or 0
            return


def deep_strike_assault(army: Army) -> Iterator[Finding]:
    """HH-54: all models of a unit in a Deep Strike Assault have Deep Strike, or ride in a transport that has it."""
    for placed in army.units:
        if placed.unit.deployment is Deployment.DEEP_STRIKE_ASSAULT and not _carried(army, placed, _deep_strikes):
            lacking = next(
                (name for rider in _with_characters(army, placed) for name in _models_without(rider, "deep_strike")),
                None,
            )
            if lacking is not None:
                yield finding("HH-54", at=f"{placed.at}/deployment", unit=placed.name, model=lacking)


def flanking_assault(army: Army) -> Iterator[Finding]:
    """HH-55: all models of a unit in a Flanking Assault have Outflank, or ride in a transport that has it."""
    for placed in army.units:
        if placed.unit.deployment is not Deployment.FLANKING_ASSAULT or _carried(army, placed, _outflanks):
            continue
        lacking = next(
            (
                name
                for rider in _with_characters(army, placed)
                if not _outflanks(army, rider)
                for name in _models_without(rider, "outflank")
            ),
            None,
        )
        if lacking is not None:
            yield finding("HH-55", at=f"{placed.at}/deployment", unit=placed.name, model=lacking)


def one_assault_of_a_kind(army: Army) -> Iterator[Finding]:
    """HH-56: one Deep Strike Assault and one Flanking Assault at most."""
    for planned, kind, member in (
        (army.deep_strike_assaults, Deployment.DEEP_STRIKE_ASSAULT, "deep_strike_assaults"),
        (army.flanking_assaults, Deployment.FLANKING_ASSAULT, "flanking_assaults"),
    ):
        if planned is not None and planned > 1:
            yield finding("HH-56", at=f"/{member}", assault=words.ASSAULTS[kind], n=planned)


def _with_characters(army: Army, placed: PlacedUnit) -> list[PlacedUnit]:
    """A unit and the characters that join it: for all rules they are part of it (L3113)."""
    return [placed, *army.joined_to.get(placed.unit.id or "", [])]


def _models_without(placed: PlacedUnit, rule: str) -> Iterator[str]:
    return (words.model_name(placed, model) for model in placed.models if not model.has(rule))


def _carried(army: Army, placed: PlacedUnit, fit: Callable[[Army, PlacedUnit], bool]) -> bool:
    """Whether it starts in a fit transport: embarked in it, bought with it, or with the unit it joins."""
    for rider in (placed, army.by_id.get(placed.unit.joined_to or "")):
        if rider is None:
            continue
        if (carrier := army.carrier_of(rider)) is not None:
            if fit(army, carrier):
                return True
        elif any(fit(army, transport) for transport in army.transports_of.get(rider.unit.id or "", [])):
            return True
    return False


def _deep_strikes(army: Army, placed: PlacedUnit) -> bool:
    return not any(True for _ in _models_without(placed, "deep_strike"))


def _outflanks(army: Army, placed: PlacedUnit) -> bool:
    """Has Outflank in reserve: printed, gained by Infiltrate or Scout, or given by the unit it was bought for.

    A unit with Infiltrate or Scout gives the same to its dedicated transport (L3135, L3291).
    """
    if any(model.has(rule) for model in placed.models for rule in GIVES_OUTFLANK):
        return True
    if placed.is_dedicated and (parent := army.parent_of(placed)) is not None:
        return any(model.has(rule) for model in parent.models for rule in GIVES_OUTFLANK) or _all_outflank(placed)
    return _all_outflank(placed)


def _all_outflank(placed: PlacedUnit) -> bool:
    return not any(True for _ in _models_without(placed, "outflank"))
