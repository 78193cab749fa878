"""A list pasted as text, in any layout this site writes or one near it: which line is what, before names are looked up.

Nothing here knows a game. A line is a heading, a unit (it has a price, or stands where units stand), an item of the
unit above it, or neither; what is neither is handed back.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from decimal import Decimal

from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.imports.source_list import (
    ITEMS,
    LINE_LENGTH,
    LINES,
    UNITS,
    SourceItem,
    SourceList,
    SourceUnit,
)
from armybuilder.armylists.list_sheet import visible
from armybuilder.engine.findings import Text

TEXT_BYTES = 400_000
"""A list of sixty units with everything written out has 60,000."""
DEEPEST = 8
SMALLEST_GAME = 1_000
"""Points of a line in the head that tells the size of the game, in steps of `GAMES`, and no unit."""
GAMES = 250
HEADING_WORDS = 4
LONGEST_OPTION = 8
"""So many words at most are the name of an option; more are a sentence."""

_FIGURES = r"(?P<n>\d{1,3}(?:[ ,.]\d{3})+|\d{1,7}(?:[.,]\d{1,2})?)"
_WORD = r"(?:pts?|points?|pnts|очк[а-яё]{0,3}|птс)\b\.?"
_BRACKETED = re.compile(
    rf"\s*[\[(](?P<plus>\+?)\s*(?:\d{{1,4}} ?[a-zа-я]{{1,10}},? ){{0,3}}{_FIGURES}\s*{_WORD}"
    r"(?!\s*limit)[^\[\]()]{0,40}[\])]",
    re.IGNORECASE,
)
_LIMIT = re.compile(rf"[\[(]{_FIGURES}\s*{_WORD}\s*limit[\])]", re.IGNORECASE)
_BARE = re.compile(
    r"(?<=\S)\s*[\[(](?P<n>\d{2,4})[\])]$|(?:(?<=[^\W\d])\s*[-–—.…]+\s*|(?<=\d)\s+[-–—.…]+\s*|(?<=\w)\s)(?P<plain>\d{2,4})$"
)
_LAST_NUMBER = re.compile(r"(?<!\d)\d{1,4}$")
_BEHIND = re.compile(rf"(?P<plus>\+?)\s*(?:[–—:,=@]|\s-)\s*{_FIGURES}\s*{_WORD}", re.IGNORECASE)
_AFTER_A_SPACE = re.compile(rf"(?<=[\w)\"'])(?P<plus>) {_FIGURES}\s*{_WORD}(?=\s*(?:$|[,:;(]))", re.IGNORECASE)
_ORDINAL = re.compile(r"\d{1,2}[.)]\s+(?=\D)")
_OF_LIMIT = re.compile(rf"/\s*{_FIGURES}\s*{_WORD}", re.IGNORECASE)
_OUT_OF = re.compile(rf" {_FIGURES}/\d[\d,. ]{{0,8}}\s*{_WORD}$", re.IGNORECASE)
"""Points and limit behind the name of a list: "Grand Strike 990/1000 pts"."""
_COUNT = re.compile(r"(?P<n>\d{1,4})\s*(?:[xх×]\s*|\s)(?=\D)", re.IGNORECASE)
_COUNT_BEHIND = re.compile(r"(?<=\w) [xх×] ?(?P<n>\d{1,4})$", re.IGNORECASE)
_BULLET = re.compile(r"(?P<dots>(?:\.\s)+)|(?P<mark>[-*•◦▪●○·‣–—])\s*(?=\S)")
_FENCE = re.compile(r"[-+=_*~ ]{3,}")
_CHARACTER = re.compile(r"(?:char|перс)\d+:\s*", re.IGNORECASE)
_SLOTS = re.compile(r"^(?P<name>[^:]{1,80}?)(?: \d+/\d+)?:\s*\d[\d ,.]*\s*\w+(?:, [\d.,]+ ?%)?$|^[^:]{1,80} \d+/\d+$")
_TAKEN = re.compile(r" \d+/\d+$")
"""Slots behind the name of a role: "Elites 2/4"."""
NOT_OF_IT = re.compile(
    r"(?:verdict|вердикт|error|ошибка|not checked|не проверено)\b.*:|army builder,|(?:created|exported) with\b|"
    r"exporté avec\b|end of roster$|data version:|url ?:|"
    r"(?:\+\+ )?(?:total|итого):|app: v\d|\[?https?://",
    re.IGNORECASE,
)
_WARLORD = re.compile(
    r"(?:warlord|военачальник|полководец|(?P<general>general|генерал)|(?P<of>warlord trait|особенность военачальника))"
    r"(?: \((?P<trait>[^()]*(?:\([^()]*\))?)\))?",
    re.IGNORECASE,
)
_ALLEGIANCE = re.compile(r"(?:allegiance|верность|сторона)\s*:\s*(?P<value>\w+)", re.IGNORECASE)
_POINTS_LIMIT = re.compile(rf"\+?\s*(?:points limit|лимит очков)\s*:\s*{_FIGURES}$", re.IGNORECASE)
LIST_NAME = re.compile(r"\+?\s*(?:list name|название ростера)\s*:\s*(?P<name>.+)", re.IGNORECASE)
_INFO = re.compile(r"\[[^\]]+\] \S+\(|(?:special rules|особые правила):", re.IGNORECASE)
_NOTES = re.compile(r"(?:notes|заметки):\s*(?P<notes>.+)", re.IGNORECASE)
_WITH = re.compile(r"(?P<n>\d{1,4}) (?:with|с:) ", re.IGNORECASE)
_SAID = re.compile(r"(?:\d+ )?(?!with |с: )[a-zа-яё]")
"""How what is said of a unit begins: "initiative 3+", "10 places needed"; things begin with a capital."""
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>()#~|!.+-])")
_TAG = re.compile(r"\[/?(?:b|i|u|size|list|color|center|quote|code|url)(?:=[^\]]{0,60})?\]", re.IGNORECASE)
_QUOTES = str.maketrans({**dict.fromkeys("“”„«»″", '"'), **dict.fromkeys("’‘ʼ′‛", "'"), "\u2212": "-"})


def read_text(text: str) -> SourceList:
    """The list in a pasted text.

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
    read = (_row(number, line) for number, line in enumerate(text.splitlines()[:LINES], 1))
    rows = _aligned([_led_to_its_price(row) for row in read if row is not None])
    found = _Reading(rows).read()
    priced = _priced_units(found)
    if not priced or not any(row.bullet or row.heading or row.rank for row in rows):
        worded = _Reading([_in_words(row) for row in rows]).read()
        found = worded if _priced_units(worded) > priced else found
    if not found.units:
        raise EditRefused(
            Text(
                en="No line of this text looks like a unit. A unit is a line with its points, such as "
                "“Tactical Squad [100 pts]”, or a line below a heading; a bullet below it is an option.",
                ru="Ни одна строка этого текста не похожа на отряд. Отряд – строка с очками, например "
                "«Tactical Squad [100 очков]», или строка под заголовком; маркер под ней – вариант.",
            )
        )
    return found


