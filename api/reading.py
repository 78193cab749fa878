"""What of a thing is read: `?expand=` adds parts that cost work, `?fields=` leaves out what is not asked for."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from api.parameters import parameter
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.armylists.models import ArmyList

Expansion = Literal["sheet"]

EXPAND = OpenApiParameter(
    "expand",
    {"type": "array", "items": {"type": "string", "enum": list(get_args(Expansion))}},
    style="form",
    explode=False,
    description="`sheet` adds the evaluated list: detachments, units, options, points and findings in one language.",
)


def fields_parameter(members: Sequence[str], of: str = "the answer") -> OpenApiParameter:
    """`?fields=`, with the names of what there is."""
    return OpenApiParameter(
        "fields",
        {"type": "array", "items": {"type": "string", "enum": list(members)}},
        style="form",
        explode=False,
        description=f"Only these members of {of}, separated by commas.",
    )


def flag(request: Request, name: str) -> bool:
    """A parameter that is true or false; false without it. Raises ValidationError for anything else."""
    match request.query_params.get(name, "false").lower():
        case "true" | "1" | "yes":
            return True
        case "false" | "0" | "no":
            return False
        case other:
            raise ValidationError({name: [f"Write true or false, not {other[:80]!r}."]})


def chosen(request: Request, name: str, values: Sequence[str]) -> tuple[str, ...]:
    """The words of a parameter that takes several, separated by commas; none without it.

    Raises:
        ValidationError: a word that is none of the values.
    """
    if not (wanted := parameter(request, name)):
        return ()
    words = tuple(word for word in wanted.split(",") if word)
    if unknown := [word for word in words if word not in values]:
        raise ValidationError({name: [f"There is no {unknown[0][:80]!r} here; there are {', '.join(values)}."]})
    return words


def one_of(request: Request, name: str, values: Callable[[], Sequence[str]]) -> str | None:
    """A parameter that names one of the values; None without it, or where it is empty.

    Args:
        values: asked for only where the parameter is there.

    Raises:
        ValidationError: it names none: an empty answer would look as if there were no such things.
    """
    wanted = parameter(request, name)
    if not wanted:
        return None
    if wanted not in (known := values()):
        raise ValidationError({name: [f"There is no {wanted[:80]!r} here; there are {', '.join(known)}."]})
    return wanted


def wants_sheet(request: Request) -> bool:
    """Whether `?expand=sheet` or `?fields=sheet` asks for the evaluated list."""
    fields = (parameter(request, "fields") or "").split(",")
    return bool(chosen(request, "expand", get_args(Expansion))) or "sheet" in fields


def expanded_sheet(request: Request, army_list: ArmyList) -> ListSheet | None:
    """The evaluated list if it is asked for."""
    return plain_sheet_of(army_list) if wants_sheet(request) else None


def narrowed(request: Request, out: msgspec.Struct) -> Any:
    """The answer with the members that `?fields=` names; all without it. Raises ValidationError for unknown names."""
    fields = chosen(request, "fields", type(out).__struct_fields__)
    return {name: getattr(out, name) for name in fields} if fields else out
