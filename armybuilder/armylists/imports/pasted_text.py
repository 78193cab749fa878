"""A list pasted as text, in any layout this site writes or one near it: which line is what, before names are looked up.

Nothing here knows a game. A line (`text_rows.py`) is a heading, a unit (it has a price, see `line_prices.py`, or stands
where units stand), an item of the unit above it (`named_items.py`), or neither; what is neither is handed back.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

import msgspec

from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.imports.line_prices import FIGURES, WORD, has_price, limit_in, priced, value_of
from armybuilder.armylists.imports.named_items import DEEPEST, at_colon, counted, items_in, opening, split_at_commas
from armybuilder.armylists.imports.names_alone import KnownNames, told_by_names
from armybuilder.armylists.imports.source_list import ITEMS, UNITS, SourceItem, SourceList, SourceUnit
from armybuilder.armylists.imports.text_rows import Row, in_words, rows_of
from armybuilder.engine.findings import Text
from armybuilder.reference.tending import is_usual_role

TEXT_BYTES = 400_000
"""A list of sixty units with everything written out has 60,000."""
SMALLEST_GAME = 1_000
"""Points of a line in the head that tells the size of the game, in steps of `GAMES`, and no unit."""
GAMES = 250
HEADING_WORDS = 4
TOTALS = 1
"""So many lines with a price may be what the whole army costs; with more of them prices tell which are units."""
LONGEST_OPTION = 8
"""So many words at most are the name of an option; more are a sentence."""
_OUT_OF = re.compile(rf" {FIGURES}/\d[\d,. ]{{0,8}}\s*{WORD}$", re.IGNORECASE)
"""Points and limit behind the name of a list: "Grand Strike 990/1000 pts"."""
_SLOTS = re.compile(r"^(?P<name>[^:]{1,80}?)(?: \d+/\d+)?:\s*\d[\d ,.]*\s*\w+(?:, [\d.,]+ ?%)?$|^[^:]{1,80} \d+/\d+$")
_TAKEN = re.compile(r" \d+/\d+$")
"""Slots behind the name of a role: "Elites 2/4"."""
NOT_OF_IT = re.compile(
    r"(?:verdict|вердикт|error|ошибка|still to choose|ещё выбрать|not checked|не проверено)\b.*:|army builder,|"
    r"(?:created|exported) (?:with|from)\b|attached as:|"
    r"exporté avec\b|end of roster$|data version:|url ?:|"
    r"(?:\+\+ )?(?:total|итого|всего):|app: v\d|[\d,. ]+$|\[?https?://",
    re.IGNORECASE,
)
_WARLORD = re.compile(
    r"(?:warlord|военачальник|полководец|(?P<general>general|генерал)|(?P<of>warlord trait|особенность военачальника))"
    r"(?: \((?P<trait>[^()]*(?:\([^()]*\))?)\))?",
    re.IGNORECASE,
)
_ALLEGIANCE = re.compile(r"(?:allegiance|верность|сторона)\s*:\s*(?P<value>\w+)", re.IGNORECASE)
_POINTS_LIMIT = re.compile(rf"\+?\s*(?:points limit|лимит очков)\s*:\s*{FIGURES}$", re.IGNORECASE)
LIST_NAME = re.compile(r"\+?\s*(?:list name|название ростера)\s*:\s*(?P<name>.+)", re.IGNORECASE)
_LABELS = frozenset(
    {"enhancement", "enhancements", "wargear", "weapons", "options", "улучшение", "снаряжение", "оружие"}
)
_INFO = re.compile(r"\[[^\]]+\] \S+\(|(?:special rules|особые правила):", re.IGNORECASE)
_NOTES = re.compile(r"(?:notes|заметки):\s*(?P<notes>.+)", re.IGNORECASE)
_SAID = re.compile(r"(?:\d+ )?(?!with |с: )[a-zа-яё]")
"""How what is said of a unit begins: "initiative 3+", "10 places needed"; things begin with a capital."""


def read_text(text: str, known: Callable[[], KnownNames] = KnownNames) -> SourceList:
    """The list in a pasted text.

    Args:
        known: what units are called, asked for a text without prices only; without it nothing is known by its name.

    Raises:
        TooLarge: more text than a list can be.
        EditRefused: no line looks like a unit; the message names what is taken and what this looks like.
    """
    size = len(text.encode("utf-8", "replace"))
    if size > TEXT_BYTES:
        raise TooLarge(
            Text(
                en=f"The text has {size} bytes; {TEXT_BYTES} are allowed.",
                ru=f"В тексте {size} байт; допускается {TEXT_BYTES}.",
            )
        )
    rows = rows_of(text)
    found = _Reading(rows).read()
    priced = _priced_units(found)
    if not priced or not any(row.bullet or row.heading or row.rank for row in rows):
        worded = _Reading([in_words(row) for row in rows]).read()
        found = worded if _priced_units(worded) > priced else found
    if _priced_units(found) <= TOTALS:
        found = _by_names(rows, found, known())
    if not found.units:
        raise EditRefused(
            Text(
                en="No line of this text looks like a unit. A unit is a line with its points, such as "
                "“Tactical Squad [100 pts]”, or a line below a heading; a bullet below it is an option. Of a list "
                "without points the lines are read that are called like units of the data published here.",
                ru="Ни одна строка этого текста не похожа на отряд. Отряд – строка с очками, например "
                "«Tactical Squad [100 очков]», или строка под заголовком; маркер под ней – опция. В списке без очков "
                "читаются строки, названные как отряды опубликованных здесь данных.",
            )
        )
    return found


def _by_names(rows: list[Row], found: SourceList, known: KnownNames) -> SourceList:
    """The list as names alone tell it, where more of what was taken for units is known then."""
    told = told_by_names(rows, known) if known.units else None
    if told is None:
        return found
    named = msgspec.structs.replace(_Reading(told).read(), is_of_names=True)

    def known_beyond_others(source: SourceList) -> int:
        units = [unit.name for unit in source.units]
        return 2 * sum(map(known.is_unit, units)) - len(units)

    return named if not found.units or known_beyond_others(named) > known_beyond_others(found) else found


def _priced_units(found: SourceList) -> int:
    return sum(unit.points is not None for unit in found.units)


@dataclass(slots=True)
class _OpenItem:
    item: SourceItem
    rank: int
    below: list["_OpenItem"] = field(default_factory=list)

    def closed(self) -> SourceItem:
        inner = tuple(one.closed() for one in self.below)
        return SourceItem(
            line=self.item.line,
            text=self.item.text,
            name=self.item.name,
            number=self.item.number,
            is_total=self.item.is_total,
            items=(*self.item.items, *inner),
        )


@dataclass(slots=True)
class _OpenUnit:
    row: Row
    name: str
    number: int
    points: Decimal | None
    under: tuple[tuple[int, str], ...]
    items: list[_OpenItem] = field(default_factory=list)
    warlord: str | None = None
    badges: set[str] = field(default_factory=set)
    told: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def closed(self) -> SourceUnit:
        return SourceUnit(
            line=self.row.number,
            text=self.row.text,
            name=self.name,
            number=self.number,
            points=self.points,
            under=self.under,
            is_warlord=self.warlord is not None,
            warlord_trait=self.warlord or "",
            badges=frozenset(self.badges),
            items=tuple(one.closed() for one in self.items),
            notes="\n".join(self.notes),
            told=tuple(self.told[:100]),
        )


class _Reading:
    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        margin = [row for row in rows if row.rank < 10 and not row.heading]
        marked = [row for row in margin if row.bullet and has_price(row.text)]
        plain = [row for row in margin if not row.bullet and has_price(row.text) and not _SLOTS.match(row.text)]
        self.is_priced = bool(marked or plain)
        self.is_bulleted = any(row.bullet in ("-", "*") for row in margin)
        self.bullets = {"-", "*"}
        if self.is_priced:
            self.is_bulleted = bool(marked) and not _are_parts(
                marked, [row for row in plain if row is not rows[0] and not row.is_caps]
            )
            self.bullets |= {row.bullet for row in marked} if self.is_bulleted else set()
        names = [(row, priced(row.text)[0]) for row in plain]
        marks = {row.number for row in rows if row.bullet or row.rank}
        listed = [row for row, name in names if "," in name and row.number + 1 not in marks]
        self.is_listed = len(names) > 1 and 2 * len(listed) > len(names)
        self.is_of_battlescribe = any(row.is_fenced for row in rows)
        self.fenced = any(row.heading == 3 for row in rows if not row.is_caps)
        first_caps = next((row.number for row in rows if row.is_caps and not row.bullet), 0)
        self.start = first_caps if not self.fenced and not self.is_bulleted else 0
        self.units: list[_OpenUnit] = []
        self.headings: dict[int, tuple[int, str]] = {}
        self.is_first = False
        self.place = self.told = 0
        self.head: list[str] = []
        self.rest: list[tuple[int, str]] = []
        self.all_headings: list[tuple[int, str]] = []
        self.items = 0

    def read(self) -> SourceList:
        title, points, limit, allegiance = "", None, None, ""
        for place, row in enumerate(self.rows):
            self.place = place
            if row.heading == 1 or (place == 0 and not self._begins_with_a_unit()):
                name, price, _ = priced(row.text)
                title, points = title or name, points if points is not None else price
                limit = limit or limit_in(row.text)
                self.head.append(row.text)
                if row.heading > 1 or (row.is_caps and price is None):
                    self._heading(row)
            elif NOT_OF_IT.match(row.text):
                continue
            elif (not self.units or row.rank < 10) and (found := _ALLEGIANCE.match(row.text)):
                allegiance = found["value"]
            elif not self.units and (found := _POINTS_LIMIT.match(row.text)):
                limit = int(value_of(found["n"]))
            elif not self.units and (found := LIST_NAME.match(row.text)):
                title = found["name"]
            else:
                self._line(row)
                if not self.units and row.number not in (line for line, _ in self.all_headings):
                    limit = limit or limit_in(row.text) or _stated_limit(row)
        heads = tuple(self.head)
        filled = {heading for unit in self.units for heading in unit.under}
        return SourceList(
            name=self._title(title, heads),
            head=heads[:40],
            points=points,
            limit=limit,
            allegiance=allegiance,
            units=tuple(unit.closed() for unit in self.units),
            rest=tuple(self.rest[:200]),
            empty=tuple(one for one in self.all_headings if one not in filled)[:40],
        )

    def _title(self, title: str, head: tuple[str, ...]) -> str:
        """The name of the list: of New Recruit what follows the detachment, of BattleScribe all before the game."""
        if title.startswith("+ ") or not title:
            return ""
        if head and title.count(" - ") >= 2 and " - [" in head[0]:
            outermost = (f" - {words} - " for unit in self.units[:1] for _, words in unit.under[:1])
            detachment = next((words for words in outermost if words in title), " - ")
            return title.split(detachment, 1)[1] if detachment != " - " else title.rsplit(" - ", 1)[-1]
        at = opening(title) if self.is_of_battlescribe and title.endswith(")") else -1
        title = _OUT_OF.sub("", title[:at] if at > 0 else title)
        return title.strip(" *_=~#")

    def _line(self, row: Row) -> None:
        if not self.units and row.text.startswith("+"):
            self.head.append(row.text.strip("+ "))
        elif row.heading or self._is_role(row):
            self._heading(row)
            self.is_first = self.is_priced
            return
        elif self._is_unit(row):
            self._unit(row)
        elif self._stands_above_a_unit(row):
            self._heading(row)
        elif not self.units:
            self.head.append(row.text)
        elif notes := _NOTES.match(row.text):
            self.units[-1].notes.append(notes["notes"])
        elif _INFO.match(row.text) or (row.rank >= 10 and row.text.startswith("[")):
            return  # profiles and rules come from the data
        elif row.rank >= 10 and not row.bullet and _SAID.match(row.text):
            if _WARLORD.fullmatch(row.text):
                self._item(row)
            else:
                self.units[-1].told.append((row.number, row.text))  # what is stated or the game says of the unit
        elif self.items < ITEMS and (row.bullet or row.rank or "+" in row.text or self._goes_on(row)):
            self._item(row)
        else:
            self.rest.append((row.number, row.text))
        self.is_first = False

    def _begins_with_a_unit(self) -> bool:
        """Whether the first line is no title: counted, with a price before its options, or written like the others."""
        row = self.rows[0]
        if row.is_unit:
            return True
        if row.heading or row.bullet or not has_price(row.text):
            return False
        name, _, tail = priced(row.text)
        is_counted = re.match(r"\d{1,4}\s*[xх×]\s", row.text) is not None
        return is_counted or (tail.startswith(":") and tail != ":") or (self.is_listed and name.count(",") > 1)

    def _before(self) -> Row | None:
        """The line before, where no empty one stands between."""
        before, row = self.rows[self.place - 1], self.rows[self.place]
        return before if before.number == row.number - 1 else None

    def _heads_priced_bullets(self) -> bool:
        """Whether a bullet with a price stands right below, in a list whose units are such bullets."""
        after = self.rows[self.place + 1] if self.place + 1 < len(self.rows) else None
        return after is not None and after.bullet in ("-", "*") and has_price(after.text)

    def _stands_above_a_unit(self, row: Row) -> bool:
        """Whether a line without a price is a heading: a few words over a unit, apart from what stands before."""
        if not self.is_priced or row.bullet or row.rank or len(row.text.split()) > HEADING_WORDS or "," in row.text:
            return False
        after = self.rows[self.place + 1] if self.place + 1 < len(self.rows) else None
        if after is None or after.heading or not self._is_unit(after):
            return False
        if is_usual_role(row.text):
            return True
        before = self._before()
        return bool(self.units) and (row.text.endswith(":") or before is None or bool(before.bullet or before.rank))

    def _goes_on(self, row: Row) -> bool:
        """Whether a line without any mark belongs to the unit right above it: options in brackets, or one by one."""
        before = self._before()
        return (
            before is not None
            and not before.bullet
            and before.number == self.told
            and len(row.text.split(", ")[0].split()) <= LONGEST_OPTION
            and not row.text.endswith(":")
        )

    def _is_role(self, row: Row) -> bool:
        if row.bullet or row.rank >= 10 or row.is_unit:
            return False
        if row.is_caps:
            return True
        return self.is_bulleted and (bool(_SLOTS.match(row.text)) or not self.is_priced or self._heads_priced_bullets())

    def _heading(self, row: Row) -> None:
        name, _, tail = priced(row.text)
        name = name or tail
        slots = _SLOTS.match(name)
        name = _TAKEN.sub("", slots["name"] if slots and slots["name"] else name).strip(" :,")
        level = row.heading or (4 if row.is_caps and not is_usual_role(name) else 3)
        self.all_headings.append((row.number, name))
        if level in (2, 4):
            self.headings = {2: self.headings.get(2, (0, "")), level: (row.number, name)}
        else:
            self.headings[level] = (row.number, name)
        if not self.units:
            self.head.append(name)

    def _is_unit(self, row: Row) -> bool:
        if len(self.units) >= UNITS or (not row.is_unit and (row.rank >= 10 or self._is_of_the_head(row))):
            return False
        if row.bullet and not ((self.is_bulleted or self.is_first) and row.bullet in self.bullets):
            return False
        if not self.units and not self.headings and _is_size_of_a_game(row):
            return False
        if row.is_unit or (self.is_of_battlescribe and 3 in self.headings and not row.bullet and not row.rank):
            return True  # nothing else stands at the margin below its roles; what costs nothing has no price
        if self.is_priced:
            return has_price(row.text)
        return bool(row.bullet) if self.is_bulleted else bool(self.headings)

    def _is_of_the_head(self, row: Row) -> bool:
        """Whether it stands above the first role, and nothing right below it tells what it has."""
        after = self.rows[self.place + 1] if self.place + 1 < len(self.rows) else None
        return row.number < self.start and (after is None or not after.bullet or after.number != row.number + 1)

    def _unit(self, row: Row) -> None:
        name, points, tail = priced(row.text)
        if points is None:
            name, _, tail = at_colon(f"{name}{tail}")
        number, name = counted(name)
        under = tuple(value for _, value in sorted(self.headings.items()) if value[1])
        if self.is_listed and not tail:
            name, *options = split_at_commas(name) or [name]
            tail = ", ".join(options)
        unit = _OpenUnit(row, name, number, points, under)
        self.units.append(unit)
        self.told = row.number
        tail = tail.strip()
        if tail.startswith("(") and tail.endswith(")"):
            tail = tail[1:-1]
        for item in items_in(tail.lstrip(" :,;–—-"), row.number, is_total=False):
            self._add(unit, item, 0)

    def _item(self, row: Row) -> None:
        unit = self.units[-1]
        self.told = row.number
        is_total = row.bullet in (".", "◦", "○")
        text, _, behind = priced(row.text)
        text = f"{text}{behind}" if behind else text
        if not row.bullet and text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        head, colon, tail = at_colon(text)
        if colon and _labelled(head):
            head, tail = tail, ""
        number, name = counted(head)
        listed = items_in(tail, row.number, is_total=is_total) if tail else ()
        alone = items_in(head, row.number, is_total=is_total) if not tail else ()
        if not tail and len(alone) > 1:  # several in one line
            for item in alone:
                self._add(unit, item, row.rank)
            return
        inside = alone[0].items if alone else listed
        name = alone[0].name if alone else name
        item = SourceItem(
            line=row.number,
            text=counted(head)[1],
            name=name,
            number=max(1, min(number, 1_000)),
            is_total=is_total,
            items=inside,
        )
        self._add(unit, item, row.rank)

    def _add(self, unit: _OpenUnit, item: SourceItem, rank: int) -> None:
        self.items += sum(1 for _ in item.walk())
        if found := _WARLORD.fullmatch(item.text):
            if not found["of"] and (found["trait"] is None or unit.warlord is not None):
                unit.badges.add("General" if found["general"] else "Warlord")
            said = found["trait"] or next((inner.text for inner in item.items), "")
            unit.warlord = said or unit.warlord or ""  # the data has an option of that name too, which says no trait
            return
        leads = (found for inner in item.items if (found := _WARLORD.fullmatch(inner.text)))
        if any(not found["general"] for found in leads):  # the option of that name, on the model that the unit is
            unit.warlord = unit.warlord or ""
        siblings = unit.items
        for _ in range(DEEPEST):
            if rank and siblings and 0 < siblings[-1].rank < rank:
                siblings = siblings[-1].below
            else:
                break
        siblings.append(_OpenItem(item, rank))


def _is_size_of_a_game(row: Row) -> bool:
    """Whether a line such as "Warhammer 40,000, 2000 points" tells how large the army may be."""
    price = priced(row.text)[1]
    return price is not None and price >= SMALLEST_GAME and price % GAMES == 0


def _are_parts(marked: list[Row], plain: list[Row]) -> bool:
    """Whether priced bullets are options of the priced lines above them: a heading costs what stands below it."""
    starts = [row.number for row in plain]
    below: dict[int, Decimal] = {}
    for row in marked:
        if at := bisect_left(starts, row.number):
            below[at - 1] = below.get(at - 1, Decimal(0)) + _cost(row.text)
    parts = sum(total < _cost(plain[at].text) for at, total in below.items())
    return 2 * parts > len(below)


def _cost(text: str) -> Decimal:
    return priced(text)[1] or Decimal(0)


def _stated_limit(row: Row) -> int | None:
    """A price in the head that is no heading's and no total: the size of the game."""
    _, value, _ = priced(row.text)
    is_labelled = re.search(r":\s*[\[(]?\d", row.text) is not None
    return None if row.heading or row.is_caps or value is None or is_labelled else int(value)


def _labelled(head: str) -> bool:
    """Whether the words before a colon say what kind of thing follows."""
    return head.casefold() in _LABELS
