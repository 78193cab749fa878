"""A side of a document with its rules read: who is in it, and what rules and names they have."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules, words_of
from armybuilder.engine.systems.horus_heresy.matchup import Group, Side

FEARLESS_TYPES = ("automata", "dreadnought", "primarch")
"""Unit types that have Fearless (L1569-L1613)."""


@dataclass(frozen=True)
class RuledUnit:
    """One side of a document with its rules read.

    Attributes:
        place: JSON pointer to the side.
    """

    side: Side
    place: str

    @cached_property
    def common(self) -> SpecialRules:
        """Rules of the whole side."""
        return SpecialRules(self.side.rules)

    @cached_property
    def rules(self) -> tuple[SpecialRules, ...]:
        """Rules of the models of each group: their own and the side's."""
        return tuple(SpecialRules((*self.side.rules, *group.rules)) for group in self.side.models)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The model groups."""
        return self.side.models

    @cached_property
    def models(self) -> int:
        """All models."""
        return self.side.count

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Indices of the groups that have models."""
        return tuple(i for i, group in enumerate(self.groups) if group.count)

    def any_model_has(self, name: str) -> bool:
        """Whether at least one model has the rule."""
        return bool(self.values_of_models(name))

    def values_of_models(self, name: str) -> frozenset[str | None]:
        """The different values that a rule of any model has in brackets; empty when no model has it."""
        return self._values.get(name, frozenset())

    @cached_property
    def _values(self) -> Mapping[str, frozenset[str | None]]:
        found: dict[str, set[str | None]] = {}
        for i in self.present:
            for name in self.rules[i]:
                found.setdefault(name, set()).update(self.rules[i].values(name))
        return {name: frozenset(values) for name, values in found.items()}

    def all_models_have(self, name: str) -> bool:
        """Whether every model has the rule."""
        return bool(self.present) and all(name in self.rules[i] for i in self.present)

    def is_fearless(self, index: int) -> bool:
        """Whether the models of a group are Fearless, by rule or by type."""
        return "fearless" in self.rules[index] or self.groups[index].is_a(*FEARLESS_TYPES)

    @cached_property
    def has_fearless(self) -> bool:
        """Whether the unit contains a Fearless model."""
        return any(self.is_fearless(i) for i in self.present)

    @cached_property
    def is_vehicle(self) -> bool:
        """Whether the unit is hit on armour values.

        Raises:
            BadDocument: vehicles and other models stand in one side.
        """
        kinds = {self.groups[i].has_armour_value for i in self.present}
        if len(kinds) > 1:
            raise BadDocument(
                "A side holds either vehicles or models with Toughness, not both.", f"{self.place}/models"
            )
        return kinds == {True}

    @cached_property
    def words(self) -> frozenset[str]:
        """What Hatred (X) and Preferred Enemy (X) may call this unit."""
        texts = [self.side.name or ""]
        for group, rules in zip(self.groups, self.rules, strict=True):
            texts += [group.name, group.type, *group.subtypes]
            for text in rules.texts:
                texts.append(text)
            texts += [value for value in rules.values("legiones astartes") if value]
        return words_of(text for text in texts if text)

    def majority(self, values: Iterable[tuple[int | None, int]]) -> int | None:
        """The value most models have; ties go to the highest (L730, L1218, L1241).

        Args:
            values: value and number of models.
        """
        count: Counter[int] = Counter()
        for value, models in values:
            if value is not None and models:
                count[value] += models
        return max(count, key=lambda value: (count[value], value), default=None)
