"""Collections: which rows, in which order, which page of them and what of each, documented as parameters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import django_filters
import msgspec
from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.reading import chosen, fields_parameter, one_of

M = TypeVar("M", bound=Model)


class Pages(PageNumberPagination):
    """`page` and `page_size`, with `count`, `next` and `previous` in the answer."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def get_page_size(self, request: Request) -> int:
        """The rows a page has. Raises ValidationError for none of those it may have."""
        wanted = request.query_params.get(self.page_size_query_param, str(self.page_size))
        if not wanted.isascii() or not wanted.isdecimal() or not 1 <= int(wanted[:9]) <= self.max_page_size:
            message = f"A page has 1 to {self.max_page_size} rows."
            raise ValidationError({self.page_size_query_param: [message]})
        return int(wanted)

    def get_page_number(self, request: Request, paginator: Any) -> int:
        """Which page. Raises ValidationError for what is no number, NotFound for one behind the last."""
        wanted = request.query_params.get(self.page_query_param, "1")
        if not wanted.isascii() or not wanted.isdecimal() or not int(wanted[:9]):
            raise ValidationError({self.page_query_param: ["Pages are numbered from 1."]})
        if int(wanted[:9]) > paginator.num_pages:
            raise NotFound(f"There is no page {wanted[:9]}; the last one is {paginator.num_pages}.")
        return int(wanted)


class PageOut(serializers.Serializer[Any]):
    """What a page says besides its rows, for the description."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


PAGE_PARAMETERS = [
    OpenApiParameter("page", {"type": "integer", "minimum": 1, "default": 1}, description="Which page."),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": Pages.max_page_size, "default": Pages.page_size},
        description="Rows a page.",
    ),
]


PARTS_PARAMETERS = [
    PAGE_PARAMETERS[0],
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": Pages.max_page_size},
        description="Items at once; the header Link leads to the others.",
    ),
]
"""Of an answer that is an array."""


class Collection:
    """Rows of one kind: `?ordering=name` or `-name`, `?fields=` for some members of each, `?page=` and `?page_size=`.

    Attributes:
        parameters: of an answer with `count`, `next`, `previous` and `results`.
        parts_parameters: of an answer that is an array.
    """

    def __init__(self, members: Sequence[str] | type[msgspec.Struct], *order: str) -> None:
        """Take what a row has and what rows are ordered by.

        Args:
            order: names, each with `=column` where they differ.
        """
        self._members = tuple(members) if isinstance(members, Sequence) else members.__struct_fields__
        columns = [(name, column or name) for name, _, column in (one.partition("=") for one in order)]
        self._orders = [sign + name for name, _ in columns for sign in ("", "-")]
        order_by = django_filters.OrderingFilter(fields={column: name for name, column in columns} | {"pk": "pk"})
        self._sorting = type("Sorting", (django_filters.FilterSet,), {"ordering": order_by})
        ordering = OpenApiParameter(
            "ordering",
            {"type": "string", "enum": self._orders},
            description="What comes first; with - before it, last.",
        )
        fields = fields_parameter(self._members, "each item")
        self.parameters = [*PAGE_PARAMETERS, ordering, fields]
        self.parts_parameters = [*PARTS_PARAMETERS, ordering, fields]

    def page(self, request: Request, view: APIView, rows: QuerySet[M], write: Callable[[M], Any]) -> Response:
        """One page of the rows, in two database queries and those the rows prefetch.

        Args:
            write: one row as what the renderer understands.

        Raises:
            ValidationError: an order or a member that there is not.
        """
        cut, pages = self._cut(request), Pages()
        found = pages.paginate_queryset(self._ordered(request, rows), request, view=view) or ()
        return pages.get_paginated_response([cut(write(row)) for row in found])

    def part(
        self,
        request: Request,
        view: APIView,
        rows: QuerySet[M],
        write: Callable[[Iterable[M]], Iterable[Any]],
        *,
        most: int | None = None,
    ) -> Response:
        """The rows as an array: all of them, or the page that is asked for, with the addresses of others in `Link`.

        Args:
            write: rows as what the renderer understands.
            most: so many of the first, where no page is asked for.

        Raises:
            ValidationError: an order or a member that there is not.
        """
        cut, ordered = self._cut(request), self._ordered(request, rows)
        if not {"page", "page_size"} & request.query_params.keys():
            return Response([cut(row) for row in write(ordered[:most])])
        pages = Pages()
        found = pages.paginate_queryset(ordered, request, view=view)
        links = {"prev": pages.get_previous_link(), "next": pages.get_next_link()}
        header = ", ".join(f'<{address}>; rel="{way}"' for way, address in links.items() if address is not None)
        return Response([cut(row) for row in write(found or ())], headers={"Link": header} if header else None)

    def _ordered(self, request: Request, rows: QuerySet[M]) -> QuerySet[M]:
        wanted = one_of(request, "ordering", lambda: self._orders)
        if wanted is None:
            return rows
        ordered: QuerySet[M] = self._sorting({"ordering": f"{wanted},pk"}, queryset=rows).qs
        return ordered

    def _cut(self, request: Request) -> Callable[[Any], Any]:
        """What leaves of a row the members that are asked for."""
        fields = chosen(request, "fields", self._members)
        if not fields:
            return lambda row: row
        return lambda row: {
            name: getattr(row, name) if isinstance(row, msgspec.Struct) else row[name] for name in fields
        }


def filtered(request: Request, rows: QuerySet[M], filters: type[django_filters.FilterSet]) -> QuerySet[M]:
    """The rows that the query asks for.

    Raises:
        ValidationError: a value that the filter does not understand.
    """
    chosen = filters(request.query_params, queryset=rows, request=request)
    if not chosen.is_valid():
        raise ValidationError(chosen.errors)
    kept: QuerySet[M] = chosen.qs
    return kept


def page_schema(row: dict[str, Any]) -> dict[str, Any]:
    """The schema of a page of such rows."""
    link = {"type": ["string", "null"], "format": "uri"}
    return {
        "type": "object",
        "required": ["count", "next", "previous", "results"],
        "properties": {
            "count": {"type": "integer"},
            "next": link,
            "previous": link,
            "results": {"type": "array", "items": row},
        },
    }


def parameters_of(filters: type[django_filters.FilterSet]) -> list[OpenApiParameter]:
    """The filters of a FilterSet, as the description names them."""
    return [
        OpenApiParameter(name, _schema_of(chosen), description=str(chosen.extra.get("help_text", "")))
        for name, chosen in filters.base_filters.items()
    ]


def _schema_of(chosen: django_filters.Filter) -> dict[str, Any]:
    match chosen:
        case django_filters.NumberFilter():
            bounds = {"minimum": "min_value", "maximum": "max_value"}
            return {"type": "number"} | {word: chosen.extra[key] for word, key in bounds.items() if key in chosen.extra}
        case django_filters.ChoiceFilter():
            return {"type": "string", "enum": [value for value, _ in chosen.extra["choices"]]}
        case _:
            return {"type": "string"}
