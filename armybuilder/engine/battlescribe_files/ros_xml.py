"""Roster files (.ros, .rosz), both ways: what BattleScribe and New Recruit write, and what they can open."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

import msgspec

from armybuilder.engine.battlescribe_files.cat_xml import bare, line_of, parse_tree
from armybuilder.engine.battlescribe_files.file_signs import looks_like
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile, unzipped, zipped
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.numbers import is_number, plain
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.late_modules import etree
from armybuilder.engine.roster.model import Force, Roster, Selection, Tag
from armybuilder.engine.roster.state import (
    CategoryState,
    Cost,
    ForceState,
    ProfileState,
    RosterState,
    RuleState,
    SelectionState,
)

NAMESPACE: Final = "http://www.battlescribe.net/schema/rosterSchema"
NO_CATEGORY: Final = "(No Category)"
MAX_ROSTER_BYTES: Final = 8_000_000
"""Largest roster, unpacked: its tree takes twenty times as much memory. The largest known one has 1 MB."""
MAX_SELECTIONS: Final = 5_000
MAX_AMOUNT: Final = 10_000
MAX_TAGS: Final = 100

if TYPE_CHECKING:
    Element = etree._Element


class Layout(msgspec.Struct, frozen=True):
    """How a program lays a roster file out; both read both.

    Attributes:
        generated_by: the program named in the file; None names none.
        origin: whether selections say where they come from (`from`, `group`).
        uncategorised: name of the category of what has none; a selection without a category gets it if `synthetic`.
    """

    generated_by: str | None
    origin: bool
    uncategorised: str
    synthetic: bool
    empty_end: str
    whole_numbers: bool
    zero_costs: bool


BATTLESCRIBE: Final = Layout(
    generated_by=None,
    origin=False,
    uncategorised="Uncategorised",
    synthetic=False,
    empty_end="/>",
    whole_numbers=False,
    zero_costs=True,
)
"""The layout of BattleScribe 2.03: what the site exports."""

NEW_RECRUIT: Final = Layout(
    generated_by="https://newrecruit.eu",
    origin=True,
    uncategorised="Uncategorized",
    synthetic=True,
    empty_end=" />",
    whole_numbers=True,
    zero_costs=False,
)
"""The layout of New Recruit, byte for byte: conformance suites compare exports with files that it wrote."""


_KINDS: Final = {"mount": "model", "crew": "model", "unit-group": "unit"}
"""What a selection's kind is called in BattleScribe's layout, which knows only three (§12)."""

EXTENSION: Final = "army-builder"
"""Target of the processing instruction in which a roster file says what its layout has no place for.

