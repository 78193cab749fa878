"""Finding and ordering one's lists, and starting a new one."""

from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists import queries
from armybuilder.armylists.limits import NAME_LENGTH, POINTS
from armybuilder.armylists.models import ArmyList, VerdictChoice
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import russian_names
from armybuilder.reference import queries as reference
from armybuilder.reference.models import Detachment, Faction, ForceOrganisation
from armybuilder.reference.names import Names
from armybuilder.web.pages.facts import knows_fact

ORDERS = {
    "-updated": _("last changed"),
    "name": _("name"),
    "-points": _("points, most first"),
    "points": _("points, fewest first"),
}


class ListFilter(django_filters.FilterSet):
    """`q` in name, faction or folder; a verdict; an order."""

    q = django_filters.CharFilter(method="containing")
    folder = django_filters.CharFilter(field_name="folder")
    verdict = django_filters.ChoiceFilter(choices=VerdictChoice.choices)
    sort = django_filters.ChoiceFilter(choices=list(ORDERS.items()), method="ordered")

    class Meta:
        model = ArmyList
        fields: list[str] = []

    def containing(self, lists: QuerySet[ArmyList], name: str, value: str) -> QuerySet[ArmyList]:
        """Lists that have every word somewhere in name, factions or folder."""
        return queries.lists_containing(lists, value)

    def ordered(self, lists: QuerySet[ArmyList], name: str, value: Any) -> QuerySet[ArmyList]:
        """The chosen order; equal ones by id, so that pages never overlap."""
        return queries.in_order(lists, value)


class NewListForm(forms.Form):
    """What a list begins with, for one game system."""

    name = forms.CharField(
        label=_("Name of the list"), required=False, max_length=NAME_LENGTH, help_text=_("Empty: faction and points.")
    )
    faction = forms.ChoiceField(label=_("Faction"))
    points_limit = forms.IntegerField(
        label=_("Points limit"), min_value=0, max_value=POINTS, required=False, help_text=_("Empty: no limit.")
    )
    allegiance = forms.ChoiceField(
        label=_("Allegiance"),
        choices=[("loyalist", _("Loyalist")), ("traitor", _("Traitor"))],
        widget=forms.RadioSelect,
        required=False,
    )
    chart = forms.ChoiceField(label=_("Force organisation chart"), required=False)
    ally = forms.ChoiceField(label=_("Allied Detachment"), required=False, help_text=_("It can also be added later."))

    def __init__(self, system: PublishedSystem, *args: Any, **kwargs: Any) -> None:
        """The choices are those of the system's current release."""
        super().__init__(*args, **kwargs)
        self.system = system
        self.factions: dict[str, Faction] = {row.catalogue_id: row for row in reference.factions(system.id)}
        self.charts: dict[str, ForceOrganisation] = {row.key: row for row in reference.force_organisations(system.id)}
        labels = [(row.catalogue_id, row.label) for row in self.factions.values()]
        self._choose("faction", labels)
        self._choose("ally", [("", _("none")), *labels])
        charts = [(key, chart.label) for key, chart in self.charts.items()]
        self._choose("chart", [("", _("the usual one of the faction")), *charts])
        if not self.charts:
            del self.fields["chart"]
            del self.fields["ally"]
        if not knows_fact(system.rule_pack, "allegiance"):
            del self.fields["allegiance"]

    def clean(self) -> dict[str, Any]:
        """Fixed allegiances hold; the ally is another faction."""
        cleaned: dict[str, Any] = super().clean() or {}
        faction = self.factions.get(cleaned.get("faction", ""))
        fixed = faction.for_alliances.fixed_allegiance if faction else ""
        if fixed and cleaned.get("allegiance") and cleaned["allegiance"] != fixed:
            self.add_error("allegiance", _("This faction is always on the other side."))
        if cleaned.get("ally") and cleaned["ally"] == cleaned.get("faction"):
            self.add_error("ally", _("An Allied Detachment is of another faction than the Primary Detachment."))
        return cleaned

    def arguments(self) -> dict[str, Any]:
        """What `create_army_list` wants to know."""
        chosen = self.cleaned_data
        faction = self.factions[chosen["faction"]]
        limit = chosen.get("points_limit")
        return {
            "system_id": self.system.id,
            "name": chosen["name"].strip() or f"{faction.label}{'' if limit is None else f', {limit}'}",
            "catalogue_id": chosen["faction"],
            "points_limit": limit,
            "allegiance": chosen.get("allegiance") or None,
            "force_entry_id": _primary_entry(self.charts.get(chosen.get("chart", ""))),
            "allied_catalogue_id": chosen.get("ally") or None,
        }

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class NewHeroForm(forms.Form):
    """What a hero begins with, for a game whose lists are heroes."""

    character = forms.ChoiceField(label=_("Character"), required=False)
    name = forms.CharField(
        label=_("Name of the list"), required=False, max_length=NAME_LENGTH, help_text=_("Empty: the character.")
    )

    def __init__(self, system: PublishedSystem, *args: Any, **kwargs: Any) -> None:
        """The characters are those of the system's current release."""
        super().__init__(*args, **kwargs)
        self.system = system
        assert system.current_release_id is not None
        names = Names(russian_names(system.current_release_id))
        cards = cards_of(system.current_release_id).characters
        self.labels = {card.name: names(card.name) for card in cards if card.name}
        field = self.fields["character"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*self.labels.items(), ("", _("another one, written in on the page"))]
        field.initial = next(iter(self.labels), "")

    def arguments(self) -> dict[str, Any]:
        """What `create_hero` wants to know."""
        character = self.cleaned_data["character"]
        return {
            "system_id": self.system.id,
            "name": self.cleaned_data["name"].strip() or self.labels.get(character) or gettext("Hero"),
            "character": character or None,
        }


def _primary_entry(chart: ForceOrganisation | None) -> str | None:
    """The force entry of the chart's primary detachment; None leaves it to the faction."""
    if chart is None:
        return None
    detachments = list(chart.detachments.all())
    primary = [row for row in detachments if row.type == Detachment.Type.PRIMARY] or detachments
    return primary[0].entry_id if primary else None
