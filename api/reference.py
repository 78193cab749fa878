"""Published game data for reading: systems, factions, units, force organisation charts, alliances, fortifications."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.pages import Collection, PageOut, filtered, parameters_of
from api.reading import one_of
from api.schema import PUBLIC, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.engine.findings import Text
from armybuilder.reference import queries
from armybuilder.reference.magic import lores
from armybuilder.reference.models import (
    AllianceLevel,
    BattlefieldRole,
    Detachment,
    Faction,
    ForceOrganisation,
    Fortification,
    MagicItem,
    Slot,
    UnitEntry,
)

MOST_POINTS = 1_000_000


@extend_schema_field({"type": "number"})
class PointsField(serializers.Field[Any, Any, Any, Any]):
    """Points as a JSON number: whole ones without a fraction."""

    def to_representation(self, value: Any) -> int | float:
        """The number; JSON columns hold exact ones as text."""
        exact = Decimal(str(value))
        return int(exact) if exact == exact.to_integral_value() else float(exact)


@extend_schema_field(ref(Text))
class LocalizedField(serializers.Field[Any, Any, Any, Any]):
    """A text in both languages, of two columns or keys; without a Russian one the English stands for both."""

    def __init__(self, english: str = "name", russian: str = "", **options: Any) -> None:
        """Take the names of the two members."""
        super().__init__(**{"source": "*", "read_only": True, **options})
        self.members = english, russian or f"{english}_ru"

    def to_representation(self, value: Any) -> dict[str, str]:
        """The text as `en` and `ru`."""
        english, russian = (_member(value, name) for name in self.members)
        return {"en": english, "ru": russian or english}


def _member(value: Any, name: str) -> str:
    return str((value.get(name) if isinstance(value, Mapping) else getattr(value, name)) or "")


class ReleaseOut(serializers.ModelSerializer[DataRelease]):
    """The set of data files that is published now."""

    class Meta:
        model = DataRelease
        fields = ("id", "number", "name", "revision", "content_hash", "created_at")


class SystemOut(serializers.ModelSerializer[PublishedSystem]):
    """A game that lists can be built for; without a rule pack only its data is checked."""

    name = LocalizedField()
    release = ReleaseOut(source="current_release")

    class Meta:
        model = PublishedSystem
        fields = ("id", "name", "rule_pack", "release")


class RoleOut(serializers.ModelSerializer[BattlefieldRole]):
    """A battlefield role."""

    name = LocalizedField()

    class Meta:
        model = BattlefieldRole
        fields = ("key", "name")


class FactionOut(serializers.ModelSerializer[Faction]):
    """A faction; `catalogue_id` is what a new list is built from, empty for one of the alliance matrix only."""

    name = LocalizedField()
    belongs_to = serializers.SlugRelatedField[Faction](slug_field="key", read_only=True, allow_null=True)
    unit_count = serializers.IntegerField()

    class Meta:
        model = Faction
        fields = (
            "key",
            "name",
            "legion",
            "fixed_allegiance",
            "belongs_to",
            "catalogue_id",
            "catalogue_name",
            "unit_count",
        )


class UnitRow(serializers.ModelSerializer[UnitEntry]):
    """A unit in its default configuration; `entry_id` is what an edit of a list takes."""

    name = LocalizedField()
    faction = serializers.CharField(source="faction.key")
    role = serializers.CharField(source="role.key", default=None, allow_null=True)
    points = PointsField()
    models = serializers.IntegerField(source="models_count")

    class Meta:
        model = UnitEntry
        fields = ("id", "entry_id", "name", "faction", "role", "category_name", "points", "models", "rules")


class UnitPage(PageOut):
    """A page of units."""

    results = UnitRow(many=True)


PROFILES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "name": {"type": "string"},
            "characteristics": {
                "type": "array",
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            },
        },
    },
}


@extend_schema_field(PROFILES)
class ProfilesField(serializers.JSONField):
    """Profiles as the data gives them."""


@extend_schema_field({"type": "array", "items": {"type": "string"}})
class NamesField(serializers.JSONField):
    """A list of names."""


class FortificationOptionOut(serializers.Serializer[Any]):
    """What a fortification may be given; `maximum` null is any number."""

    name = LocalizedField()
    points = PointsField()
    maximum = serializers.IntegerField(default=None, allow_null=True)


class UnitOut(UnitRow):
    """A unit with its profiles."""

    profiles = ProfilesField()

    class Meta(UnitRow.Meta):
        fields = (*UnitRow.Meta.fields, "profiles")  # type: ignore[assignment]


class SlotOut(serializers.ModelSerializer[Slot]):
    """How many units of a role; `maximum` null is as many as the points allow."""

    role = serializers.CharField(source="role.key")
    name = LocalizedField(source="role")

    class Meta:
        model = Slot
        fields = ("role", "name", "minimum", "maximum")


class DetachmentOut(serializers.ModelSerializer[Detachment]):
    """A detachment of a chart; `entry_id` is the force entry that an edit of a list takes."""

    name = LocalizedField()
    slots = SlotOut(many=True)

    class Meta:
        model = Detachment
        fields = ("type", "name", "entry_id", "slots")


class ForceOrganisationOut(serializers.ModelSerializer[ForceOrganisation]):
    """A force organisation chart."""

    name = LocalizedField()
    detachments = DetachmentOut(many=True)

    class Meta:
        model = ForceOrganisation
        fields = ("key", "name", "detachments")


class AllianceLevelOut(serializers.ModelSerializer[AllianceLevel]):
    """A level of alliance, best first."""

    name = LocalizedField()
    effects = LocalizedField("effects")

    class Meta:
        model = AllianceLevel
        fields = ("key", "name", "effects")


class MatrixFactionOut(serializers.ModelSerializer[Faction]):
    """A row and column of the matrix."""

    name = LocalizedField()

    class Meta:
        model = Faction
        fields = ("key", "name")


class AllianceCellOut(serializers.Serializer[queries.AllianceCell]):
    """How the primary detachment's faction sees an ally. `unknown` says aloud that nobody has recorded it."""

    primary = serializers.CharField(source="primary.key")
    ally = serializers.CharField(source="ally.key")
    level = serializers.CharField(source="level.key", default=None, allow_null=True)
    unknown = serializers.SerializerMethodField()
    source = serializers.CharField(source="recorded.source", default="")  # type: ignore[assignment]

    def get_unknown(self, cell: queries.AllianceCell) -> bool:
        """Whether the level is not known."""
        return cell.level is None


