"""Who leads the army, and which warlord trait he has.

The choice goes down a chain (L3650, L3660): a model that must be the warlord; a character from an HQ unit of the
Primary Detachment; a character from any other unit of it; any model of it that is no vehicle. "No HQ slots" (L3660) is
read as "no HQ character" [decision].
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army, Model, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole, word

CORE_TRAITS = {
    "bloody_handed": Text("Bloody-handed", "кроваворукий"),
    "stoic_defender": Text("Stoic Defender", "упрямый защитник"),
    "ever_vigilant": Text("Ever-vigilant", "вечно бдительный"),
}
"""Traits open to every warlord. Source: HH L3670-L3684 [text]."""

_CORE_WORDS = frozenset(CORE_TRAITS) | {word(trait.ru) for trait in CORE_TRAITS.values()}


class Step(IntEnum):
    """Steps of the chain below the models that must be the warlord."""

    HQ_CHARACTER = 2
    CHARACTER = 3
    ANY_MODEL = 4


@dataclass(frozen=True, slots=True)
class Warlord:
    """A model marked as the warlord.

    Attributes:
        model: None when the whole unit is marked and its groups are not.
        at: pointer to the unit or group that carries the mark.
        trait: the recorded warlord trait.
        trait_at: pointer to it.
    """

    placed: PlacedUnit
    model: Model | None
    at: str
    trait: str | None
    trait_at: str

    @property
    def name(self) -> str:
        """The unit, with the model in brackets where it has several kinds."""
        return words.model_name(self.placed, self.model)

    @property
    def is_character(self) -> bool:
        """A Character; of a marked unit of several kinds of models, its character is meant."""
        return any(model.is_character for model in self._models)

    @property
    def is_vehicle(self) -> bool:
        """A vehicle model, by its own or its unit's type."""
        return any(model.type == "vehicle" for model in self._models)

    @property
    def _models(self) -> tuple[Model, ...]:
        return (self.model,) if self.model is not None else self.placed.models

    @property
    def step(self) -> Step | None:
        """His step of the chain; None outside the Primary Detachment and for vehicles that are no characters."""
        if not self.placed.detachment.is_primary:
            return None
        if self.is_character:
            return Step.HQ_CHARACTER if self.placed.role == BattlefieldRole.HQ else Step.CHARACTER
        return None if self.is_vehicle else Step.ANY_MODEL


def marked_models(army: Army) -> list[Warlord]:
    """All models marked as warlord; a marked group of several models counts as two."""
    found: list[Warlord] = []
    for placed in army.units:
        groups = [model for model in placed.groups if model.warlord]
        if not groups and not placed.unit.warlord:
            continue
        for model in groups:
            trait, trait_at = model.warlord_trait, f"{model.at}/warlord_trait"
            if trait is None and placed.unit.warlord_trait is not None:
                trait, trait_at = placed.unit.warlord_trait, f"{placed.at}/warlord_trait"
            found += [Warlord(placed, model, model.at, trait, trait_at)] * min(model.count, 2)
        if placed.unit.warlord and not groups:
            own = f"{placed.at}/warlord_trait"
            found.append(Warlord(placed, _only_model(placed), placed.at, placed.unit.warlord_trait, own))
    return found


def _only_model(placed: PlacedUnit) -> Model | None:
    return placed.models[0] if len(placed.models) == 1 else None


def warlord_chosen(army: Army) -> Iterator[Finding]:
    """HH-32: an army has a warlord; HH-33: and only one, else HH-34 to HH-42 are not asked."""
    marked = marked_models(army)
    if not marked:
        yield finding("HH-32", at=army.primary.at if army.primary else None)
    for extra in marked[1:]:
        yield finding("HH-33", at=f"{extra.at}/warlord", model=extra.name)
    if len(marked) < 2:
        yield from one_bound_to_lead(army)
    if len(marked) == 1:
        for rule in RULES_OF_THE_WARLORD:
            yield from rule(army, marked[0])


