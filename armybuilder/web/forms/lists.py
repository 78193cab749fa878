"""Finding and ordering one's lists."""

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.models import ArmyList, VerdictChoice

ORDERS = {
    "-updated": _("last changed"),
    "name": _("name"),
    "-points": _("points, most first"),
    "points": _("points, fewest first"),
}


class ListFilter(django_filters.FilterSet):
    """`q` in name, faction or folder; a verdict; an order."""

    q = django_filters.CharFilter(method="containing")
    verdict = django_filters.ChoiceFilter(choices=VerdictChoice.choices)
    sort = django_filters.ChoiceFilter(choices=list(ORDERS.items()), method="ordered")

    class Meta:
        model = ArmyList
        fields: list[str] = []

    def containing(self, lists: QuerySet[ArmyList], name: str, value: str) -> QuerySet[ArmyList]:
        """Lists that have every word somewhere in name, factions or folder."""
        for word in value.split():
            lists = lists.filter(
                Q(name__icontains=word) | Q(faction_names__icontains=word) | Q(folder__icontains=word)
            )
        return lists

    def ordered(self, lists: QuerySet[ArmyList], name: str, value: Any) -> QuerySet[ArmyList]:
        """The chosen order; equal ones by id, so that pages never overlap."""
        return lists.order_by(value, "id")
