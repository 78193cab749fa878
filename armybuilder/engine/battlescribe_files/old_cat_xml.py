"""Upgrades data files of the revisions 1.14 to 2.02 to the shape of 2.03, in place, oldest step first.

Each step goes by what stands in the file, not by the version it claims: old attributes survive in newer files.
Source: FORMAT.md §3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from armybuilder.engine.late_modules import etree

if TYPE_CHECKING:
    Element = etree._Element

_TAGS_1_15: Final = {
    "forceTypes": "forceEntries",
    "forceType": "forceEntry",
    "entries": "selectionEntries",
    "entry": "selectionEntry",
    "entryGroups": "selectionEntryGroups",
    "entryGroup": "selectionEntryGroup",
    "sharedEntries": "sharedSelectionEntries",
    "sharedEntryGroups": "sharedSelectionEntryGroups",
}
_RENAMED: Final = {
    "defaultEntryId": "defaultSelectionEntryId",
    "costTypeId": "typeId",
    "profileTypeId": "typeId",
    "profileTypeName": "typeName",
    "characteristicTypeId": "typeId",
    "characteristicId": "typeId",
}
_LIMITS: Final = (  # attribute, type, field, scope, percent, with child selections
    ("minSelections", "min", "selections", "parent", False, False),
    ("maxSelections", "max", "selections", "parent", False, False),
    ("minPoints", "min", "points", "parent", False, True),
    ("maxPoints", "max", "points", "parent", False, True),
    ("minPercentage", "min", "limit::points", "roster", True, True),
    ("maxPercentage", "max", "limit::points", "roster", True, True),
    ("minInForce", "min", "selections", "force", False, True),
    ("maxInForce", "max", "selections", "force", False, True),
    ("minInRoster", "min", "selections", "roster", False, True),
    ("maxInRoster", "max", "selections", "roster", False, True),
)
_BELOW_ROOT: Final = frozenset({"minSelections", "maxSelections", "minPoints", "maxPoints"})
"""They mean nothing on root entries, whether those stand there or are linked; authors limit roots by force and roster.

Of the points one root says anything: 0 to 0 on Marneus Calgar of the 40k 6th, who costs 275 and may be taken.