class AllianceMatrixOut(serializers.Serializer[queries.AllianceMatrix]):
    """The whole directional matrix: every cell stands in it, unknown ones too."""

    system = serializers.CharField(source="system.id")
    factions = MatrixFactionOut(many=True)
    levels = AllianceLevelOut(many=True)
    unknown = serializers.IntegerField(help_text="How many cells nobody has recorded.")
    fingerprint = serializers.CharField(help_text="Changes whenever a level does.")
    cells = serializers.SerializerMethodField()

    @extend_schema_field(AllianceCellOut(many=True))
    def get_cells(self, matrix: queries.AllianceMatrix) -> Any:
        """The cells, row by row."""
        written = AllianceCellOut().to_representation
        return [written(cell) for _, row in matrix.rows for cell in row]


class FortificationOut(serializers.ModelSerializer[Fortification]):
    """A fortification with its options."""

    name = LocalizedField()
    points = PointsField()
    maximum_points = PointsField(allow_null=True)
    profiles = ProfilesField()
    rules = NamesField()
    options = FortificationOptionOut(many=True)

    class Meta:
        model = Fortification
        fields = ("entry_id", "name", "points", "maximum_points", "profiles", "rules", "options")


class MagicItemOut(serializers.ModelSerializer[MagicItem]):
    """A common magic item of the rulebook; army documents name it by its name in either language."""

    name = LocalizedField()
    bearers = LocalizedField("bearers")

    class Meta:
        model = MagicItem
        fields = ("key", "name", "category", "points", "one_use", "bearers", "source")


class SpellOut(serializers.Serializer[Any]):
    """A spell; number 0 is the signature spell."""

    number = serializers.IntegerField()
    name = LocalizedField("en", "ru")
    type = serializers.CharField()
    casting_value = serializers.IntegerField()
    remains_in_play = serializers.BooleanField()
    source = serializers.CharField()  # type: ignore[assignment]


class LoreOut(serializers.Serializer[Any]):
    """A lore of magic with its spells; army documents name it by its key."""

    key = serializers.CharField()
    name = LocalizedField("en", "ru", source="lore")
    source = serializers.CharField(source="lore.source")  # type: ignore[assignment]
    spells = SpellOut(source="lore.spells", many=True)


class MagicItemFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which magic items."""

    category = django_filters.ChoiceFilter(choices=MagicItem.Category.choices, help_text="Kind of item.")
    max_points = django_filters.NumberFilter(
        field_name="points", lookup_expr="lte", min_value=0, max_value=MOST_POINTS, help_text="At most so many points."
    )
    search = django_filters.CharFilter(
        method="words", help_text="Words that all stand in the name or in who may carry it.", max_length=200
    )

    def words(self, items: QuerySet[MagicItem], name: str, text: str) -> QuerySet[MagicItem]:
        """Only items in whose searched text every word stands."""
        return queries.items_containing(items, text)


class UnitFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Which units."""

    faction = django_filters.CharFilter(field_name="faction__key", help_text="Key of the faction.")
    role = django_filters.CharFilter(field_name="role__key", help_text="Battlefield role, e.g. heavy_support.")
    min_points = django_filters.NumberFilter(
        field_name="points", lookup_expr="gte", min_value=0, max_value=MOST_POINTS, help_text="At least so many points."
    )
    max_points = django_filters.NumberFilter(
        field_name="points", lookup_expr="lte", min_value=0, max_value=MOST_POINTS, help_text="At most so many points."
    )
    search = django_filters.CharFilter(
        method="words",
        help_text="Words that are all found in the name, role, special rules or weapons, and with a faction in what "
        "may be taken: slang, beginnings and slips of the finger are understood. Then what bears them in its name "
        "comes first.",
        max_length=200,
    )

    def words(self, units: QuerySet[UnitEntry], name: str, text: str) -> QuerySet[UnitEntry]:
        """Only units that answer to every word."""
        return queries.answering(units, text, with_options=bool(self.data.get("faction")))


