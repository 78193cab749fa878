"""A unit described by hand, field by field as its game asks for it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.engine.systems.target_profiles import TargetBook, TargetField, kind_of, read_side, written_side
from armybuilder.engine.systems.words import GameWords
from armybuilder.web.formatting import localized

LONGEST_TEXT = 300


class TargetForm(forms.Form):
    """Name and points, and a field for every member of the unit that its game asks about."""

    name = forms.CharField(label=_("Name of the target"), max_length=120)
    points = forms.DecimalField(label=_("Points"), min_value=0, max_value=100_000, decimal_places=2, initial=100)

    def __init__(self, book: TargetBook, words: GameWords, *args: Any, **kwargs: Any) -> None:
        """`book` is the game's yardsticks and form, `words` what its values are called."""
        super().__init__(*args, **kwargs)
        self.book = book
        side = book.side
        self._kinds = {one.name: kind_of(side, one.pointer) for one in book.fields}
        for one in book.fields:
            self.fields[one.name] = _field(one, *self._kinds[one.name], words)

    @staticmethod
    def initial_of(book: TargetBook, name: str, points: Decimal, side: Mapping[str, Any]) -> dict[str, Any]:
        """What the form shows of a unit; a field without a value stays empty."""
        shown = {one.name: "" for one in book.fields} | read_side(side, book.fields)
        texts = {key: ", ".join(value) if isinstance(value, (list, tuple)) else value for key, value in shown.items()}
        return {"name": name, "points": f"{points.normalize():f}", **texts}

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """The game's fields as they belong together."""
        for group, fields in groupby(self.book.fields, key=lambda one: one.group):
            yield localized(group), [self[one.name] for one in fields]

    def side(self) -> dict[str, Any]:
        """The unit as a side of the game's matchup documents, in plain values."""
        values = {name: self._value(name, kind) for name, (kind, _) in self._kinds.items()}
        return written_side(values, self.book, name=self.cleaned_data["name"])

    def refuse(self, at: str | None, message: str) -> None:
        """Put a refusal of the game beside the field it speaks of, or over the form."""
        place = (at or "").removeprefix("/side").removeprefix("/attacker").removeprefix("/defender")
        field = next((one.name for one in self.book.fields if one.pointer == place), None)
        self.add_error(field, message if field else f"{message} ({at})" if at else message)

    def _value(self, name: str, kind: str) -> object:
        value = self.cleaned_data.get(name)
        if kind == "texts":
            return [part for text in str(value or "").split(",") if (part := text.strip())]
        if kind == "mixed" and str(value or "").strip().isdecimal():
            return int(str(value))
        return value.strip() if isinstance(value, str) else value


def _field(one: TargetField, kind: str, choices: tuple[str, ...], words: GameWords) -> forms.Field:
    label = localized(one.label)
    if kind == "number":
        return forms.IntegerField(label=label, required=False, min_value=0, max_value=10_000, initial=one.default)
    if kind == "choice":
        return forms.ChoiceField(
            label=label,
            required=False,
            initial=one.default,
            choices=[(word, localized(words.value(word))) for word in choices],
        )
    return forms.CharField(label=label, required=False, max_length=LONGEST_TEXT, initial=one.default)
