"""A list on paper and as a picture: a roster or cards as PDF, the sheet or one card as PNG or SVG, set by Typst.

The template `paper.typ` stands beside this file and is given words only: nothing of a list is read as markup.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.utils import timezone
from django.utils.formats import date_format

from armybuilder.armylists.amounts import TIMES
from armybuilder.armylists.counted_models import models_of
from armybuilder.armylists.errors import EditRefused, NotFound
from armybuilder.armylists.exports.files import ExportFormat, sheet_of
from armybuilder.armylists.exports.phrases import (
    carried,
    figures,
    last_line,
    leading,
    localized,
    objections,
    phrases,
    price,
    times,
    verdict_words,
)
from armybuilder.armylists.exports.press import PRESS
from armybuilder.armylists.list_sheet import ListSheet, SheetProfile, SheetUnit, visible
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.findings import Text, Verdict
from armybuilder.reference.names import AS_THEY_ARE, Names, names_for

_TEMPLATE = Path(__file__).with_name("paper.typ")
PAPERS = {"a4": "a4", "letter": "us-letter"}
CARDS = ("half", "a5", "a6", "poker")
FIELDS = {
    "player": Text("Player", "Игрок"),
    "team": Text("Team", "Команда"),
    "event": Text("Event", "Турнир"),
    "date": Text("Date", "Дата"),
}
PARTS = ("summary", "profiles", "points", "notes", "findings", "facts")
"""What may be left out; all of it is printed unless told otherwise."""
FIELD_LENGTH = 80
UNITS = 300
CARDS_AT_ONCE = 60
"""Distinct cards: each takes up to 10 MB and 0.08 s of one core, as its body is measured in several sizes."""
WORDY = 14
"""A characteristic with a value longer than this is a sentence and shares the width."""

Form = Literal["pdf", "png", "svg"]
_PPI = {"preview": 254.0}
"""1,200 pixels in 120 mm, the width that chats show."""

_WORDS = {
    "summary": Text("Summary", "Сводка"),
    "findings": Text("Findings", "Замечания"),
    "profiles": Text("Profiles", "Профили"),
    "rules": Text("Special rules", "Особые правила"),
}
_HEAD = (Text("Unit", "Отряд"), Text("Role", "Роль"), Text("Models", "Модели"), Text("Points", "Очки"))
_MODELS = Text("models", "моделей")
_OWN = Text("own unit", "свой отряд")
_CHECKED = Text("Checked", "Проверено")
_STATE = Text("state", "редакция")


class PaperOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a list is printed.

    Attributes:
        paper: a key of `PAPERS`.
        card: one of `CARDS`.
        saves_ink: no colour and no grounds.
        without: parts that are left out.
        fields: words of the head, by the keys of `FIELDS`.
        unit: id of the one unit that a picture shows; empty for the whole list.
    """

    paper: str = "a4"
    card: str = "half"
    saves_ink: bool = False
    without: frozenset[str] = frozenset()
    fields: tuple[tuple[str, str], ...] = ()
    unit: str = ""

    @classmethod
    def asked(cls, asked: Mapping[str, str]) -> "PaperOptions":
        """The options in the query of an address.

        Raises:
            EditRefused: a paper or card that does not exist.
        """
        paper, card = asked.get("paper") or "a4", asked.get("card") or "half"
        for wanted, known in ((paper, tuple(PAPERS)), (card, CARDS)):
            if wanted not in known:
                raise EditRefused(
                    Text(
                        en=f"There is no size “{wanted[:40]}”; there are {', '.join(known)}.",
                        ru=f"Размера «{wanted[:40]}» нет; есть {', '.join(known)}.",
                    )
                )
        return cls(
            paper=paper,
            card=card,
            saves_ink=asked.get("ink") == "save",
            without=frozenset(asked.get("without", "").split(",")) & frozenset(PARTS),
            fields=tuple((name, text) for name in FIELDS if (text := visible(asked.get(name, ""))[:FIELD_LENGTH])),
            unit=asked.get("unit", "")[:100],
        )