def warlord_of_the_primary(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-34: the warlord is in the Primary Detachment, unless he must be the warlord."""
    if not warlord.placed.detachment.is_primary and not warlord.placed.must_be_warlord:
        yield finding("HH-34", at=f"{warlord.at}/warlord", model=warlord.name)


def highest_step(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-35: nobody leads while somebody of a higher step could; HH-34, HH-36 and HH-37 come first."""
    if warlord.step is None or army.bound_warlords:
        return
    for step, required in ((Step.HQ_CHARACTER, words.HQ_CHARACTERS), (Step.CHARACTER, words.CHARACTERS)):
        if warlord.step <= step:
            return
        if candidates := _characters(army, hq_only=step is Step.HQ_CHARACTER):
            yield finding(
                "HH-35",
                at=f"{warlord.at}/warlord",
                model=warlord.name,
                required=required,
                candidates=", ".join(candidates),
            )
            return


def _characters(army: Army, *, hq_only: bool) -> list[str]:
    return [
        words.model_name(placed, model)
        for placed in army.units
        if placed.detachment.is_primary and (not hq_only or placed.role == BattlefieldRole.HQ)
        for model in placed.models
        if model.is_character
    ]


def vehicle_warlord(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-36: a vehicle leads only if it is a Character, or if its entry says that it must (L3650)."""
    if warlord.is_vehicle and not warlord.is_character and not warlord.placed.must_be_warlord:
        yield finding("HH-36", at=f"{warlord.at}/warlord", model=warlord.name)


def bound_to_lead(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-37: a Primarch, or another model that must be the warlord, leads wherever he is."""
    if army.bound_warlords and not warlord.placed.must_be_warlord:
        bound = army.bound_warlords[0]
        yield finding("HH-37", at=bound.at, model=bound.name)


def one_bound_to_lead(army: Army) -> Iterator[Finding]:
    """HH-38: an army has one model that must be the warlord, unless a rule makes an exception."""
    if army.must_be_warlord_exception:
        return
    names = ", ".join(bound.name for bound in army.bound_warlords)
    for extra in army.bound_warlords[1:]:
        yield finding("HH-38", at=extra.at, model=extra.name, models=names)


def trait_chosen(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-39: an HQ character who leads has a trait: chosen, or printed on him."""
    if warlord.placed.must_be_warlord or warlord.trait is not None:
        return
    if warlord.step is Step.HQ_CHARACTER and warlord.placed.unit.predetermined_warlord_trait is None:
        yield finding("HH-39", at=warlord.trait_at, model=warlord.name)


def no_trait_for_others(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-40: a warlord who is no HQ character gets no trait, unless it is printed on him, or he must lead."""
    if warlord.placed.must_be_warlord or warlord.trait is None:
        return
    printed = warlord.placed.unit.predetermined_warlord_trait
    if printed is not None and word(printed) == word(warlord.trait):  # his own book outranks this one (L329)
        return
    if warlord.step in (Step.CHARACTER, Step.ANY_MODEL):
        yield finding("HH-40", at=warlord.trait_at, model=warlord.name)


def predetermined_trait(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-41: a printed trait is not exchanged for another."""
    if warlord.trait is None:
        return
    printed = warlord.placed.unit.predetermined_warlord_trait
    if printed is not None and word(printed) != word(warlord.trait):
        yield finding("HH-41", at=warlord.trait_at, model=warlord.name, trait=printed)


def trait_available(army: Army, warlord: Warlord) -> Iterator[Finding]:
    """HH-42: a trait is one of the core traits, or made available by the faction or the model."""
    if warlord.trait is None:
        return
    printed = warlord.placed.unit.predetermined_warlord_trait
    available = {word(trait) for trait in (*army.allowed_warlord_traits, *((printed,) if printed else ()))}
    if word(warlord.trait) not in available | _CORE_WORDS:
        yield finding("HH-42", at=warlord.trait_at, model=warlord.name, trait=warlord.trait)


def traits_of_others(army: Army) -> Iterator[Finding]:
    """HH-43: only the warlord has a trait."""
    marked = marked_models(army)
    leaders, led_units = {warlord.at for warlord in marked}, {warlord.placed.at for warlord in marked}
    for placed in army.units:
        if placed.unit.warlord_trait is not None and placed.at not in led_units:
            yield finding("HH-43", at=f"{placed.at}/warlord_trait", model=placed.name)
        for model in placed.groups:
            if model.warlord_trait is not None and model.at not in leaders:
                yield finding("HH-43", at=f"{model.at}/warlord_trait", model=words.model_name(placed, model))


RULES_OF_THE_WARLORD = (
    warlord_of_the_primary,
    highest_step,
    vehicle_warlord,
    bound_to_lead,
    trait_chosen,
    no_trait_for_others,
    predetermined_trait,
    trait_available,
)
"""Asked when exactly one model is marked."""