UNITS = Collection(UnitRow.Meta.fields, "name", "points", "role=role__position", "faction=faction__name")


class Systems(APIView):
    """Game systems that lists can be built for."""

    @extend_schema(operation_id="list_systems", tags=["systems"], responses=SystemOut(many=True), auth=PUBLIC)
    def get(self, request: Request) -> Response:
        """All published game systems."""
        return Response(SystemOut(queries.systems(), many=True).data)


class System(APIView):
    """One game system."""

    @extend_schema(operation_id="read_system", tags=["systems"], responses=SystemOut, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """A game system with its current data release."""
        return Response(SystemOut(queries.system(system)).data)


class Roles(APIView):
    """Battlefield roles."""

    @extend_schema(operation_id="list_roles", tags=["systems"], responses=RoleOut(many=True), auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The battlefield roles of a system, in the order of its chart."""
        return Response(RoleOut(queries.roles(queries.system(system).pk), many=True).data)


class Factions(APIView):
    """Factions of a system."""

    @extend_schema(operation_id="list_factions", tags=["systems"], responses=FactionOut(many=True), auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The factions with a published army list, and those that stand in the alliance matrix only."""
        found = queries.factions(queries.system(system).pk, playable=False)
        return Response(FactionOut(found, many=True).data)


class OneFaction(APIView):
    """One faction."""

    @extend_schema(operation_id="read_faction", tags=["systems"], responses=FactionOut, auth=PUBLIC)
    def get(self, request: Request, system: str, faction: str) -> Response:
        """A faction by its key."""
        return Response(FactionOut(queries.faction(queries.system(system).pk, faction)).data)


class Units(APIView):
    """Units of a system."""

    @extend_schema(
        operation_id="list_units",
        tags=["systems"],
        parameters=[*parameters_of(UnitFilter), *UNITS.parameters],
        responses=UnitPage,
        auth=PUBLIC,
    )
    def get(self, request: Request, system: str) -> Response:
        """Units by faction, role, points and words, page by page."""
        found = queries.system(system).pk
        one_of(request, "faction", lambda: [one.key for one in queries.factions(found, playable=False)])
        one_of(request, "role", lambda: [one.key for one in queries.roles(found)])
        units = filtered(request, queries.units(found), UnitFilter)
        return UNITS.page(request, self, units, UnitRow().to_representation)


class Unit(APIView):
    """One unit."""

    @extend_schema(operation_id="read_unit", tags=["systems"], responses=UnitOut, auth=PUBLIC)
    def get(self, request: Request, system: str, unit: UUID) -> Response:
        """A unit with its profiles."""
        found = queries.unit(unit)
        if found.faction.system_id != system:
            raise NotFound(f"There is no such unit in '{system}'.")
        return Response(UnitOut(found).data)


class ForceOrganisations(APIView):
    """Force organisation charts."""

    @extend_schema(
        operation_id="list_force_organisations",
        tags=["systems"],
        responses=ForceOrganisationOut(many=True),
        auth=PUBLIC,
    )
    def get(self, request: Request, system: str) -> Response:
        """The charts of a system with their detachments and slots."""
        found = queries.force_organisations(queries.system(system).pk)
        return Response(ForceOrganisationOut(found, many=True).data)


class Alliances(APIView):
    """The alliance matrix."""

    @extend_schema(operation_id="read_alliances", tags=["systems"], responses=AllianceMatrixOut, auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The directional alliance matrix; cells that nobody has recorded say so."""
        return Response(AllianceMatrixOut(queries.alliance_matrix(queries.system(system).pk)).data)


class MagicItems(APIView):
    """Common magic items."""

    @extend_schema(
        operation_id="list_magic_items",
        tags=["systems"],
        parameters=parameters_of(MagicItemFilter),
        responses=MagicItemOut(many=True),
        auth=PUBLIC,
    )
    def get(self, request: Request, system: str) -> Response:
        """The magic items that every army may buy, in the order of the rulebook; none where it prints none."""
        items = filtered(request, queries.magic_items(queries.system(system).pk), MagicItemFilter)
        return Response(MagicItemOut(items, many=True).data)


class Lores(APIView):
    """Lores of magic."""

    @extend_schema(operation_id="list_lores", tags=["systems"], responses=LoreOut(many=True), auth=PUBLIC)
    def get(self, request: Request, system: str) -> Response:
        """The lores of the rulebook with their spells; none where magic has no lores."""
        found = lores(queries.system(system))
        return Response(LoreOut([{"key": key, "lore": lore} for key, lore in found.items()], many=True).data)


class Fortifications(APIView):
    """Fortifications."""

    @extend_schema(
        operation_id="list_fortifications", tags=["systems"], responses=FortificationOut(many=True), auth=PUBLIC
    )
    def get(self, request: Request, system: str) -> Response:
        """The fortifications of a system, cheapest first."""
        return Response(FortificationOut(queries.fortifications(queries.system(system).pk), many=True).data)