def _priced_units(found: SourceList) -> int:
    return sum(unit.points is not None for unit in found.units)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line without what only sets it: marks of Markdown and BBCode, bullets, the number of a character.

    Attributes:
        heading: 0 for none; 1 the title, 2 a detachment, 3 a role, 4 one or the other.
        rank: how deep it stands; 0 for what stands at the margin.
        is_fenced: a role between plus signs, as BattleScribe writes them.
    """

    number: int
    text: str
    heading: int
    bullet: str
    rank: int
    indent: int
    is_fenced: bool = False

    @property
    def is_caps(self) -> bool:
        return sum(map(str.isalpha, self.text)) > 1 and self.text == self.text.upper() and not self.bullet


def _row(number: int, line: str) -> _Row | None:
    indent = len(line[:200]) - len(line[:200].lstrip())
    raw = line.strip()[: LINE_LENGTH - 1]
    if raw.casefold().startswith("```"):
        return None
    heading = 0
    if re.match(r"\[(?:size|b\]\[u)", raw, re.IGNORECASE):
        heading = 1 if raw[1:5].casefold() == "size" else 3
    text = _TAG.sub("", raw.replace("[*]", "• "))
    text = _ESCAPED.sub(r"\1", text.replace("**", "") if "**" in text else text)
    text = visible(text.translate(_QUOTES))
    if not text or _FENCE.fullmatch(text):
        return None
    if marks := re.match(r"(#{1,4})\s+", text):
        heading = 1 if len(marks[1]) == 1 else 3
        text = text[marks.end() :]
    for sign, level in (("+++", 1), ("++", 2), ("+", 3)):
        if text.startswith(f"{sign} ") and f" {sign}" in text[2:]:
            text = text.replace(f"{sign} ", "", 1).replace(f" {sign}", "", 1)
            heading = level
            break
    is_fenced = heading == 3 and raw.startswith("+")
    bullet, rank = "", indent * 10
    if not heading and (found := _BULLET.match(text)):
        bullet = found["mark"] or "."
        rank = len(found["dots"].split()) if found["dots"] else rank + (2 if bullet in "◦○" else 1)
        text = text[found.end() :]
    text = _CHARACTER.sub("", text, count=1)
    if ordinal := _ORDINAL.match(text):
        text = text[ordinal.end() :]
    return _Row(number, text, heading, bullet, rank, indent, is_fenced) if text else None


def _aligned(rows: list[_Row]) -> list[_Row]:
    """Rows in which a counted line without a bullet, below the text of one with it, is the next of these."""
    found: list[_Row] = []
    for row in rows:
        before = found[-1] if found else None
        goes_on = (
            before is not None
            and before.bullet
            and before.indent > 0
            and not row.bullet
            and not row.heading
            and _COUNT.match(row.text)
            and row.indent == before.indent + 2
        )
        if goes_on and before is not None:
            found.append(replace(row, bullet=before.bullet, rank=before.rank, indent=before.indent))
        else:
            found.append(row)
    return found


def _in_words(row: _Row) -> _Row:
    """A line whose price is a number alone, "Liberators (110)" or "Praetor 150", with the word behind it."""
    found = None if row.bullet or row.heading or "/" in row.text else _BARE.search(row.text)
    if found is None:
        return row
    return replace(row, text=f"{row.text[: found.start()]} [{found['n'] or found['plain']} pts]")


def _led_to_its_price(row: _Row) -> _Row:
    """A line whose price stands behind a row of dots or an @, "Tactical ........ 300", with the word behind it."""
    found = None if row.bullet else _LAST_NUMBER.search(row.text)
    if found is None:
        return row
    name = row.text[: found.start()].rstrip(" .…@,")
    dots = row.text[len(name) : found.start()]
    return (
        replace(row, text=f"{name} [{found[0]} pts]")
        if name and any(sign in dots for sign in ("...", "…", "@"))
        else row
    )


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
    row: _Row
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
    def __init__(self, rows: list[_Row]) -> None:
        self.rows = rows
        margin = [row for row in rows if row.rank < 10 and not row.heading]
        marked = [row for row in margin if row.bullet and _unit_price(row.text)]
        plain = [row for row in margin if not row.bullet and _unit_price(row.text) and not _SLOTS.match(row.text)]
        self.is_priced = bool(marked or plain)
        self.is_bulleted = any(row.bullet in ("-", "*") for row in margin)
        self.bullets = {"-", "*"}
        if self.is_priced:
            self.is_bulleted = bool(marked) and not _are_parts(
                marked, [row for row in plain if row is not rows[0] and not row.is_caps]
            )
            self.bullets |= {row.bullet for row in marked} if self.is_bulleted else set()
        names = [(row, _priced(row.text)[0]) for row in plain]
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
                name, price, _ = _priced(row.text)
                title, points = title or name, points if points is not None else price
                limit = limit or _limit(row.text)
                self.head.append(row.text)
                if row.heading > 1 or (row.is_caps and price is None):
                    self._heading(row)
            elif NOT_OF_IT.match(row.text):
                continue
            elif (not self.units or row.rank < 10) and (found := _ALLEGIANCE.match(row.text)):
                allegiance = found["value"]
            elif not self.units and (found := _POINTS_LIMIT.match(row.text)):
                limit = int(_value(found["n"]))
            elif not self.units and (found := LIST_NAME.match(row.text)):
                title = found["name"]
            else:
                self._line(row)
                if not self.units:
                    limit = limit or _limit(row.text) or _stated_limit(row)
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
        at = _opening(title) if self.is_of_battlescribe and title.endswith(")") else -1
        title = _OUT_OF.sub("", title[:at] if at > 0 else title)
        return title.strip(" *_=~#")

    def _line(self, row: _Row) -> None:
        if not self.units and row.text.startswith("+"):
            self.head.append(row.text.strip("+ "))
        elif row.heading or self._is_role(row):
            self._heading(row)
            self.is_first = self.is_priced
            return
        elif self._is_unit(row):
            self._unit(row)
        elif not self.units:
            self.head.append(row.text)
        elif self._stands_above_a_unit(row):
            self._heading(row)
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
        if row.heading or row.bullet or not _unit_price(row.text):
            return False
        name, _, tail = _priced(row.text)
        is_counted = re.match(r"\d{1,4}\s*[xх×]\s", row.text) is not None
        return is_counted or (tail.startswith(":") and tail != ":") or (self.is_listed and name.count(",") > 1)

    def _before(self) -> _Row | None:
        """The line before, where no empty one stands between."""
        before, row = self.rows[self.place - 1], self.rows[self.place]
        return before if before.number == row.number - 1 else None

    def _heads_priced_bullets(self) -> bool:
        """Whether a bullet with a price stands right below, in a list whose units are such bullets."""
        after = self.rows[self.place + 1] if self.place + 1 < len(self.rows) else None
        return after is not None and after.bullet in ("-", "*") and bool(_unit_price(after.text))

    def _stands_above_a_unit(self, row: _Row) -> bool:
        """Whether a line without a price is a heading: a few words over a unit, apart from what stands before."""
        if not self.is_priced or row.bullet or row.rank or len(row.text.split()) > HEADING_WORDS or "," in row.text:
            return False
        after = self.rows[self.place + 1] if self.place + 1 < len(self.rows) else None
        if after is None or after.heading or not self._is_unit(after):
            return False
        before = self._before()
        return row.text.endswith(":") or before is None or bool(before.bullet or before.rank)

    def _goes_on(self, row: _Row) -> bool:
        """Whether a line without any mark belongs to the unit right above it: options in brackets, or one by one."""
        before = self._before()
        return (
            before is not None
            and not before.bullet
            and before.number == self.told
            and len(row.text.split(", ")[0].split()) <= LONGEST_OPTION
            and not row.text.endswith(":")
        )

    def _is_role(self, row: _Row) -> bool:
        if row.bullet or row.rank >= 10:
            return False
        if row.is_caps:
            return True
        return self.is_bulleted and (bool(_SLOTS.match(row.text)) or not self.is_priced or self._heads_priced_bullets())

    def _heading(self, row: _Row) -> None:
        name, _, tail = _priced(row.text)
        name = name or tail
        slots = _SLOTS.match(name)
        name = _TAKEN.sub("", slots["name"] if slots and slots["name"] else name).strip(" :,")
        level = row.heading or (4 if row.is_caps else 3)
        self.all_headings.append((row.number, name))
        if level in (2, 4):
            self.headings = {2: self.headings.get(2, (0, "")), level: (row.number, name)}
        else:
            self.headings[level] = (row.number, name)
        if not self.units:
            self.head.append(name)

    def _is_unit(self, row: _Row) -> bool:
        if row.rank >= 10 or row.number < self.start or len(self.units) >= UNITS:
            return False
        if row.bullet and not ((self.is_bulleted or self.is_first) and row.bullet in self.bullets):
            return False
        if not self.units and not self.headings and _is_size_of_a_game(row):
            return False
        if self.is_of_battlescribe and 3 in self.headings and not row.bullet and not row.rank:
            return True  # nothing else stands at the margin below its roles; what costs nothing has no price
        if self.is_priced:
            return bool(_unit_price(row.text))
        return bool(row.bullet) if self.is_bulleted else bool(self.headings)

    def _unit(self, row: _Row) -> None:
        name, points, tail = _priced(row.text)
        if points is None:
            name, _, tail = _at_colon(row.text)
        number, name = _counted(name)
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
        for item in _items(tail.lstrip(" :,;–—-"), row.number, is_total=False):
            self._add(unit, item, 0)

    def _item(self, row: _Row) -> None:
        unit = self.units[-1]
        self.told = row.number
        is_total = row.bullet in (".", "◦", "○")
        text, _, behind = _priced(row.text)
        text = f"{text}{behind}" if behind else text
        if not row.bullet and text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        head, colon, tail = _at_colon(text)
        if colon and _labelled(head):
            head, tail = tail, ""
        number, name = _counted(head)
        listed = _items(tail, row.number, is_total=is_total) if tail else ()
        alone = _items(head, row.number, is_total=is_total) if not tail else ()
        if not tail and len(alone) > 1:  # several in one line
            for item in alone:
                self._add(unit, item, row.rank)
            return
        inside = alone[0].items if alone else listed
        name = alone[0].name if alone else name
        item = SourceItem(
            line=row.number,
            text=_counted(head)[1],
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


def without_prices(line: str) -> str:
    """A line without the prices that stand in brackets or behind a name."""
    return _BEHIND.sub("", _BRACKETED.sub("", line))


def _priced(text: str) -> tuple[str, Decimal | None, str]:
    """Name, price and what stands behind it."""
    found = _price_in(text)
    if found is None:
        return text.strip(), None, ""
    return text[: found.start()].strip(" :,–—-"), _value(found["n"]), text[found.end() :]


def _price_in(text: str) -> re.Match[str] | None:
    return _BRACKETED.search(text) or _BEHIND.search(text) or _AFTER_A_SPACE.search(text)


def _is_size_of_a_game(row: _Row) -> bool:
    """Whether a line such as "Warhammer 40,000, 2000 points" tells how large the army may be."""
    price = _priced(row.text)[1]
    return price is not None and price >= SMALLEST_GAME and price % GAMES == 0


def _unit_price(text: str) -> bool:
    found = _price_in(text)
    return found is not None and not found["plus"] and found.start() > 0 and not _OF_LIMIT.search(text)


def _are_parts(marked: list[_Row], plain: list[_Row]) -> bool:
    """Whether priced bullets are options of the priced lines above them: a heading costs what stands below it."""
    starts = [row.number for row in plain]
    below: dict[int, Decimal] = {}
    for row in marked:
        if at := bisect_left(starts, row.number):
            below[at - 1] = below.get(at - 1, Decimal(0)) + _cost(row.text)
    parts = sum(total < _cost(plain[at].text) for at, total in below.items())
    return 2 * parts > len(below)


def _cost(text: str) -> Decimal:
    return _priced(text)[1] or Decimal(0)


def _value(figures: str) -> Decimal:
    figures = figures.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", figures):
        return Decimal(re.sub(r"[,.]", "", figures))
    return Decimal(figures.replace(",", "."))


def _limit(text: str) -> int | None:
    found = _OF_LIMIT.search(text) or _LIMIT.search(text)
    if found is None:
        return None
    return int(_value(found["n"]))


def _stated_limit(row: _Row) -> int | None:
    """A price in the head that is no heading's and no total: the size of the game."""
    _, value, _ = _priced(row.text)
    is_labelled = re.search(r":\s*[\[(]?\d", row.text) is not None
    return None if row.heading or row.is_caps or value is None or is_labelled else int(value)


