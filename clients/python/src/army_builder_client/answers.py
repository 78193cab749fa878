"""The answers that the client's own methods give, as types; an answer may have members that are not named here."""

from typing import Any, Literal, TypedDict

Verdict = Literal["legal", "illegal", "not_checked"]


class Words(TypedDict):
    """A text in both languages."""

    en: str
    ru: str


class Finding(TypedDict):
    """What a rule objects to; `at` is a JSON pointer into the list's document."""

    rule: str
    severity: str
    message: Words
    at: str | None


class Points(TypedDict):
    """The points of a list and the limit; None where there is none."""

    total: float | None
    limit: float | None


class Report(TypedDict):
    """The verdict on a stored list."""

    verdict: Verdict
    points: Points
    findings: list[Finding]


class SheetUnit(TypedDict):
    """A unit as it stands on the page; points are None in a game without."""

    id: str
    name: str
    own_name: str
    points: float | None


class SheetRole(TypedDict):
    """The units of one role; `sets_up` where they are settings of the army and no units."""

    name: str
    units: list[SheetUnit]
    sets_up: bool


class SheetDetachment(TypedDict):
    """A detachment."""

    name: str
    faction: str
    points: float | None
    roles: list[SheetRole]


class SheetFinding(TypedDict):
    """A finding in the language of the request; `unit` is empty for the whole list."""

    severity: str
    rule: str
    message: str
    unit: str


class Sheet(TypedDict):
    """A whole evaluated list in the language of the request."""

    name: str
    game: str
    points: float | None
    limit: float | None
    detachments: list[SheetDetachment]
    verdict: Verdict
    findings: list[SheetFinding]
    unchecked: list[str]


class ListRow(TypedDict):
    """A list in a collection."""

    id: str
    address: str
    name: str
    system: str
    points: float | None
    points_limit: int | None
    verdict: Verdict
    revision: int


class ArmyList(ListRow):
    """A list with its document."""

    document_kind: str
    document: dict[str, Any]


class SharedList(TypedDict):
    """A list behind a share link, evaluated."""

    name: str
    system: str
    points: float | None
    verdict: Verdict
    revision: int
    sheet: Sheet


class ShareLink(TypedDict):
    """A secret address under which anybody may read a list; `url` is the page, `address` the API's."""

    token: str
    url: str
    address: str
