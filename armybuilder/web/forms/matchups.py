"""Two lists and the circumstances under which they meet."""

from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.share_links import token_in

SIDES = ("attacker", "defender")
SWITCHES = ("moved", "charge", "night_fighting")


class MatchupForm(forms.Form):
    """Each side is one's own list or a pasted share link."""

    attacker = forms.ChoiceField(label=_("My list"), required=False)
    attacker_link = forms.CharField(
        label=_("or a share link"), required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"})
    )
    defender = forms.ChoiceField(label=_("Their list"), required=False)
    defender_link = forms.CharField(
        label=_("or a share link"), required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"})
    )
    distance = forms.IntegerField(label=_("Distance, inches"), min_value=0, max_value=200, initial=12)
    cover = forms.ChoiceField(
        label=_("Cover of the target"),
        choices=[("", _("none")), ("6+", "6+"), ("5+", "5+"), ("4+", "4+"), ("3+", "3+")],
        required=False,
    )
    facing = forms.ChoiceField(
        label=_("Armour of vehicles that is hit"),
        choices=[("front", _("front")), ("side", _("side")), ("rear", _("rear"))],
        required=False,
    )
    moved = forms.BooleanField(label=_("My units moved before shooting"), required=False)
    charge = forms.BooleanField(label=_("An assault begins with a charge"), required=False, initial=True)
    night_fighting = forms.BooleanField(label=_("Night fighting"), required=False)

    def __init__(self, mine: QuerySet[ArmyList], *args: Any, **kwargs: Any) -> None:
        """`mine` are the lists to choose from."""
        super().__init__(*args, **kwargs)
        choices = [("", "–"), *((str(row.id), f"{row.name} ({row.points or 0:.0f})") for row in mine)]
        for side in SIDES:
            field = self.fields[side]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    @staticmethod
    def initial_of(query: QueryDict) -> dict[str, str]:
        """Lists and links that an address proposes, e.g. from a builder or a shared page."""
        initial = {}
        for side in SIDES:
            if proposed := query.get(side):
                initial[f"{side}_link" if not _is_uuid(proposed) else side] = proposed
        return initial

    def clean(self) -> dict[str, Any]:
        """Exactly one of list and link on each side; a link must be one."""
        cleaned: dict[str, Any] = super().clean() or {}
        for side in SIDES:
            link = cleaned.get(f"{side}_link", "")
            if link and token_in(link) is None:
                self.add_error(f"{side}_link", _("This is no address of a shared list."))
            elif not link and not cleaned.get(side) and side not in self.errors:
                self.add_error(side, _("Choose a list, or paste a share link."))
        return cleaned

    @property
    def switches(self) -> list[forms.BoundField]:
        """The circumstances that either hold or not."""
        return [self[name] for name in SWITCHES]

    def question(self) -> dict[str, Any]:
        """The request as `simulations.services` takes it; a pasted link goes before a chosen list."""
        chosen = self.cleaned_data
        conditions: dict[str, Any] = {"distance": chosen["distance"]}
        if chosen["cover"]:
            conditions["cover"] = chosen["cover"]
        if chosen["facing"]:
            conditions["facing"] = chosen["facing"]
        conditions |= {name: chosen[name] for name in SWITCHES}
        return {
            "kind": "matrix",
            **{side: self._reference(side) for side in SIDES},
            "conditions": conditions,
        }

    def _reference(self, side: str) -> dict[str, str]:
        link = self.cleaned_data[f"{side}_link"]
        return {"share": token_in(link) or ""} if link else {"list": self.cleaned_data[side]}


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