def _counted(text: str) -> tuple[int, str]:
    text = text.strip()
    found = _COUNT.match(text)
    if found is None and (behind := _COUNT_BEHIND.search(text)) and int(behind["n"]):
        return min(int(behind["n"]), 1_000), text[: behind.start()]
    if found is None or not int(found["n"]):
        return 1, text
    return min(int(found["n"]), 1_000), text[found.end() :].strip()


def _at_colon(text: str) -> tuple[str, str, str]:
    """What stands before and behind the first colon that is in no brackets: "Warlord (Warlord: Bearer)" has none."""
    for found in re.finditer(": ", text):
        before = text[: found.start()]
        if before.count("(") == before.count(")") or text.count("(") != text.count(")"):
            return before, ": ", text[found.end() :]
    return text, "", ""


def _labelled(head: str) -> bool:
    """Whether the words before a colon say what kind of thing follows."""
    return head.casefold() in {"enhancement", "enhancements", "wargear", "options", "улучшение", "снаряжение"}


def _items(text: str, line: int, *, is_total: bool, depth: int = 0) -> tuple[SourceItem, ...]:
    """Things with commas between them, each perhaps with what belongs to it in brackets."""
    found: list[SourceItem] = []
    for part in text.split("; ") if _WITH.match(text) else [text]:
        bearers = 1
        if match := _WITH.match(part):
            bearers, part = max(1, int(match["n"])), part[match.end() :]  # noqa: PLW2901
        for token in split_at_commas(part):
            number, words = _counted(without_prices(token) or token)
            name, inner = words, ""
            if words.endswith(")") and (at := _opening(words)) > 0:
                name, inner = words[:at].strip(), words[at + 1 : -1]
            found.append(
                SourceItem(
                    line=line,
                    text=words,
                    name=name,
                    number=min(number * bearers, 1_000),
                    is_total=is_total or bearers > 1 or bool(match),
                    items=_items(inner, line, is_total=is_total, depth=depth + 1) if inner and depth < DEEPEST else (),
                )
            )
    return tuple(found[:ITEMS])


def items_of(text: str, line: int) -> tuple[SourceItem, ...]:
    """The things that a line without bullet and price names."""
    return _items(text, line, is_total=False)


def split_at_commas(text: str) -> list[str]:
    """What stands between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif char == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _opening(text: str) -> int:
    """Where the bracket that the last sign closes was opened; -1 for nowhere."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if not depth:
            return place
    return -1