Readers of XML pass over instructions that are not theirs, so the file stays what it was for every other program.
"""

_PROLOG_BYTES = 200_000
"""The instruction stands before the root element; a longer one is not looked for."""


class Dropped(msgspec.Struct, frozen=True):
    """A force or selection of a file that the data does not have."""

    node_id: str
    name: str
    entry_id: str


class Settled(msgspec.Struct, frozen=True):
    """A roster that holds only what the data has, and what had to go."""

    roster: Roster
    dropped: tuple[Dropped, ...]


def read_roster(data: bytes, *, file_name: str) -> Roster:
    """The roster in a .ros or .rosz file, whatever it is called. Nothing is looked up: see `settle`.

    Raises:
        UnreadableFile: not a roster file, damaged, hostile or too large.
    """
    root = parse_tree(unzipped(data, file_name=file_name, most=MAX_ROSTER_BYTES), file_name=file_name)
    if bare(root.tag) != "roster":
        seen = looks_like(unzipped(data, file_name=file_name, most=MAX_ROSTER_BYTES))
        what = f"this is {seen.en}, not a list" if seen else "this is no list"
        message = f"{what}: the root element is {bare(root.tag)[:60]}, not roster."
        raise UnreadableFile(message, file_name, line_of(root))
    reader = _Reader(file_name)
    return Roster(
        id=reader.new_id(root),
        name=root.get("name", ""),
        system_id=root.get("gameSystemId", ""),
        forces=tuple(reader.forces(root)),
        cost_limits=_limits(root),
        notes=_notes(root),
        tags=tuple(Tag(row.get("id", ""), row.get("name", "")) for row in _rows(root, "tags", "tag"))[:MAX_TAGS],
    )


def read_extension(data: bytes, *, file_name: str) -> str:
    """What a roster file says beyond its layout, as `write_roster` was given it; empty without any.

    Raises:
        UnreadableFile: a damaged or hostile zip file.
    """
    prolog = unzipped(data, file_name=file_name, most=MAX_ROSTER_BYTES)[:_PROLOG_BYTES].partition(b"<roster")[0]
    _, mark, behind = prolog.partition(f"<?{EXTENSION}".encode())
    told, end, _ = behind.partition(b"?>")
    text = told.strip()
    is_ours = mark and end and told[:1].isspace() and text.isascii() and text.decode().isprintable()
    return text.decode() if is_ours else ""


class _Reader:
    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self._ids: set[str] = set()
        self._copies: dict[str, int] = {}
        self._selections = 0

    def new_id(self, element: Element) -> str:
        """The element's id, changed when it is missing or stands twice."""
        wanted = element.get("id") or f"line-{element.sourceline}"
        found = wanted
        while found in self._ids:  # begun where the last copy left off: a file may give all of them one id
            copy = self._copies.get(wanted, 2)
            found, self._copies[wanted] = f"{wanted}-{copy}", copy + 1
        self._ids.add(found)
        return found

    def forces(self, holder: Element) -> Iterator[Force]:
        for element in _rows(holder, "forces", "force"):
            names, notes = {}, {}
            nested: list[Selection] = []
            for category in _rows(element, "categories", "category"):
                category_id = category.get("entryId") or category.get("categoryId") or ""
                if category.get("customName"):
                    names[category_id] = category.get("customName", "")
                if text := _notes(category):
                    notes[category_id] = text
                nested += self.selections(category, 1)  # up to 2.00 selections sit in the categories
            yield Force(
                id=self.new_id(element),
                entry_id=element.get("entryId") or element.get("forceTypeId") or "",
                catalogue_id=element.get("catalogueId", ""),
                selections=(*self.selections(element, 1), *nested),
                forces=tuple(self.forces(element)),
                name=element.get("name", ""),
                custom_name=element.get("customName") or None,
                notes=_notes(element),
                category_notes=notes,
                category_names=names,
            )

    def selections(self, holder: Element, parent_number: int) -> Iterator[Selection]:
        for element in _rows(holder, "selections", "selection"):
            self._selections += 1
            if self._selections > MAX_SELECTIONS:
                message = f"the roster has more than {MAX_SELECTIONS} selections."
                raise UnreadableFile(message, self._file_name, line_of(element))
            number = self._number(element)
            yield Selection(
                id=self.new_id(element),
                entry_id=element.get("entryId", ""),
                group_id=element.get("entryGroupId") or None,
                amount=max(1, number // parent_number) if parent_number else max(1, number),
                selections=tuple(self.selections(element, number)),
                name=element.get("name", ""),
                custom_name=element.get("customName") or None,
                notes=_notes(element),
            )

    def _number(self, element: Element) -> int:
        text = element.get("number", "1").strip()
        if not is_number(text) or not 0 <= Decimal(text) <= MAX_AMOUNT * MAX_AMOUNT:
            raise UnreadableFile(f"the number {text[:40]!r} cannot be used.", self._file_name, line_of(element))
        return int(Decimal(text))


def _rows(holder: Element, container: str, item: str) -> Iterator[Element]:
    for child in holder:
        if bare(child.tag) == container:
            for row in child:
                if bare(row.tag) == item:
                    yield row


def _notes(holder: Element) -> str | None:
    for child in holder:
        if bare(child.tag) == "customNotes":
            return child.text or None
    return None


def _limits(root: Element) -> dict[str, Decimal]:
    limits = {}
    old = root.get("pointsLimit", "")  # up to 1.15; its only cost type becomes `points` (§3)
    if is_number(old) and Decimal(old) > 0:
        limits["points"] = Decimal(plain(Decimal(old)))
    for row in _rows(root, "costLimits", "costLimit"):
        value = row.get("value", "")
        if is_number(value) and Decimal(value) >= 0:
            limits[row.get("typeId") or row.get("costTypeId") or ""] = Decimal(plain(Decimal(value)))
    return limits


def settle(library: Library, roster: Roster) -> Settled:
    """A roster from a file, in the library's own terms: paths and groups as the data has them, the rest dropped."""
    dropped: list[Dropped] = []
    known = {head.id for head in library.heads}

    def selection(node: Selection, place: Place | None) -> Selection | None:
        if place is None:
            dropped.append(Dropped(node.id, node.name, node.entry_id))
            return None
        below = (selection(child, place.find(child.entry_id)) for child in node.selections)
        return msgspec.structs.replace(
            node,
            entry_id=place.path,
            group_id=place.group_id,
            name=place.spec.name,
            selections=tuple(child for child in below if child is not None),
        )

    def force(node: Force) -> Force | None:
        if node.catalogue_id not in known or library.force_spec(node.catalogue_id, node.entry_id) is None:
            dropped.append(Dropped(node.id, node.name, node.entry_id))
            return None
        chosen = (selection(child, library.find_root(node.catalogue_id, child.entry_id)) for child in node.selections)
        return msgspec.structs.replace(
            node,
            selections=tuple(child for child in chosen if child is not None),
            forces=tuple(child for child in map(force, node.forces) if child is not None),
        )

    forces = tuple(child for child in map(force, roster.forces) if child is not None)
    return Settled(msgspec.structs.replace(roster, system_id=library.system_id, forces=forces), tuple(dropped))


def write_roster(library: Library, state: RosterState, *, layout: Layout = BATTLESCRIBE, extension: str = "") -> bytes:
    """A .ros file with everything a reader without the data needs: names, numbers, costs, profiles, rules.

    Args:
        extension: printable ASCII without `?>`, for readers that know `EXTENSION`.
    """
    writer = _Writer(library, layout)
    if extension:
        writer.instruction(extension)
    writer.roster(state)
    return writer.text().encode()


def write_zipped_roster(
    library: Library, state: RosterState, *, layout: Layout = BATTLESCRIBE, extension: str = ""
) -> bytes:
    """The same as a .rosz file."""
    name = "".join(char if char.isalnum() or char in " -_" else "_" for char in state.roster.name)[:80] or "roster"
    return zipped(write_roster(library, state, layout=layout, extension=extension), member_name=f"{name}.ros")


Attributes = tuple[tuple[str, str | None], ...]


class _Writer:
    def __init__(self, library: Library, layout: Layout) -> None:
        self._library = library
        self._layout = layout
        self._lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>']
        self._depth = 0

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def instruction(self, content: str) -> None:
        self._lines.append(f"<?{EXTENSION} {content}?>")

    def _open(self, tag: str, attributes: Attributes = ()) -> None:
        self._lines.append(f"{'  ' * self._depth}<{tag}{_written(attributes)}>")
        self._depth += 1

    def _close(self, tag: str) -> None:
        self._depth -= 1
        self._lines.append(f"{'  ' * self._depth}</{tag}>")

    def _empty(self, tag: str, attributes: Attributes) -> None:
        self._lines.append(f"{'  ' * self._depth}<{tag}{_written(attributes)}{self._layout.empty_end}")

    def _text(self, tag: str, text: str, attributes: Attributes = ()) -> None:
        content = _content(text)
        if self._layout.origin:
            content = content.replace('"', "&quot;")
        self._lines.append(f"{'  ' * self._depth}<{tag}{_written(attributes)}>{content}</{tag}>")

    def _value(self, value: Decimal) -> str:
        text = plain(int(value) if value == value.to_integral_value() else value)
        return text if self._layout.whole_numbers or "." in text else f"{text}.0"

    def roster(self, state: RosterState) -> None:
        library, roster = self._library, state.roster
        self._open(
            "roster",
            (
                ("id", roster.id),
                ("name", roster.name),
                ("battleScribeVersion", "2.03"),
                ("generatedBy", self._layout.generated_by),
                ("gameSystemId", library.system_id),
                ("gameSystemName", library.system_name),
                ("gameSystemRevision", str(library.system_revision)),
                ("xmlns", NAMESPACE),
            ),
        )
        self._costs("costs", "cost", state.costs)
        self._costs("costLimits", "costLimit", state.cost_limits, always=True)
        if state.forces:
            self._open("forces")
            for force in state.forces:
                self._force(force)
            self._close("forces")
        if roster.notes:
            self._text("customNotes", roster.notes)
        if roster.tags:
            self._open("tags")
            for tag in roster.tags:
                self._empty("tag", (("id", tag.id or None), ("name", tag.name)))
            self._close("tags")
        self._close("roster")

    def _costs(self, container: str, item: str, costs: tuple[Cost, ...], *, always: bool = False) -> None:
        rows = [cost for cost in costs if cost.value or always or self._layout.zero_costs]
        if not rows:
            return
        self._open(container)
        for cost in rows:
            self._empty(item, (("name", cost.name), ("typeId", cost.type_id), ("value", self._value(cost.value))))
        self._close(container)

    def _force(self, force: ForceState) -> None:
        revision = 1 if force.missing else self._library.head(force.catalogue_id).revision
        self._open(
            "force",
            (
                ("id", force.id),
                ("name", force.name),
                ("entryId", force.entry_id),
                ("catalogueId", force.catalogue_id),
                ("catalogueRevision", str(revision)),
                ("catalogueName", force.catalogue_name),
                ("publicationId", force.publication_id),
                ("page", force.page),
                ("customName", force.custom_name),
            ),
        )
        if force.notes:
            self._text("customNotes", force.notes)
        self._rules(force.rules)
        self._profiles(force.profiles)
        self._selections(force.selections)
        if force.forces:
            self._open("forces")
            for child in force.forces:
                self._force(child)
            self._close("forces")
        if force.publications and not self._layout.origin:
            self._open("publications")
            for row in force.publications:
                self._empty("publication", (("id", row.id), ("name", row.name)))
            self._close("publications")
        if force.categories:
            self._open("categories")
            for category in force.categories:
                self._force_category(force, category)
            self._close("categories")
        self._close("force")

    def _force_category(self, force: ForceState, category: CategoryState) -> None:
        name = self._layout.uncategorised if category.id == NO_CATEGORY else category.name
        row_id = f"{force.id}:{category.id}"
        attributes: Attributes
        if self._layout.origin:
            attributes = (("name", name), ("id", row_id), ("primary", "false"), ("entryId", category.id))
        else:
            attributes = (("id", row_id), ("name", name), ("entryId", category.id), ("primary", "false"))
        attributes += (("customName", category.custom_name),)
        if category.notes:
            self._open("category", attributes)
            self._text("customNotes", category.notes)
            self._close("category")
        else:
            self._empty("category", attributes)

    def _selections(self, selections: tuple[SelectionState, ...]) -> None:
        if not selections:
            return
        self._open("selections")
        for selection in selections:
            self._selection(selection)
        self._close("selections")

    def _selection(self, selection: SelectionState) -> None:
        origin = None
        if self._layout.origin:
            origin = "group" if selection.group_id else "entry"
        self._open(
            "selection",
            (
                ("id", selection.id),
                ("name", selection.name),
                ("entryId", selection.entry_id),
                ("entryGroupId", selection.group_id),
                ("publicationId", selection.publication_id),
                ("page", selection.page),
                ("number", str(selection.number)),
                ("type", _KINDS.get(selection.type, selection.type)),
                ("customName", selection.custom_name),
                ("from", origin),
                ("group", selection.group_names if self._layout.origin and selection.group_id else None),
            ),
        )
        if selection.notes:
            self._text("customNotes", selection.notes)
        self._rules(selection.rules)
        self._profiles(selection.profiles)
        self._selections(selection.selections)
        self._costs("costs", "cost", selection.costs)
        self._categories(selection)
        self._close("selection")

    def _categories(self, selection: SelectionState) -> None:
        rows = list(selection.categories)
        if not rows and not (self._layout.synthetic and selection.at_root):
            return
        self._open("categories")
        if not rows:
            row_id = f"{selection.id}:{NO_CATEGORY}"
            name = self._layout.uncategorised
            self._empty("category", (("id", row_id), ("entryId", NO_CATEGORY), ("name", name), ("primary", "true")))
        for row in rows:
            named: Attributes = (("name", row.name), ("entryId", row.id))
            if self._layout.origin and row.primary:
                named = named[::-1]
            row_id = row.id if self._layout.origin else f"{selection.id}:{row.id}"
            self._empty("category", (("id", row_id), *named, ("primary", _word(row.primary))))
        self._close("categories")

    def _rules(self, rules: tuple[RuleState, ...]) -> None:
        if not rules:
            return
        self._open("rules")
        for rule in rules:
            self._open(
                "rule",
                (
                    ("id", rule.id),
                    ("name", rule.name),
                    ("publicationId", rule.publication_id),
                    ("hidden", "false"),
                    ("page", rule.page),
                ),
            )
            self._text("description", rule.description)
            self._close("rule")
        self._close("rules")

    def _profiles(self, profiles: tuple[ProfileState, ...]) -> None:
        if not profiles:
            return
        self._open("profiles")
        for profile in profiles:
            self._open(
                "profile",
                (
                    ("id", profile.id),
                    ("name", profile.name),
                    ("publicationId", profile.publication_id),
                    ("page", profile.page),
                    ("hidden", "false"),
                    ("typeId", profile.type_id),
                    ("typeName", profile.type_name),
                    ("from", "entry" if self._layout.origin else None),
                ),
            )
            self._open("characteristics")
            for (name, value), type_id in zip(profile.characteristics, profile.characteristic_ids, strict=True):
                self._text("characteristic", value, (("name", name), ("typeId", type_id)))
            self._close("characteristics")
            self._close("profile")
        self._close("profiles")


def _word(value: bool) -> str:
    return "true" if value else "false"


_QUOTED = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF], " ")


def _written(attributes: Attributes) -> str:
    return "".join(f' {name}="{escape(_legal(value), _QUOTED)}"' for name, value in attributes if value is not None)


def _content(text: str) -> str:
    return escape(_legal(text), {"\r": "&#13;"})


def _legal(text: str) -> str:
    """Text without what XML cannot hold: control characters and halves of surrogate pairs."""
    return text.translate(_CONTROL).encode("utf-8", "replace").decode()