Source: FORMAT.md §20.2.
"""

_SCOPES_1_15: Final = {"direct parent": "parent", "force type": "force", "roster": "roster", "category": "category"}
_SHARED: Final = frozenset({"sharedSelectionEntries", "sharedSelectionEntryGroups"})
_LIMITED: Final = frozenset({"selectionEntry", "selectionEntryGroup", "forceEntry", "categoryEntry"})
_QUERIES: Final = frozenset({"condition", "repeat", "constraint"})


def upgrade(root: Element) -> None:
    """Bring a whole file to the shape of 2.03. Tags are bare names, without namespaces."""
    before_2_03 = _version(root) < (2, 3)
    if any(
        root.find(f".//{name}") is not None for name in ("forceTypes", "entries", "entryGroups", "links", "entry")
    ) or (_version(root) < (2, 0)):
        _from_1_15(root)
    for element in root.iter():
        if "categoryId" in element.attrib:
            element.set("categoryEntryId", _pop(element, "categoryId") or "")
    _from_2_00(root)
    _from_2_01(root)
    if before_2_03:
        for link in root.iter("catalogueLink"):
            if "importRootEntries" not in link.attrib:
                link.set("importRootEntries", "true")


def _version(root: Element) -> tuple[int, int]:
    parts = "".join(
        char if char.isdecimal() or char == "." else " " for char in root.get("battleScribeVersion", "")
    ).split()
    numbers = (parts[0] if parts else "2.03").split(".")
    try:
        return int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0
    except ValueError:
        return 2, 3


def _from_1_15(root: Element) -> None:
    for element in list(root.iter()):
        element.tag = _TAGS_1_15.get(element.tag, element.tag)
    for force in list(root.iter("forceEntry")):
        _rename_list(force, "categories", "categoryEntries", "category", "categoryEntry")
    for profile_type in list(root.iter("profileType")):
        _rename_list(profile_type, "characteristics", "characteristicTypes", "characteristic", "characteristicType")
    _links(root)
    if root.tag == "gameSystem" and root.find("costTypes") is None:
        types = etree.SubElement(root, "costTypes")
        etree.SubElement(types, "costType", id="points", name="pts", defaultCostLimit="0.0")
    for element in list(root.iter(*_LIMITED)):
        _points(element)
        _limits(element)
    for modifier in list(root.iter("modifier")):
        _modifier(modifier)
    for condition in list(root.iter("condition")):
        if "parentId" in condition.attrib:
            _query(condition, "parentId", "childId", "field")
        words = condition.get("type", "").split()
        if len(words) > 1:
            condition.set("type", words[0] + "".join(word.capitalize() for word in words[1:]))


def _rename_list(owner: Element, old: str, new: str, old_item: str, new_item: str) -> None:
    for container in owner.findall(old):
        container.tag = new
        for item in container.findall(old_item):
            item.tag = new_item


def _links(root: Element) -> None:
    for container in list(root.iter("links")):
        owner = container.getparent()
        assert owner is not None
        entry_links = etree.Element("entryLinks")
        info_links = etree.Element("infoLinks")
        for link in list(container):
            kind = link.get("linkType", "")
            if kind in {"entry", "entry group"}:
                link.tag = "entryLink"
                link.set("type", "selectionEntry" if kind == "entry" else "selectionEntryGroup")
                entry_links.append(link)
            else:
                link.tag = "infoLink"
                link.set("type", kind)
                info_links.append(link)
        owner.replace(container, entry_links)
        owner.append(info_links)


def _points(element: Element) -> None:
    points = _pop(element, "points")
    if points is not None and element.tag == "selectionEntry":
        costs = etree.SubElement(element, "costs")
        etree.SubElement(costs, "cost", name="pts", typeId="points", value=points)


def _limits(element: Element) -> None:
    """Limit attributes become constraints whose id is the attribute's name."""
    container = element.getparent()
    shared = container is not None and container.tag in _SHARED
    of_forces = element.tag in {"forceEntry", "categoryEntry"}
    modified = {
        modifier.get("field") for holder in element.findall("modifiers") for modifier in holder.findall("modifier")
    }
    constraints = element.find("constraints")
    for name, kind, field, scope, percent, deep in _LIMITS:
        text = _pop(element, name)
        if text is None and name not in modified:
            continue
        value = text if text is not None else ("0.0" if kind == "min" else "-1.0")
        if name not in modified and _is_no_limit(kind, value):
            continue
        if constraints is None:
            constraints = etree.SubElement(element, "constraints")
        child_forces = kind == "max" and (field == "limit::points" or (of_forces and name == "maxSelections"))
        constraint = etree.SubElement(
            constraints,
            "constraint",
            id=name,
            type=kind,
            field=field,
            scope=scope,
            value=value,
            percentValue=_text(percent),
            shared=_text(shared),
            includeChildSelections=_text(deep),
            includeChildForces=_text(child_forces),
        )
        if element.tag == "selectionEntry" and name in _BELOW_ROOT:
            constraint.set("belowRoot", "true")


def _is_no_limit(kind: str, value: str) -> bool:
    try:
        number = float(value)
    except ValueError:
        return False
    return number <= 0 if kind == "min" else number < 0


def _modifier(modifier: Element) -> None:
    kind = modifier.get("type")
    if kind in {"show", "hide"}:
        modifier.set("type", "set")
        modifier.set("field", "hidden")
        modifier.set("value", _text(kind == "hide"))
    repeats = _pop(modifier, "repeat") == "true"
    times = _pop(modifier, "numRepeats") or "1"
    value = _pop(modifier, "incrementValue")
    old = {name: _pop(modifier, name) for name in ("incrementField", "incrementParentId", "incrementChildId")}
    if not repeats or value is None:
        return
    holder = modifier.find("repeats")
    if holder is None:
        holder = etree.SubElement(modifier, "repeats")
    repeat = etree.SubElement(holder, "repeat", value=value, repeats=times)
    for name, text in old.items():
        if text is not None:
            repeat.set(name, text)
    _query(repeat, "incrementParentId", "incrementChildId", "incrementField")


