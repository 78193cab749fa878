"""A list of names without prices, as people paste it into chats: the names of the data tell which lines are units."""

import re
from dataclasses import dataclass, replace

from armybuilder.armylists.imports.name_matching import normal
from armybuilder.armylists.imports.named_items import counted
from armybuilder.armylists.imports.text_rows import Row

LEAST = 4
"""One line in so many has to name a unit, or the text is no list."""
_CUTS = 20
"""So many places at most are tried where the name of a unit may end."""
_ENDS = re.compile(r"\s+(?:with|w/|and|including|со?|и)\s+|\s+w/|\s*[:(,+&]\s*|\s+[-–—]\s+", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,3})(?:\s*[,:;]\s*|\s*$)")
"""Models in brackets behind the name, "Tactical Squad (10), flamer"."""
_BETWEEN = re.compile(r"\s+(?:and|и|with)\s+|\s*[+&;]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What units and roles are called in the data published here, as `normal` writes names."""

    units: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()

    def is_unit(self, name: str) -> bool:
        """Whether a unit is called so."""
        return normal(name) in self.units

    def is_role(self, words: str) -> bool:
        """Whether a role is called so; a colon or what is taken of it may stand behind."""
        return normal(re.sub(r"[\d/\s:]*$", "", words)) in self.roles

    def unit_line(self, text: str) -> str | None:
        """A line that begins with the name of a unit, as `name: one thing, another`; None for another one."""
        if self.is_unit(counted(text)[1]):
            return text
        for end in list(_ENDS.finditer(text))[:_CUTS][::-1]:
            name, behind = text[: end.start()], text[end.end() :]
            if self.is_unit(counted(name)[1]):
                if "(" in end[0]:
                    behind = behind.replace(")", "", 1)
                if number := _NUMBER.match(behind):
                    name, behind = f"{number[1]} {name}", behind[number.end() :]
                return f"{name}: {_BETWEEN.sub(', ', behind)}" if behind else name
        return None


def told_by_names(rows: list[Row], known: KnownNames) -> list[Row] | None:
    """The rows with what each is, where enough of them name units; None for a text that is no such list.

    Where most lines at that depth name units, the others are units, too, which nobody knows; else they belong to the
    unit above them.
    """
    parted = [
        [row for row in rows if row.rank < 10 and bool(row.bullet) is marked and not row.heading]
        for marked in (False, True)
    ]
    named = [{row.number: line for row in level if (line := known.unit_line(row.text))} for level in parted]
    level, units = max(zip(parted, named, strict=True), key=lambda pair: len(pair[1]))
    asked = [row for row in level if not known.is_role(row.text) and (row is not rows[0] or row.number in units)]
    if not units or LEAST * len(units) < len(asked):
        return None
    first = min(units)
    after = {row.number for row in asked if row.number > first}
    are_units = after if 2 * len(units) > len(after) else set()

    def told(row: Row) -> Row:
        if row.number in units:
            return replace(row, text=units[row.number], bullet="", rank=0, indent=0, is_unit=True)
        if row.heading or (not row.bullet and known.is_role(row.text)):
            return replace(row, heading=row.heading or 3)
        if row.number in are_units:
            return replace(row, bullet="", rank=0, indent=0, is_unit=True)
        return replace(row, bullet="•", rank=max(row.rank, 1)) if row.number > first and row.rank < 10 else row

    return [told(row) for row in rows]
