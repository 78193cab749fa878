"""Describing an event, handing a list in, writing to players, and choosing two lists to compare."""

import re
from collections.abc import Iterable
from itertools import count
from typing import Any

import msgspec
from django import forms
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.share_links import token_in
from armybuilder.events.checking import of_this_data
from armybuilder.events.models import Event, EventKind, Submission
from armybuilder.events.packs import EventPack, ExamplePack, ExtraField, read_pack
from armybuilder.events.services import FIELD_LENGTH, MESSAGE_LENGTH
from armybuilder.reference import queries as reference
from armybuilder.reference.queries import Game
from armybuilder.simulations.list_requests import ListReference
from armybuilder.web.formatting import localized, time_zone
from armybuilder.web.pages.games import data_set_choices


class _Moment(forms.DateTimeField):
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


def _in_its_zone(label: Any) -> Any:
    return format_lazy("{} ({})", label, lazy(time_zone, str)())


def _many_lines(label: Any, **more: Any) -> forms.CharField:
    return forms.CharField(label=label, widget=forms.Textarea(attrs={"rows": 3}), required=False, **more)


class PackForm(forms.Form):
    """What an event asks of lists, as fields: lists of things are written one a line."""

    points_limit = forms.IntegerField(label=_("Points"), min_value=1, max_value=1_000_000, required=False)
    deadline = _Moment(label=_in_its_zone(_("Lists are locked at")), required=False)
    reveal_at = _Moment(label=_in_its_zone(_("Lists are shown to everybody at")), required=False)
    factions = _many_lines(_("Only these factions"), help_text=_("One a line; none takes all."))
    detachments = _many_lines(_("Only these detachments"), help_text=_("One a line; none takes all."))
    bans = _many_lines(_("Banned"), help_text=_("One a line: unit or option, then a colon and why."))
    caps = _many_lines(_("At most"), help_text=_("One a line: unit, option or role, then a colon and a number."))
    releases = forms.CharField(
        label=_("Only these releases of the data"),
        help_text=_("Their numbers, with commas; none takes all."),
        max_length=400,
        required=False,
    )
    takes_illegal = forms.BooleanField(label=_("Take lists that are illegal by the book too"), required=False)
    refuses_unchecked = forms.BooleanField(label=_("Refuse lists with parts that could not be checked"), required=False)
    asked = _many_lines(
        _("What players say besides the list"), help_text=_("One a line; a star (*) behind what must be said.")
    )
    layout = forms.ChoiceField(label=_("All lists are handed out as"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the layouts there are."""
        super().__init__(*args, **kwargs)
        texts = [(one.id, localized(one.label)) for one in FORMATS.values() if one.pieces is not None]
        self.fields["layout"].choices = [("", "–"), *texts]  # type: ignore[attr-defined]

    def clean_caps(self) -> list[dict[str, Any]]:
        """Names with their numbers."""
        rows = [_parted(line) for line in _lines(self.cleaned_data["caps"])]
        for name, number in rows:
            if not re.fullmatch(r"\d{1,3}", number):
                raise forms.ValidationError(
                    gettext("“%(name)s”: write a colon and how many behind the name, such as “Troops: 6”.")
                    % {"name": name}
                )
        return [{"name": name, "most": int(number)} for name, number in rows]

    def clean_releases(self) -> list[int]:
        """Numbers of releases."""
        numbers = re.split(r"[\s,;]+", self.cleaned_data["releases"].strip())
        if wrong := [one for one in numbers if one and not re.fullmatch(r"[1-9]\d{0,6}", one)]:
            raise forms.ValidationError(gettext("“%(text)s” is no number of a release.") % {"text": wrong[0]})
        return [int(one) for one in numbers if one]

    def written(self, known: Iterable[ExtraField]) -> dict[str, Any]:
        """The parts of a pack that are written here, as plain values.

        Args:
            known: fields there were: one that is still asked in the same words keeps its name and both languages.
        """
        chosen = self.cleaned_data
        return {
            "points_limit": chosen["points_limit"],
            "factions": _lines(chosen["factions"]),
            "detachments": _lines(chosen["detachments"]),
            "releases": chosen["releases"],
            "bans": [{"name": name, "why": why} for name, why in map(_parted, _lines(chosen["bans"]))],
            "caps": chosen["caps"],
            "must_be_legal": not chosen["takes_illegal"],
            "take_unchecked": not chosen["refuses_unchecked"],
            "fields": _asked_fields(_lines(chosen["asked"]), known),
        } | ({"layout": chosen["layout"]} if chosen["layout"] else {})

    @staticmethod
    def initial_of(pack: EventPack) -> dict[str, Any]:
        """A pack as it is written here."""
        return {
            "points_limit": pack.points_limit,
            "factions": "\n".join(pack.factions),
            "detachments": "\n".join(pack.detachments),
            "releases": ", ".join(map(str, pack.releases)),
            "bans": "\n".join(f"{ban.name}: {ban.why}" if ban.why else ban.name for ban in pack.bans),
            "caps": "\n".join(f"{cap.name}: {cap.most}" for cap in pack.caps),
            "takes_illegal": not pack.must_be_legal,
            "refuses_unchecked": not pack.take_unchecked,
            "asked": "\n".join(localized(one.label) + ("*" if one.required else "") for one in pack.fields),
            "layout": pack.layout,
        }


class EventForm(PackForm):
    """An event: an example to begin with, and what is different about one's own."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)
    kind = forms.ChoiceField(label=_("What it is"), choices=EventKind.choices, initial=EventKind.EVENT)
    system = forms.ChoiceField(label=_("Game"))
    pack = forms.ChoiceField(label=_("Begin with"), required=False)

    field_order = ("name", "kind", "system", "pack")

    def __init__(self, games: Iterable[Game], examples: dict[str, ExamplePack], *args: Any, **kwargs: Any) -> None:
        """Take the games there are and the shipped packs."""
        super().__init__(*args, **kwargs)
        games = tuple(games)
        self.examples = examples
        self.fields["system"].choices = data_set_choices(games)  # type: ignore[attr-defined]
        ids = {game.home.pk for game in games}
        packs = [(key, localized(one.name)) for key, one in examples.items() if one.system in ids]
        self.fields["pack"].choices = [("", _("nothing")), *packs]  # type: ignore[attr-defined]

    def raw_pack(self) -> dict[str, Any]:
        """The pack as plain values, still to be read: what the example asks, and what is written besides."""
        example = self.examples.get(self.cleaned_data["pack"])
        system = reference.system(self.cleaned_data["system"])
        base = of_this_data(example.pack, system) if example is not None else EventPack()
        raw: dict[str, Any] = msgspec.to_builtins(base)
        for name, value in self.written(base.fields).items():
            if isinstance(value, bool):
                raw[name] = value if value is not getattr(EventPack(), name) else raw[name]
            elif isinstance(value, list):
                raw[name] = list({_name_of(one): one for one in (*raw[name], *value)}.values())
            elif value is not None:
                raw[name] = value
        return raw


class EventChangeForm(PackForm):
    """An event of one's own, described anew; game and kind stay."""

    name = forms.CharField(label=_("Name of the event"), max_length=120)

    field_order = ("name",)

    def __init__(self, event: Event, pack: EventPack, *args: Any, **kwargs: Any) -> None:
        """Begin with the event as it is."""
        shown = {"name": event.name, "deadline": event.deadline, "reveal_at": event.reveal_at}
        super().__init__(*args, initial=self.initial_of(pack) | shown, **kwargs)
        self.present = pack

    def changed_pack(self) -> EventPack:
        """The pack as it is written now."""
        return read_pack(msgspec.to_builtins(self.present) | self.written(self.present.fields))


class SubmissionForm(forms.Form):
    """A list to hand in: one of one's own, or the address of a shared one."""

    player = forms.CharField(label=_("Your name"), max_length=80)
    own = forms.ChoiceField(label=_("One of your lists"), required=False)
    share = forms.CharField(label=_("or the address of a shared list"), max_length=300, required=False)

    def __init__(self, pack: EventPack, lists: Iterable[ArmyList], *args: Any, **kwargs: Any) -> None:
        """Take what the event asks and the viewer's own lists of its game."""
        super().__init__(*args, **kwargs)
        self.fields["own"].choices = [("", "–"), *((str(one.pk), one.name) for one in lists)]  # type: ignore[attr-defined]
        self.asked = {f"asked-{one.name}": one.name for one in pack.fields}  # an event may ask for a “share”, too
        for field, one in zip(self.asked, pack.fields, strict=True):
            label = localized(one.label)
            self.fields[field] = forms.CharField(label=label, required=one.required, max_length=FIELD_LENGTH)

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
        return {name: self.cleaned_data[field] for field, name in self.asked.items()}


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
        players = _players(submissions)
        self.fields["first"].choices = self.fields["second"].choices = players  # type: ignore[attr-defined]
        self.fields["second"].initial = players[1][0] if len(players) > 1 else None


def _players(submissions: Iterable[Submission]) -> list[tuple[str, str]]:
    return [(str(one.pk), one.player) for one in submissions]


def _name_of(one: Any) -> Any:
    return one["name"] if isinstance(one, dict) else one


def _asked_fields(lines: Iterable[str], known: Iterable[ExtraField]) -> list[dict[str, Any]]:
    """Fields as plain values: a label a line, a star behind what must be said; new ones are named by their place.

    What is asked twice is asked once.
    """
    by_label = {localized(one.label): one for one in known}
    taken = {one.name for one in by_label.values()}
    free = (name for number in count(1) if (name := f"field_{number}") not in taken)
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        label = line.rstrip("* ")
        if label in found:
            continue
        same = by_label.get(label)
        found[label] = {
            "name": same.name if same else next(free),
            "label": msgspec.to_builtins(same.label) if same else {"en": label, "ru": label},
            "required": line.endswith("*"),
        }
    return list(found.values())


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _parted(line: str) -> tuple[str, str]:
    name, _colon, rest = line.partition(":")
    return name.strip(), rest.strip()
