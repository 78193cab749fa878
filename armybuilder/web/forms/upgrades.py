"""What an option is measured by: yardsticks, the player's own targets, units of another list, and conditions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.share_links import token_in
from armybuilder.simulations.list_requests import TARGETS
from armybuilder.simulations.models import SavedTarget
from armybuilder.simulations.targets import standard_targets
from armybuilder.web.formatting import localized
from armybuilder.web.forms.conditions import ConditionsForm

FIRST_YARDSTICKS = 4
"""So many of the game's targets are ticked for whoever asks for the first time."""


class UpgradeForm(ConditionsForm):
    """Targets by tick, and the conditions of the game."""

    standard = forms.MultipleChoiceField(label=_("Usual targets"), required=False, widget=forms.CheckboxSelectMultiple)
    saved = forms.MultipleChoiceField(label=_("My targets"), required=False, widget=forms.CheckboxSelectMultiple)
    opponent = forms.CharField(widget=forms.HiddenInput, required=False, max_length=300)
    units = forms.MultipleChoiceField(
        label=_("Units of the other list"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        system: str,
        saved: Iterable[SavedTarget],
        units: Sequence[tuple[str, str]],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """`system` is the rule pack; `units` are ids and names of the other list's units, where one was named."""
        super().__init__(*args, **kwargs)
        self._choose("standard", [(f"{system}/{one.key}", localized(one.name)) for one in standard_targets(system)])
        self._choose("saved", [(str(one.pk), one.name) for one in saved])
        self._choose("units", units)
        self.ask(system)

    def _choose(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(choices)

    @staticmethod
    def initial_of(asked: Mapping[str, Any] | None, system: str) -> dict[str, Any]:
        """What was ticked the last time, or the first yardsticks of the game."""
        if asked is None:
            return {"standard": [f"{system}/{one.key}" for one in standard_targets(system)[:FIRST_YARDSTICKS]]}
        named = asked.get("targets") or ()
        return {
            "standard": [one["standard"] for one in named if "standard" in one],
            "saved": [one["target"] for one in named if "target" in one],
            **(asked.get("conditions") or {}),
        }

    def clean(self) -> dict[str, Any]:
        """At least one target, and no more than are measured at once."""
        cleaned: dict[str, Any] = super().clean() or {}
        count = sum(len(cleaned.get(name) or ()) for name in ("standard", "saved", "units"))
        if not count:
            raise forms.ValidationError(_("Tick at least one target."))
        if count > TARGETS:
            words = {"n": TARGETS, "count": count}
            raise forms.ValidationError(_("Tick at most %(n)s targets; these are %(count)s.") % words)
        return cleaned

    def targets(self) -> list[dict[str, str]]:
        """The targets as `simulations.services` takes them."""
        chosen = self.cleaned_data
        return [
            *({"standard": key} for key in chosen["standard"]),
            *({"target": key} for key in chosen["saved"]),
            *({**list_reference(chosen["opponent"]), "unit": unit} for unit in chosen["units"]),
        ]


def list_reference(text: str) -> dict[str, str]:
    """An own list by its id or a shared one by its address, as simulations take it."""
    token = token_in(text)
    return {"share": token} if token else {"list": text}
