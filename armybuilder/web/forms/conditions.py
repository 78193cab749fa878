"""The conditions of a game as form fields: those that are always asked for, and special cases that fold away."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.engine.systems.game import matchup_rules_of, words_of
from armybuilder.web.formatting import localized

ALWAYS = ("attack",)
"""Fields that are no circumstance but stand before them."""


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together.

    Attributes:
        title: empty for those that are always shown.
        values, switches: fields with a value, and those that hold or not.
        is_open: something in it was changed, or is wrong.
    """

    title: str
    values: tuple[forms.BoundField, ...]
    switches: tuple[forms.BoundField, ...]
    is_open: bool


class ConditionsForm(forms.Form):
    """A form that ends with the conditions of a game."""

    def ask(self, system: str) -> None:
        """Add the fields of a game."""
        self._words = words_of(system)
        self._asked = dict(circumstance_fields(system))
        self.fields |= self._asked

    @property
    def groups(self) -> list[Group]:
        """What is always shown, then the special cases that the game knows."""
        special = {name: case for name in self._asked if (case := self._words.conditions[name].special)}
        first = [name for name in (*ALWAYS, *self._asked) if name in self.fields and name not in special]
        groups = [self._group("", first)]
        for case, title in self._words.special_cases.items():
            if known := [name for name, its_case in special.items() if its_case == case]:
                groups.append(self._group(localized(title), known))
        return groups

    def _group(self, title: str, names: list[str]) -> Group:
        fields = [self[name] for name in names]
        return Group(
            title=title,
            values=tuple(field for field in fields if not isinstance(field.field, forms.BooleanField)),
            switches=tuple(field for field in fields if isinstance(field.field, forms.BooleanField)),
            is_open=any(field.errors or str(field.value() or "") != str(field.field.initial or "") for field in fields),
        )

    def conditions(self) -> dict[str, Any]:
        """The conditions as the game takes them."""
        chosen = self.cleaned_data
        return {name: chosen[name] for name in self._asked if chosen[name] not in ("", None)}


def circumstance_fields(system: str) -> Iterator[tuple[str, forms.Field]]:
    """A form field for each circumstance of a game, by the type of the member."""
    words = words_of(system)
    for member in msgspec.structs.fields(matchup_rules_of(system).conditions):
        label = localized(words.conditions[member.name].label)
        kind, bounds, optional = _unwrapped(member.type)
        if kind is bool:
            yield member.name, forms.BooleanField(label=label, required=False, initial=member.default)
        elif get_origin(kind) is Literal:
            choices = [("", str(_("none")))] if optional else []
            choices += [(str(item), localized(words.value(item))) for item in get_args(kind)]
            yield (
                member.name,
                forms.ChoiceField(label=label, choices=choices, required=False, initial=member.default),
            )
        else:
            yield (
                member.name,
                forms.IntegerField(
                    label=label,
                    required=not optional,
                    min_value=_whole(bounds.ge if bounds else None),
                    max_value=_whole(bounds.le if bounds else None),
                    initial=member.default,
                ),
            )


def _unwrapped(kind: Any) -> tuple[Any, msgspec.Meta | None, bool]:
    """A member's plain type, its bounds, and whether it may be left out."""
    bounds, optional = None, False
    while True:
        if get_origin(kind) is Annotated:
            bounds = next((note for note in kind.__metadata__ if isinstance(note, msgspec.Meta)), bounds)
            kind = get_args(kind)[0]
        elif get_origin(kind) in (Union, UnionType):
            optional = True
            kind = next(item for item in get_args(kind) if item is not NoneType)
        else:
            return kind, bounds, optional


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
