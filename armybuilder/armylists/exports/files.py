"""What every format makes of a list: a file to be handed out, and for texts the pieces to be copied."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from armybuilder.armylists.list_sheet import ListSheet, SheetVerdict
from armybuilder.armylists.list_types import list_type_of
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.services import check_army_list
from armybuilder.armylists.signed_verdicts import issue, printed, verdict_url
from armybuilder.engine.findings import Text

PLAIN_TEXT = "text/plain; charset=utf-8"

Layout = Callable[[ListSheet], str]


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to be handed out."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """A layout in which lists are handed out.

    Attributes:
        id: in addresses and commands.
        ending: of the file's name.
        label: what players call it.
        write: makes the file of a stored list, in the language of the reader; raises EditRefused where lists of its
            type have none.
        pieces: of a text, what is copied at once: one piece, or several where a chat takes no more; None for files.
        kinds: types of lists that have it.
        printed: makes the file with options, as the query of an address states them; None where there are none.
    """

    id: str
    ending: str
    media_type: str
    label: Text
    write: Callable[[ArmyList], bytes]
    pieces: Callable[[ArmyList], tuple[str, ...]] | None = None
    kinds: frozenset[DocumentKind] = frozenset(DocumentKind)
    printed: Callable[[ArmyList, Mapping[str, str]], bytes] | None = None

    def file_of(self, army_list: ArmyList, asked: Mapping[str, str] | None = None) -> ExportedFile:
        """The file of a list, named after it.

        Args:
            asked: options of the format, as the query of an address states them.

        Raises:
            EditRefused: lists of its type have none, or an option does not exist.
        """
        content = self.write(army_list) if self.printed is None else self.printed(army_list, asked or {})
        return ExportedFile(_file_name(army_list.name, self.ending), self.media_type, content)


def plain_sheet_of(army_list: ArmyList) -> ListSheet:
    """The sheet of a stored list, checked, in the language of the reader."""
    list_type = list_type_of(army_list)
    return list_type.sheet(army_list, check_army_list(army_list), list_type.read(army_list.document))


def sheet_of(army_list: ArmyList) -> ListSheet:
    """The same as it is handed out: with the signed verdict on it."""
    sheet, report = plain_sheet_of(army_list), check_army_list(army_list)
    code = issue(army_list, report).code
    return msgspec.structs.replace(sheet, signed_verdict=SheetVerdict(printed(code), verdict_url(code)))


def text_format(
    format_id: str,
    label: Text,
    layout: Layout,
    *,
    ending: str = "txt",
    media_type: str = PLAIN_TEXT,
    split: Callable[[str], tuple[str, ...]] | None = None,
) -> ExportFormat:
    """A format that lays the sheet of a list out as text.

    Args:
        split: the text as pieces where one is too long to be sent.
    """

    def write(army_list: ArmyList) -> bytes:
        return layout(sheet_of(army_list)).encode()

    def pieces(army_list: ArmyList) -> tuple[str, ...]:
        text = layout(sheet_of(army_list))
        return split(text) if split is not None else (text,)

    return ExportFormat(id=format_id, ending=ending, media_type=media_type, label=label, write=write, pieces=pieces)


def _file_name(name: str, ending: str) -> str:
    return f"{safe_name(name)}.{ending}"


def safe_name(name: str) -> str:
    """The name of a list without what file systems do not take."""
    return re.sub(r"[^\w .()-]+", "_", name).strip(" .")[:80].rstrip(" .") or "roster"
