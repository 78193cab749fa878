"""Two lists of one game, and the conditions under which they meet once more, as the game asks for them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import Sample
from armybuilder.armylists.share_links import token_in
from armybuilder.engine.systems.game import battle_rules_of, matchup_rules_of, words_of
from armybuilder.simulations.models import RunKind
from armybuilder.web.formatting import localized, points
from armybuilder.web.forms.conditions import ConditionsForm
from armybuilder.web.forms.files import LIST_FILES

SIDES = ("attacker", "defender")


def _link() -> forms.CharField:
    return forms.CharField(
        label=_("A share link"), required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"})
    )


def _file() -> forms.FileField:
    return forms.FileField(
        label=_("A file"),
        required=False,
        help_text=_("It becomes one of your lists, in the folder “Opponents”."),
        widget=forms.FileInput(attrs={"accept": LIST_FILES}),
    )


class MatchupForm(forms.Form):
    """Each side is one's own list, a sample, a pasted share link or a file; conditions come after the answer."""

    attacker = forms.ChoiceField(label=_("My list"), required=False)
    attacker_link = _link()
    attacker_file = _file()
    defender = forms.ChoiceField(label=_("Their list"), required=False)
    defender_link = _link()
    defender_file = _file()

    def __init__(
        self, mine: QuerySet[ArmyList], system: str, *args: Any, samples: Iterable[Sample] = (), **kwargs: Any
    ) -> None:
        """`mine` and the samples are the lists to choose from; `system` is the rule pack of the game."""
        super().__init__(*args, **kwargs)
        self.system = system
        self.from_files: dict[str, str] = {}
        own = [(str(row.id), _with_points(row.name, row)) for row in mine]
        offered = [(one.link.token, _with_points(one.label, one.army_list)) for one in samples]
        choices: list[tuple[str, Any]] = [("", "–")]
        choices += [(gettext("My lists"), own)] if own else []
        choices += [(gettext("Samples"), offered)] if offered else []
        for side in SIDES:
            field = self.fields[side]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices
        self._propose([value for value, _label in (*own, *offered)], [value for value, _label in offered])

    def _propose(self, known: list[str], samples: list[str]) -> None:
        """Both sides filled in where there is something to fill in, so that one tap runs it."""
        first = self.initial.get("attacker_link") or self.initial.setdefault("attacker", next(iter(known), ""))
        if not self.initial.get("defender_link"):
            self.initial.setdefault("defender", next((one for one in (*samples, *known) if one != first), ""))

    @property
    def sides(self) -> list[tuple[str, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """For each side its name, and its fields: choice, link, file."""
        return [(side, self[side], self[f"{side}_link"], self[f"{side}_file"]) for side in SIDES]

    @staticmethod
    def initial_of(query: QueryDict) -> dict[str, str]:
        """Lists and links that an address proposes, e.g. from a builder or a shared page."""
        initial = {}
        for side in SIDES:
            if proposed := query.get(side):
                initial[f"{side}_link" if not _is_uuid(proposed) else side] = proposed
        return initial

    @staticmethod
    def proposed_lists(query: QueryDict) -> Iterator[dict[str, str]]:
        """References to the lists that an address or a sent form names, as far as they are any."""
        for side in SIDES:
            for text in (query.get(f"{side}_link", ""), query.get(side, "")):
                if _is_uuid(text):
                    yield {"list": text}
                elif token := token_in(text):
                    yield {"share": token}

    def clean(self) -> dict[str, Any]:
        """Exactly one of list, link and file on each side; a link must be one."""
        cleaned: dict[str, Any] = super().clean() or {}
        for side in SIDES:
            link = cleaned.get(f"{side}_link", "")
            if link and token_in(link) is None:
                self.add_error(f"{side}_link", _("This is no address of a shared list."))
            elif not (link or cleaned.get(side) or cleaned.get(f"{side}_file")) and not self._has_errors(side):
                self.add_error(side, _("Choose a list, or give a link or a file."))
        return cleaned

    def _has_errors(self, side: str) -> bool:
        return any(name.startswith(side) for name in self.errors)

    def uploads(self) -> Iterator[tuple[str, UploadedFile]]:
        """The sides that are files."""
        for side in SIDES:
            if found := self.cleaned_data.get(f"{side}_file"):
                yield side, found

    @property
    def knows_battles(self) -> bool:
        """Whether lists of this game can fight whole battles."""
        return battle_rules_of(self.system) is not None

    @property
    def battle_course(self) -> str:
        """What happens in a whole battle of this game."""
        return localized(words_of(self.system).battle)

    def question(self) -> dict[str, Any]:
        """The request as `simulations.services` takes it; a file goes before a link, a link before a chosen list."""
        sides = {side: self._reference(side) for side in SIDES}
        if self.knows_battles and self.data.get("kind") == RunKind.BATTLE:
            return {"kind": RunKind.BATTLE.value, **sides}
        return {"kind": RunKind.MATRIX.value, "system": self.system, **sides}

    def _reference(self, side: str) -> dict[str, str]:
        if side in self.from_files:
            return {"list": self.from_files[side]}
        link = self.cleaned_data[f"{side}_link"]
        if link:
            return {"share": token_in(link) or ""}
        chosen = self.cleaned_data[side]
        return {"list": chosen} if _is_uuid(chosen) else {"share": chosen}


class AgainForm(ConditionsForm):
    """The conditions of a question that was answered, to ask it once more under others."""

    def __init__(self, asked: Mapping[str, Any], system: str, data: QueryDict | None = None) -> None:
        """`asked` is the question as it was put; `system` its rule pack."""
        stated = {name: value for name, value in (asked.get("conditions") or {}).items() if value is not None}
        super().__init__(data, initial=stated | {"attack": asked.get("attack")})
        self.asked = asked
        attacks = matchup_rules_of(system).matrix
        if asked["kind"] == RunKind.MATRIX and len(attacks) > 1:
            self.fields["attack"] = forms.ChoiceField(
                label=_("What all pairs are worked out for"),
                choices=[(name, localized(words_of(system).attacks[name].name)) for name in attacks],
                required=False,
            )
        self.ask(system)

    def question(self) -> dict[str, Any]:
        """The same question under the conditions of the form."""
        attack = self.cleaned_data.get("attack")
        kept = {name: value for name, value in self.asked.items() if name != "attack"}
        return kept | ({"attack": attack} if attack else {}) | {"conditions": self.conditions()}


def missions_of_game(system: str) -> list[tuple[str, str]]:
    """The missions of a game's whole battles as choices, the usual one first; empty where there is only one."""
    rules = battle_rules_of(system)
    return [] if rules is None else [(name, localized(mission.name)) for name, mission in rules.MISSIONS.items()]


def _with_points(name: str, row: ArmyList) -> str:
    return f"{name} ({points(row.points or 0)})"


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