def _query(query: Element, parent_name: str, child_name: str, field_name: str) -> None:
    """Scope, field and child of a 1.15 condition or increment."""
    parent = _pop(query, parent_name) or "roster"
    child = _pop(query, child_name)
    field = _pop(query, field_name) or "selections"
    query.set("shared", _text(child is not None))
    if child in {None, "no child"}:
        child = None
    if field in {"points limit", "total selections"}:
        query.set("field", "limit::points" if field == "points limit" else "selections")
        query.set("scope", "roster")
        query.set("childId", "any")
        return
    query.set("field", "points" if field == "percent" else field)
    if field == "percent":
        query.set("percentValue", "true")
    scope = _SCOPES_1_15.get(parent)
    if scope in {"force", "roster", "category"}:
        query.set("includeChildSelections", "true")
    if scope is None and child is None:
        query.set("scope", "parent")
        query.set("childId", parent)
        return
    query.set("scope", scope or parent)
    query.set("childId", child or "any")


def _from_2_00(root: Element) -> None:
    """Category entries leave the force entries; `categoryEntryId` becomes a category link; scope `category`."""
    shared = root.find("categoryEntries")
    known = {entry.get("id") for entry in shared} if shared is not None else set()
    for force in list(root.iter("forceEntry")):
        for container in force.findall("categoryEntries"):
            if shared is None:
                shared = etree.SubElement(root, "categoryEntries")
            links = force.find("categoryLinks")
            if links is None:
                links = etree.SubElement(force, "categoryLinks")
            for entry in list(container):
                _move_category(entry, force, links, shared, known)
            force.remove(container)
    for owner in list(root.iter("selectionEntry", "selectionEntryGroup", "entryLink")):
        category = _pop(owner, "categoryEntryId")
        if category and category != "(No Category)":
            links = owner.find("categoryLinks")
            if links is None:
                links = etree.SubElement(owner, "categoryLinks")
            link_id = f"{owner.get('id')}-{category}"
            etree.SubElement(links, "categoryLink", id=link_id, targetId=category, primary="true")
    for query in root.iter(*_QUERIES):
        if query.get("scope") == "category":
            query.set("scope", "primary-category")


def _move_category(entry: Element, force: Element, links: Element, shared: Element, known: set[str | None]) -> None:
    category_id = entry.get("id", "")
    link = etree.SubElement(
        links,
        "categoryLink",
        id=f"{force.get('id')}-{category_id}",
        name=entry.get("name", ""),
        hidden=entry.get("hidden", "false"),
        targetId=category_id,
        primary="false",
    )
    for child in list(entry):
        if child.tag in {"constraints", "modifiers", "modifierGroups"}:
            link.append(child)
    if category_id not in known:
        known.add(category_id)
        _pop(entry, "hidden")
        shared.append(entry)


def _from_2_01(root: Element) -> None:
    """`book` becomes a publication; type ids lose their prefixes; a characteristic's value is its text."""
    books: dict[str, str] = {}
    for element in root.iter():
        for old, new in _RENAMED.items():
            if old in element.attrib:
                value = _pop(element, old) or ""
                if new not in element.attrib:
                    element.set(new, value)
        book = _pop(element, "book")
        if book:
            element.set("publicationId", books.setdefault(book, f"book:{book}"))
        if element.tag == "characteristic" and "value" in element.attrib:
            element.text = _pop(element, "value")
    if books:
        publications = root.find("publications")
        if publications is None:
            publications = etree.SubElement(root, "publications")
        for name, publication_id in books.items():
            etree.SubElement(publications, "publication", id=publication_id, name=name)


def _pop(element: Element, name: str) -> str | None:
    """Take an attribute away; its value, or None when there was none."""
    value = element.get(name)
    if value is not None:
        del element.attrib[name]
    return value


def _text(value: bool) -> str:
    return "true" if value else "false"
