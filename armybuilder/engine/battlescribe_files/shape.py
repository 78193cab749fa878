"""The shape of a 2.03 data file: which element may stand where, and which of its attributes are kept."""

from typing import Final

from armybuilder.engine.gamedata.columns import Key, NodeKind


class Shape:
    """What may stand inside one element.

    Attributes:
        kind: the node it becomes; None for a list that only holds others (`selectionEntries`).
        inside: shape by element name.
        text_key: the attribute that its text becomes; None when text means nothing.
    """

    __slots__ = ("inside", "kind", "text_key")

    def __init__(self, kind: int | None, text_key: int | None = None) -> None:
        self.kind = kind
        self.inside: dict[str, Shape] = {}
        self.text_key = text_key

    def holds(self, list_name: str, item_name: str, item: "Shape") -> None:
        """`<list_name>` inside this element holds `<item_name>` elements."""
        container = self.inside.setdefault(list_name, Shape(None))
        container.inside[item_name] = item


KEYS: Final[dict[str, int]] = {
    "id": Key.ID,
    "name": Key.NAME,
    "hidden": Key.HIDDEN,
    "targetId": Key.TARGET_ID,
    "type": Key.TYPE,
    "subType": Key.SUB_TYPE,
    "typeId": Key.TYPE_ID,
    "typeName": Key.TYPE_NAME,
    "value": Key.VALUE,
    "field": Key.FIELD,
    "scope": Key.SCOPE,
    "childId": Key.CHILD_ID,
    "shared": Key.SHARED,
    "includeChildSelections": Key.INCLUDE_CHILD_SELECTIONS,
    "includeChildForces": Key.INCLUDE_CHILD_FORCES,
    "percentValue": Key.PERCENT_VALUE,
    "repeats": Key.REPEATS,
    "roundUp": Key.ROUND_UP,
    "primary": Key.PRIMARY,
    "collective": Key.COLLECTIVE,
    "import": Key.IMPORT,
    "defaultSelectionEntryId": Key.DEFAULT_SELECTION_ENTRY_ID,
    "publicationId": Key.PUBLICATION_ID,
    "page": Key.PAGE,
    "defaultCostLimit": Key.DEFAULT_COST_LIMIT,
    "revision": Key.REVISION,
    "library": Key.LIBRARY,
    "gameSystemId": Key.GAME_SYSTEM_ID,
    "importRootEntries": Key.IMPORT_ROOT_ENTRIES,
    "battleScribeVersion": Key.BATTLE_SCRIBE_VERSION,
    "shortName": Key.SHORT_NAME,
    "negative": Key.NEGATIVE,
    "automatic": Key.AUTOMATIC,
    "message": Key.MESSAGE,
    "belowRoot": Key.BELOW_ROOT,
    "defaultAmount": Key.DEFAULT_AMOUNT,
    "arg": Key.ARG,
    "join": Key.JOIN,
    "position": Key.POSITION,
    "affects": Key.AFFECTS,
    "skipIfPresent": Key.SKIP_IF_PRESENT,
    "min": Key.MIN,
    "max": Key.MAX,
    "step": Key.STEP,
    "sortIndex": Key.SORT_INDEX,
    "flatten": Key.FLATTEN,
    "collapsible": Key.COLLAPSIBLE,
    "exportable": Key.EXPORTABLE,
    "kind": Key.KIND,
    "defaultValue": Key.DEFAULT_VALUE,
    "childName": Key.CHILD_NAME,
    "childForcesLabel": Key.CHILD_FORCES_LABEL,
    "noindex": Key.NO_INDEX,
    "authorName": Key.AUTHOR_NAME,
    "authorContact": Key.AUTHOR_CONTACT,
    "publisher": Key.PUBLISHER,
}

