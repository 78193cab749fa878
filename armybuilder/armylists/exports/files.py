"""What every format makes of a list: a file to be handed out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from armybuilder.armylists.models import ArmyList


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to be handed out."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A layout in which lists are handed out.

    Attributes:
        ending: of the file's name; addresses name the format by it.
        write: makes the file of a stored list; raises EditRefused where lists of its type have none.
    """

    ending: str
    media_type: str
    write: Callable[[ArmyList], bytes]

    def file_of(self, army_list: ArmyList) -> ExportedFile:
        """The file of a list, named after it. Raises EditRefused where lists of its type have none."""
        return ExportedFile(_file_name(army_list.name, self.ending), self.media_type, self.write(army_list))


def _file_name(name: str, ending: str) -> str:
    """The name of a list without what file systems do not take."""
    plain = re.sub(r"[^\w .()-]+", "_", name).strip(" .")[:80] or "roster"
    return f"{plain}.{ending}"
