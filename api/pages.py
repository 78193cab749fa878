"""Pages of long answers: filters and page numbers from the query, documented as parameters."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import django_filters
from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

M = TypeVar("M", bound=Model)


class Pages(PageNumberPagination):
    """`page` and `page_size`, with `count`, `next` and `previous` in the answer."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def get_page_size(self, request: Request) -> int:
        """The rows a page has. Raises ValidationError for none of those it may have."""
        wanted = request.query_params.get(self.page_size_query_param, str(self.page_size))
        if not wanted.isascii() or not wanted.isdigit() or not 1 <= int(wanted[:9]) <= self.max_page_size:
            message = f"A page has 1 to {self.max_page_size} rows."
            raise ValidationError({self.page_size_query_param: [message]})
        return int(wanted)

    def get_page_number(self, request: Request, paginator: Any) -> int:
        """Which page. Raises ValidationError for what is no number, NotFound for one behind the last."""
        wanted = request.query_params.get(self.page_query_param, "1")
        if not wanted.isascii() or not wanted.isdigit() or not int(wanted[:9]):
            raise ValidationError({self.page_query_param: ["Pages are numbered from 1."]})
        if int(wanted[:9]) > paginator.num_pages:
            raise NotFound(f"There is no page {wanted[:9]}; the last one is {paginator.num_pages}.")
        return int(wanted)


class PageOut(serializers.Serializer[Any]):
    """What a page says besides its rows, for the description."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class Ordering(django_filters.OrderingFilter):  # type: ignore[misc]
    """`?ordering=name` or, the other way round, `?ordering=-name`."""

    def __init__(self, *names: str) -> None:
        """Take the names, each with `=column` where they differ."""
        columns = {column or name: name for name, _, column in (one.partition("=") for one in names)}
        choices = [(sign + name, name) for name in columns.values() for sign in ("", "-")]
        super().__init__(fields=columns, choices=choices, help_text="What comes first; with - before it, last.")


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


def part(
    request: Request, view: APIView, rows: QuerySet[M], write: Callable[[Iterable[M]], Any], *, most: int | None = None
) -> Response:
    """The rows as an array: all of them, or the page that is asked for, with the addresses of others in `Link`.

    Args:
        write: rows as what the renderer understands.
        most: so many of the first, where no page is asked for.
    """
    if not {"page", "page_size"} & request.query_params.keys():
        return Response(write(rows[:most]))
    pages = Pages()
    found = pages.paginate_queryset(rows, request, view=view)
    links = {"prev": pages.get_previous_link(), "next": pages.get_next_link()}
    header = ", ".join(f'<{address}>; rel="{way}"' for way, address in links.items() if address is not None)
    return Response(write(found or ()), headers={"Link": header} if header else None)


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


def page(request: Request, view: APIView, rows: QuerySet[M], write: Callable[[M], Any]) -> Response:
    """One page of the rows, in two database queries and those the rows prefetch.

    Args:
        write: one row as what the renderer understands.
    """
    pages = Pages()
    return pages.get_paginated_response([write(row) for row in pages.paginate_queryset(rows, request, view=view) or ()])


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
