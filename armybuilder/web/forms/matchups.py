"""Two lists of one game and the circumstances under which they meet, as the game asks for them."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django import forms
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
from armybuilder.web.forms.circumstances import CircumstancesForm

SIDES = ("attacker", "defender")


class MatchupForm(CircumstancesForm):
    """Each side is one's own list or a pasted share link; the other fields are those of the game."""

    attacker = forms.ChoiceField(label=_("My list"), required=False)
    attacker_link = forms.CharField(
        label=_("or a share link"), required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"})
    )
    defender = forms.ChoiceField(label=_("Their list"), required=False)
    defender_link = forms.CharField(
        label=_("or a share link"), required=False, max_length=300, widget=forms.TextInput(attrs={"inputmode": "url"})
    )

    def __init__(
        self, mine: QuerySet[ArmyList], system: str, *args: Any, samples: Iterable[Sample] = (), **kwargs: Any
    ) -> None:
        """`mine` and the samples are the lists to choose from; `system` is the rule pack of the game."""
        super().__init__(*args, **kwargs)
        self.system = system
        choices: list[tuple[str, Any]] = [("", "–"), *((str(row.id), _with_points(row.name, row)) for row in mine)]
        if offered := [(one.link.token, _with_points(one.label, one.army_list)) for one in samples]:
            choices.append((gettext("Samples"), offered))
        for side in SIDES:
            field = self.fields[side]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices
        attacks = matchup_rules_of(system).MATRIX
        if len(attacks) > 1:
            self.fields["attack"] = forms.ChoiceField(
                label=_("What all pairs are worked out for"),
                choices=[(name, localized(words_of(system).attacks[name].name)) for name in attacks],
                required=False,
            )
        if missions := missions_of_game(system):
            self.fields["mission"] = forms.ChoiceField(
                label=_("Mission of whole battles"), choices=missions, required=False
            )
        self.ask(system)

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
    def knows_battles(self) -> bool:
        """Whether lists of this game can fight whole battles."""
        return battle_rules_of(self.system) is not None

    @property
    def battle_course(self) -> str:
        """What happens in a whole battle of this game."""
        return localized(words_of(self.system).battle)

    def question(self) -> dict[str, Any]:
        """The request as `simulations.services` takes it; a pasted link goes before a chosen list."""
        chosen = self.cleaned_data
        sides = {side: self._reference(side) for side in SIDES}
        if self.knows_battles and self.data.get("kind") == RunKind.BATTLE:
            mission = {"mission": chosen["mission"]} if chosen.get("mission") else {}
            return {"kind": RunKind.BATTLE.value, **sides, **mission}
        attack = {"attack": chosen["attack"]} if chosen.get("attack") else {}
        return {
            "kind": "matrix",
            "system": self.system,
            **sides,
            **attack,
            "conditions": self.conditions(),
        }

    def _reference(self, side: str) -> dict[str, str]:
        link = self.cleaned_data[f"{side}_link"]
        if link:
            return {"share": token_in(link) or ""}
        chosen = self.cleaned_data[side]
        return {"list": chosen} if _is_uuid(chosen) else {"share": chosen}


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
