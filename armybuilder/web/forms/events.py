"""Describing an event, handing a list in, writing to players, and choosing two lists to compare."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.share_links import token_in
from armybuilder.events.models import Event, EventKind, Submission
from armybuilder.events.packs import EventPack, ExamplePack, read_pack
from armybuilder.events.services import FIELD_LENGTH, MESSAGE_LENGTH
from armybuilder.reference.models import PublishedSystem
from armybuilder.simulations.list_requests import ListReference
from armybuilder.web.formatting import localized


class _Moment(forms.DateTimeField):
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class EventForm(forms.Form):
    """An event: an example to begin with, and what is different about one's own."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    kind = forms.ChoiceField(label=_("What it is"), choices=EventKind.choices, initial=EventKind.EVENT)
    system = forms.ChoiceField(label=_("Game"))
    pack = forms.ChoiceField(label=_("Begin with"), required=False)
    points_limit = forms.IntegerField(label=_("Points"), min_value=1, max_value=1_000_000, required=False)
    bans = forms.CharField(
        label=_("Banned, one a line: unit or option, then a colon and why"),
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
    )
    caps = forms.CharField(
        label=_("At most, one a line: unit, option or role, then a colon and a number"),
        widget=forms.Textarea(attrs={"rows": 4}),
        required=False,
    )
    deadline = _Moment(label=_("Lists are locked at (UTC)"), required=False)
    reveal_at = _Moment(label=_("Lists are shown to everybody at (UTC)"), required=False)

    def __init__(
        self, systems: Iterable[PublishedSystem], examples: dict[str, ExamplePack], *args: Any, **kwargs: Any
    ) -> None:
        """Take the games there are and the shipped packs."""
        super().__init__(*args, **kwargs)
        self.examples = examples
        known = [(system.pk, system.label) for system in systems]
        self.fields["system"].choices = known  # type: ignore[attr-defined]
        packs = [(key, localized(one.name)) for key, one in examples.items() if one.system in dict(known)]
        self.fields["pack"].choices = [("", _("nothing")), *packs]  # type: ignore[attr-defined]

    def clean_caps(self) -> list[dict[str, Any]]:
        """Names with their numbers."""
        rows = [_parted(line) for line in _lines(self.cleaned_data["caps"])]
        for name, number in rows:
            if not re.fullmatch(r"\d{1,3}", number):
                raise forms.ValidationError(gettext("Behind “%(name)s:” stands how many.") % {"name": name})
        return [{"name": name, "most": int(number)} for name, number in rows]

    def raw_pack(self) -> dict[str, Any]:
        """The pack as plain values, still to be read."""
        chosen = self.cleaned_data
        example = self.examples.get(chosen["pack"])
        base = example.pack if example is not None else EventPack()
        bans = [{"name": name, "why": why} for name, why in map(_parted, _lines(chosen["bans"]))]
        return {
            "points_limit": chosen["points_limit"] or base.points_limit,
            "releases": list(base.releases),
            "detachments": list(base.detachments),
            "factions": list(base.factions),
            "bans": [*({"name": ban.name, "why": ban.why} for ban in base.bans), *bans],
            "caps": [*({"name": cap.name, "most": cap.most} for cap in base.caps), *chosen["caps"]],
            "fields": [
                {"name": one.name, "label": {"en": one.label.en, "ru": one.label.ru}, "required": one.required}
                for one in base.fields
            ],
            "must_be_legal": base.must_be_legal,
            "take_unchecked": base.take_unchecked,
            "layout": base.layout,
        }


class EventChangeForm(EventForm):
    """An event of one's own, described anew; game and kind stay."""

    def __init__(self, event: Event, pack: EventPack, *args: Any, **kwargs: Any) -> None:
        """Begin with the event as it is."""
        initial = {
            "name": event.name,
            "points_limit": pack.points_limit,
            "bans": "\n".join(f"{ban.name}: {ban.why}" if ban.why else ban.name for ban in pack.bans),
            "caps": "\n".join(f"{cap.name}: {cap.most}" for cap in pack.caps),
            "deadline": event.deadline,
            "reveal_at": event.reveal_at,
        }
        super().__init__((), {}, *args, initial=initial, **kwargs)
        self.present = pack
        for name in ("kind", "system", "pack"):
            del self.fields[name]

    def changed_pack(self) -> EventPack:
        """The pack with other points, bans and caps; what the form does not ask stays."""
        chosen = self.cleaned_data
        raw = msgspec.to_builtins(self.present) | {
            "points_limit": chosen["points_limit"],
            "bans": [{"name": name, "why": why} for name, why in map(_parted, _lines(chosen["bans"]))],
            "caps": chosen["caps"],
        }
        return read_pack(raw)


class SubmissionForm(forms.Form):
    """A list to hand in: one of one's own, or the address of a shared one."""

    player = forms.CharField(label=_("Your name"), max_length=80)
    own = forms.ChoiceField(label=_("One of your lists"), required=False)
    share = forms.CharField(label=_("or the address of a shared list"), max_length=300, required=False)

    def __init__(self, pack: EventPack, lists: Iterable[ArmyList], *args: Any, **kwargs: Any) -> None:
        """Take what the event asks and the viewer's own lists of its game."""
        super().__init__(*args, **kwargs)
        self.fields["own"].choices = [("", "–"), *((str(one.pk), one.name) for one in lists)]  # type: ignore[attr-defined]
        self.asked = tuple(one.name for one in pack.fields)
        for one in pack.fields:
            label = localized(one.label)
            self.fields[one.name] = forms.CharField(label=label, required=one.required, max_length=FIELD_LENGTH)

    def clean(self) -> dict[str, Any]:
        """Exactly one list is named."""
        chosen = super().clean() or self.cleaned_data
        share = chosen.get("share", "")
        if bool(chosen.get("own")) == bool(share):
            raise forms.ValidationError(gettext("Choose one of your lists, or give the address of a shared one."))
        if share and token_in(share) is None:
            self.add_error("share", gettext("This is no address of a shared list."))
        return chosen

    def reference(self) -> ListReference:
        """The list that is handed in."""
        chosen = self.cleaned_data
        return ListReference(list=chosen["own"] or None, share=chosen["share"] or None)

    def extra(self) -> dict[str, str]:
        """What the event asks besides."""
        return {name: self.cleaned_data[name] for name in self.asked}


class MessageForm(forms.Form):
    """Words to one player or to all."""

    to = forms.ChoiceField(label=_("To"), required=False)
    text = forms.CharField(label=_("Message"), max_length=MESSAGE_LENGTH, widget=forms.Textarea(attrs={"rows": 4}))

    def __init__(self, submissions: Iterable[Submission], *args: Any, **kwargs: Any) -> None:
        """Take who has handed in."""
        super().__init__(*args, **kwargs)
        self.fields["to"].choices = [("", _("everybody")), *_players(submissions)]  # type: ignore[attr-defined]


class PairingForm(forms.Form):
    """Two lists to be set against each other."""

    first = forms.ChoiceField(label=_("First list"))
    second = forms.ChoiceField(label=_("Second list"))

    def __init__(self, submissions: Iterable[Submission], *args: Any, **kwargs: Any) -> None:
        """Take who has handed in."""
        super().__init__(*args, **kwargs)
        self.fields["first"].choices = self.fields["second"].choices = _players(submissions)  # type: ignore[attr-defined]


def _players(submissions: Iterable[Submission]) -> list[tuple[str, str]]:
    return [(str(one.pk), one.player) for one in submissions]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _parted(line: str) -> tuple[str, str]:
    name, _colon, rest = line.partition(":")
    return name.strip(), rest.strip()