UNSAID: Final[frozenset[tuple[str, str]]] = frozenset(
    {
        ("hidden", "false"),
        ("collective", "false"),
        ("import", "true"),
        ("primary", "false"),
        ("shared", "true"),
        ("percentValue", "false"),
        ("includeChildSelections", "false"),
        ("includeChildForces", "false"),
        ("roundUp", "false"),
        ("library", "false"),
        ("importRootEntries", "false"),
        ("publicationId", ""),
        ("page", ""),
        ("defaultSelectionEntryId", ""),
        ("negative", "false"),
        ("automatic", "false"),
        ("affects", ""),
    }
)
"""Attribute values that mean the same as no attribute (§2); leaving them out halves the stored form."""

MEANINGLESS: Final = frozenset({"comment", "readme"})
"""Elements without meaning for a roster."""

OLD_ELEMENTS: Final = frozenset(
    {"entry", "entryGroup", "link", "forceType", "entries", "entryGroups", "links", "sharedEntries"}
    | {"sharedEntryGroups", "forceTypes", "costTypeIds"}
)
OLD_ATTRIBUTES: Final = frozenset(
    {"categoryEntryId", "book", "costTypeId", "profileTypeId", "characteristicTypeId", "categoryId"}
)
"""What only files before 2.03 have; some call themselves 2.03 all the same (§3), so the reader goes by these."""