def paper_data(sheet: ListSheet, options: PaperOptions, *, kind: str, names: Names = AS_THEY_ARE) -> dict[str, Any]:
    """Everything the template prints, in words.

    Args:
        kind: roster, cards, picture or preview.
        names: how characteristics are called above their columns.

    Raises:
        EditRefused: more units, or more different cards, than are printed at once.
        NotFound: the unit that was asked for is not in the list.
    """
    sheet = _without(sheet, options.without)
    _refuse_more_than_is_printed(sheet, kind)
    units = [unit for unit in sheet.units if not options.unit or unit.id == options.unit]
    if options.unit and not units:
        raise NotFound("The list has no such unit.")
    total, limit = price(sheet.points, sheet, grouped=True), price(sheet.limit, sheet, grouped=True)
    state = f"{localized(_STATE, sheet)} {sheet.revision}"
    today = date_format(timezone.localdate(), "DATE_FORMAT")
    return {
        "kind": kind,
        "single": bool(options.unit),
        "title": sheet.name,
        "author": dict(options.fields).get("player", ""),
        "language": sheet.language,
        "about": " · ".join((sheet.game, *sheet.factions)),
        "points": " / ".join(part for part in (total, limit) if part),
        "verdict": verdict_words(sheet),
        "is_illegal": sheet.verdict is Verdict.ILLEGAL,
        "checked": f"{localized(_CHECKED, sheet)} {today} · {last_line(sheet)} · {state}",
        "foot": f"{sheet.name} · {verdict_words(sheet)} · {last_line(sheet)} · {today}",
        "fields": [{"name": localized(FIELDS[name], sheet), "value": text} for name, text in options.fields],
        "facts": [{"name": name, "value": value} for name, value in sheet.facts],
        "findings": list(objections(sheet)),
        "detachments": _detachments(sheet, names),
        "cards": [_unit(unit, sheet, count, names) for unit, count in _distinct(units)],
        "summary": {
            "head": [localized(word, sheet) for word in _HEAD],
            "rows": [_row(unit, sheet) for unit in sheet.units],
            "columns": list(_columns(sheet)),
        },
        "tables": _tables((row for unit in sheet.units for row in (*unit.profiles, *unit.weapons)), names),
        "rules": ", ".join(sorted({rule for unit in sheet.units for rule in unit.rules})),
        "notes": sheet.notes,
        "words": {name: localized(text, sheet) for name, text in _WORDS.items()},
        "options": {
            "paper": PAPERS[options.paper],
            "card": options.card,
            "ink": options.saves_ink,
            "summary": "summary" not in options.without,
            "profiles": "profiles" not in options.without,
        },
    }


def _refuse_more_than_is_printed(sheet: ListSheet, kind: str) -> None:
    if len(sheet.units) > UNITS:
        raise EditRefused(
            Text(
                en=f"The list has {len(sheet.units)} units; {UNITS} are printed at once.",
                ru=f"В ростере {len(sheet.units)} отрядов; за раз печатается {UNITS}.",
            )
        )
    cards = len(list(_distinct(sheet.units))) if kind == "cards" else 0
    if cards > CARDS_AT_ONCE:
        raise EditRefused(
            Text(
                en=f"The list has {cards} different cards; {CARDS_AT_ONCE} are printed at once.",
                ru=f"В ростере разных карточек: {cards}; за раз печатается {CARDS_AT_ONCE}.",
            )
        )


def _detachments(sheet: ListSheet, names: Names) -> list[dict[str, Any]]:
    return [
        {
            "name": " · ".join(dict.fromkeys(part for part in (block.name, block.faction) if part)),
            "points": price(block.points, sheet, grouped=True),
            "roles": [
                {
                    "name": role.name,
                    "points": price(role.points, sheet, grouped=True),
                    "units": [_unit(unit, sheet, 1, names) for unit in role.units],
                }
                for role in block.taken_roles
            ],
        }
        for block in sheet.detachments
    ]


def _without(sheet: ListSheet, parts: frozenset[str]) -> ListSheet:
    """The sheet without what shall not be printed; the verdict always is."""
    if "notes" in parts or "points" in parts or "facts" in parts:
        detachments = tuple(
            msgspec.structs.replace(
                block,
                points=None if "points" in parts else block.points,
                roles=tuple(
                    msgspec.structs.replace(
                        role,
                        points=None if "points" in parts else role.points,
                        units=tuple(_bare(unit, parts) for unit in role.units),
                    )
                    for role in block.roles
                ),
            )
            for block in sheet.detachments
        )
        sheet = msgspec.structs.replace(sheet, detachments=detachments)
    if "points" in parts:
        sheet = msgspec.structs.replace(sheet, points=None, limit=None)
    if "notes" in parts:
        sheet = msgspec.structs.replace(sheet, notes="")
    if "facts" in parts:
        sheet = msgspec.structs.replace(sheet, facts=())
    return msgspec.structs.replace(sheet, findings=()) if "findings" in parts else sheet


def _bare(unit: SheetUnit, parts: frozenset[str]) -> SheetUnit:
    return msgspec.structs.replace(
        unit,
        points=None if "points" in parts else unit.points,
        notes="" if "notes" in parts else unit.notes,
        facts=() if "facts" in parts else unit.facts,
    )


def _unit(unit: SheetUnit, sheet: ListSheet, count: int, names: Names) -> dict[str, Any]:
    kinds = unit.models
    models = unit.model_count
    rows = [", ".join(phrases(unit.items, TIMES))]
    if unit.says_its_models:
        rows.append(", ".join(carried(kinds[0], TIMES)))
    else:
        worn = [(kind, ", ".join(carried(kind, TIMES))) for kind in kinds]
        rows += [f"{times(kind.number, kind.name, TIMES)}{f': {items}' if items else ''}" for kind, items in worn]
    return {
        "title": unit.title,
        "count": count,
        "marks": ", ".join((*_own_mark(unit, sheet), *leading(unit, sheet))),
        "role": unit.role,
        "models": f"{models} {localized(_MODELS, sheet)}" if models > 1 else "",
        "points": price(unit.points, sheet, grouped=True),
        "rows": [row for row in rows if row],
        "tables": _tables((*unit.profiles, *unit.weapons), names),
        "rules": ", ".join(unit.rules),
        "facts": list(unit.facts),
        "notes": unit.notes,
        "wounds": list(_wounds(unit, count)),
    }


def _distinct(units: Iterable[SheetUnit]) -> Iterator[tuple[SheetUnit, int]]:
    """Each unit once with how many there are like it; a name, note or fact of its own makes it another."""
    found: dict[SheetUnit, list[SheetUnit]] = {}
    for unit in units:
        found.setdefault(msgspec.structs.replace(unit, id=""), []).append(unit)
    for same in found.values():
        yield same[0], len(same)


def _own_mark(unit: SheetUnit, sheet: ListSheet) -> tuple[str, ...]:
    return (localized(_OWN, sheet),) if unit.is_own else ()


def _row(unit: SheetUnit, sheet: ListSheet) -> list[str]:
    mark = "".join((" *" if unit.is_warlord else "", *(f" ({words})" for words in _own_mark(unit, sheet))))
    points = "" if unit.points is None else figures(unit.points, sheet)
    return [unit.title + mark, unit.role, str(unit.model_count), points]


def _columns(sheet: ListSheet) -> Iterator[int]:
    """Which columns of the summary say something: cards of a hero are no models, and some games have no points."""
    yield from (0, 1)
    if not any(unit.is_card for unit in sheet.units):
        yield 2
    if any(unit.points is not None for unit in sheet.units):
        yield 3


def _tables(profiles: Iterable[SheetProfile], names: Names) -> list[dict[str, Any]]:
    """Profiles of one type with the same columns as one table; each once."""
    groups: dict[tuple[str, tuple[str, ...]], dict[SheetProfile, None]] = {}
    for row in profiles:
        columns = tuple(name for name, _ in row.characteristics)
        groups.setdefault((row.type, columns), {})[row] = None
    tables = []
    for (kind, columns), rows in groups.items():
        values = [[value for _, value in row.characteristics] for row in rows]
        used = [at for at in range(len(columns)) if any(row[at].strip("-–— ") for row in values)]
        tables.append(
            {
                "type": kind,
                "columns": [
                    {"name": names.heading(columns[at]), "wordy": any(len(row[at]) > WORDY for row in values)}
                    for at in used
                ],
                "rows": [
                    {"name": row.name, "values": [cells[at] for at in used]}
                    for row, cells in zip(rows, values, strict=True)
                    if any(cell.strip("-–— ") for cell in cells)
                ],
            }
        )
    return [table for table in tables if table["columns"]]


def _wounds(unit: SheetUnit, count: int) -> Iterator[dict[str, Any]]:
    """Boxes to cross: as many as each kind of model has wounds, for every model; none where one would be all."""
    kinds = tuple(models_of(unit))
    if count * sum(kind.total for kind in kinds) > 1:
        for kind in kinds:
            yield {"name": kind.name, "each": kind.wounds, "count": kind.total * count}


def _set(army_list: ArmyList, asked: Mapping[str, str], *, kind: str, form: Form) -> bytes:
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    return paper_of(sheet_of(army_list), PaperOptions.asked(asked), kind=kind, form=form, names=names)


def paper_of(
    sheet: ListSheet, options: PaperOptions, *, kind: str, form: Form = "pdf", names: Names = AS_THEY_ARE
) -> bytes:
    """A sheet on paper, or the first page of it as a picture. Raises as `paper_data`, and PressBusy."""
    import typst  # noqa: PLC0415 - 7 MB of every web process that sets no paper

    data = msgspec.json.encode(paper_data(sheet, options, kind=kind, names=names)).decode()
    with PRESS.turn():
        made = typst.compile(
            _TEMPLATE,
            root=_TEMPLATE.parent,
            sys_inputs={"data": data},
            format=form,
            ppi=_PPI.get(kind, 144.0),
            ignore_system_fonts=True,
        )
    pages = made if isinstance(made, list) else [made]
    return bytes(pages[0])


def _format(format_id: str, label: Text, *, kind: str, form: Form, media_type: str) -> ExportFormat:
    def printed(army_list: ArmyList, asked: Mapping[str, str]) -> bytes:
        return _set(army_list, asked, kind=kind, form=form)

    return ExportFormat(
        id=format_id,
        ending=form,
        media_type=media_type,
        label=label,
        write=partial(printed, asked={}),
        printed=printed,
    )


PDF = _format("pdf", Text("PDF roster", "PDF, ростер"), kind="roster", form="pdf", media_type="application/pdf")
CARDS_PDF = _format(
    "cards-pdf", Text("PDF cards", "PDF, карточки"), kind="cards", form="pdf", media_type="application/pdf"
)
PREVIEW = _format(
    "preview", Text("Preview in chats", "Превью в чатах"), kind="preview", form="png", media_type="image/png"
)
"""What a chat shows of a link; no format of its own, as nobody asks for it by name."""
PNG = _format("png", Text("Picture (PNG)", "Картинка (PNG)"), kind="picture", form="png", media_type="image/png")
SVG = _format("svg", Text("Picture (SVG)", "Картинка (SVG)"), kind="picture", form="svg", media_type="image/svg+xml")