def _shapes() -> Shape:  # noqa: PLR0915 - one declaration of the whole format
    condition = Shape(NodeKind.CONDITION)
    condition_group = Shape(NodeKind.CONDITION_GROUP)
    repeat = Shape(NodeKind.REPEAT)
    local = Shape(NodeKind.LOCAL_CONDITION_GROUP)
    modifier = Shape(NodeKind.MODIFIER)
    modifier_group = Shape(NodeKind.MODIFIER_GROUP)
    constraint = Shape(NodeKind.CONSTRAINT)
    for holder in (condition_group, modifier, modifier_group, local):
        holder.holds("conditions", "condition", condition)
        holder.holds("conditionGroups", "conditionGroup", condition_group)
        holder.holds("localConditionGroups", "localConditionGroup", local)
    for holder in (modifier, modifier_group, condition_group):
        holder.holds("repeats", "repeat", repeat)
    modifier_group.holds("modifiers", "modifier", modifier)
    modifier_group.holds("modifierGroups", "modifierGroup", modifier_group)

    def modified(shape: Shape) -> Shape:
        shape.holds("modifiers", "modifier", modifier)
        shape.holds("modifierGroups", "modifierGroup", modifier_group)
        return shape

    def with_info(shape: Shape) -> Shape:
        modified(shape)
        shape.holds("profiles", "profile", profile)
        shape.holds("rules", "rule", rule)
        shape.holds("infoGroups", "infoGroup", info_group)
        shape.holds("infoLinks", "infoLink", info_link)
        return shape

    def profile_shape(kind: int) -> Shape:
        shape = modified(Shape(kind))
        shape.holds("characteristics", "characteristic", Shape(NodeKind.CHARACTERISTIC, text_key=Key.VALUE))
        shape.holds("attributes", "attribute", Shape(NodeKind.CHARACTERISTIC, text_key=Key.VALUE))
        shape.inside["alias"] = Shape(NodeKind.ALIAS, text_key=Key.VALUE)
        return shape

    def rule_shape(kind: int) -> Shape:
        shape = modified(Shape(kind))
        shape.inside["description"] = Shape(NodeKind.DESCRIPTION, text_key=Key.VALUE)
        shape.inside["alias"] = Shape(NodeKind.ALIAS, text_key=Key.VALUE)
        return shape

    profile = profile_shape(NodeKind.PROFILE)
    shared_profile = profile_shape(NodeKind.SHARED_PROFILE)
    rule = rule_shape(NodeKind.RULE)
    shared_rule = rule_shape(NodeKind.SHARED_RULE)
    info_link = modified(Shape(NodeKind.INFO_LINK))
    info_group = Shape(NodeKind.INFO_GROUP)
    with_info(info_group)
    shared_info_group = with_info(Shape(NodeKind.SHARED_INFO_GROUP))

    category_link = with_info(Shape(NodeKind.CATEGORY_LINK))
    category_entry = with_info(Shape(NodeKind.CATEGORY_ENTRY))
    entry = Shape(NodeKind.SELECTION_ENTRY)
    group = Shape(NodeKind.GROUP)
    link = Shape(NodeKind.ENTRY_LINK)
    shared_entry = Shape(NodeKind.SHARED_ENTRY)
    shared_group = Shape(NodeKind.SHARED_GROUP)
    cost = Shape(NodeKind.COST)
    alias = Shape(NodeKind.ALIAS)
    association = Shape(NodeKind.ASSOCIATION)
    for holder in (category_link, category_entry, entry, group, link, shared_entry, shared_group):
        holder.holds("constraints", "constraint", constraint)
    category_entry.holds("costs", "cost", cost)
    category_link.holds("costs", "cost", cost)
    for holder in (entry, group, link, shared_entry, shared_group):
        with_info(holder)
        holder.holds("costs", "cost", cost)
        holder.holds("categoryLinks", "categoryLink", category_link)
        holder.holds("selectionEntries", "selectionEntry", entry)
        holder.holds("selectionEntryGroups", "selectionEntryGroup", group)
        holder.holds("entryLinks", "entryLink", link)
        holder.holds("aliases", "alias", alias)
        holder.holds("associations", "association", association)

    def force_shape(kind: int) -> Shape:
        shape = with_info(Shape(kind))
        shape.holds("constraints", "constraint", constraint)
        shape.holds("categoryLinks", "categoryLink", category_link)
        shape.holds("costs", "cost", cost)
        return shape

    force = force_shape(NodeKind.FORCE_ENTRY)
    shared_force = force_shape(NodeKind.SHARED_FORCE_ENTRY)
    force_link = force_shape(NodeKind.FORCE_LINK)
    for holder in (force, shared_force, force_link):
        holder.holds("forceEntries", "forceEntry", force)
        holder.holds("forceEntryLinks", "forceEntryLink", force_link)

    profile_type = Shape(NodeKind.PROFILE_TYPE)
    characteristic_type = Shape(NodeKind.CHARACTERISTIC_TYPE)
    profile_type.holds("characteristicTypes", "characteristicType", characteristic_type)
    profile_type.holds("attributeTypes", "attributeType", characteristic_type)

    document = Shape(None)
    for name, kind in (("gameSystem", NodeKind.GAME_SYSTEM), ("catalogue", NodeKind.CATALOGUE)):
        root = with_info(Shape(kind))
        root.holds("publications", "publication", Shape(NodeKind.PUBLICATION))
        root.holds("costTypes", "costType", Shape(NodeKind.COST_TYPE))
        root.holds("profileTypes", "profileType", profile_type)
        root.holds("categoryEntries", "categoryEntry", category_entry)
        root.holds("forceEntries", "forceEntry", force)
        root.holds("forceEntryLinks", "forceEntryLink", force_link)
        root.holds("sharedForceEntries", "forceEntry", shared_force)
        root.holds("selectionEntries", "selectionEntry", entry)
        root.holds("entryLinks", "entryLink", link)
        root.holds("sharedSelectionEntries", "selectionEntry", shared_entry)
        root.holds("sharedSelectionEntryGroups", "selectionEntryGroup", shared_group)
        root.holds("sharedRules", "rule", shared_rule)
        root.holds("sharedProfiles", "profile", shared_profile)
        root.holds("sharedInfoGroups", "infoGroup", shared_info_group)
        root.holds("catalogueLinks", "catalogueLink", Shape(NodeKind.CATALOGUE_LINK))
        root.holds("sharedAssociations", "association", association)
        document.inside[name] = root
    return document


DOCUMENT: Final = _shapes()
"""The shape of a whole file: holds the shape of each root element."""
