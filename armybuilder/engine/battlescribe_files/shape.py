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


class _Format:
    """The whole format, from the inside out: what changes things, explains them, is chosen; forces; a file."""

    def __init__(self) -> None:
        self.modifier = Shape(NodeKind.MODIFIER)
        self.modifier_group = Shape(NodeKind.MODIFIER_GROUP)
        self.constraint = Shape(NodeKind.CONSTRAINT)
        self.cost = Shape(NodeKind.COST)
        self.association = Shape(NodeKind.ASSOCIATION)
        self.characteristic_type = Shape(NodeKind.CHARACTERISTIC_TYPE)
        self._modifiers()
        self.profile = self._profile(NodeKind.PROFILE)
        self.rule = self._rule(NodeKind.RULE)
        self.info_link = self._modified(Shape(NodeKind.INFO_LINK))
        self.info_group = Shape(NodeKind.INFO_GROUP)
        self._with_info(self.info_group)
        self.shared_profile = self._profile(NodeKind.SHARED_PROFILE)
        self.shared_rule = self._rule(NodeKind.SHARED_RULE)
        self.shared_info_group = self._with_info(Shape(NodeKind.SHARED_INFO_GROUP))
        self.profile_type = Shape(NodeKind.PROFILE_TYPE)
        for column in (("characteristicTypes", "characteristicType"), ("attributeTypes", "attributeType")):
            self.profile_type.holds(*column, self.characteristic_type)
        self.category_link = self._with_info(Shape(NodeKind.CATEGORY_LINK))
        self.category_entry = self._with_info(Shape(NodeKind.CATEGORY_ENTRY))
        for holder in (self.category_link, self.category_entry):
            holder.holds("constraints", "constraint", self.constraint)
            holder.holds("costs", "cost", self.cost)
        self.entry = Shape(NodeKind.SELECTION_ENTRY)
        self.group = Shape(NodeKind.GROUP)
        self.link = Shape(NodeKind.ENTRY_LINK)
        self.shared_entry = Shape(NodeKind.SHARED_ENTRY)
        self.shared_group = Shape(NodeKind.SHARED_GROUP)
        self._choices()
        self.force = self._force(NodeKind.FORCE_ENTRY)
        self.shared_force = self._force(NodeKind.SHARED_FORCE_ENTRY)
        for holder in (self.force, self.shared_force, force_link := self._force(NodeKind.FORCE_LINK)):
            holder.holds("forceEntries", "forceEntry", self.force)
            holder.holds("forceEntryLinks", "forceEntryLink", force_link)
        self.force_link = force_link

    def document(self) -> Shape:
        """Of a whole file."""
        document = Shape(None)
        for name, kind in (("gameSystem", NodeKind.GAME_SYSTEM), ("catalogue", NodeKind.CATALOGUE)):
            document.inside[name] = self._root(kind)
        return document

    def _root(self, kind: NodeKind) -> Shape:
        root = self._with_info(Shape(kind))
        root.holds("publications", "publication", Shape(NodeKind.PUBLICATION))
        root.holds("costTypes", "costType", Shape(NodeKind.COST_TYPE))
        root.holds("profileTypes", "profileType", self.profile_type)
        root.holds("categoryEntries", "categoryEntry", self.category_entry)
        root.holds("forceEntries", "forceEntry", self.force)
        root.holds("forceEntryLinks", "forceEntryLink", self.force_link)
        root.holds("sharedForceEntries", "forceEntry", self.shared_force)
        root.holds("selectionEntries", "selectionEntry", self.entry)
        root.holds("entryLinks", "entryLink", self.link)
        root.holds("sharedSelectionEntries", "selectionEntry", self.shared_entry)
        root.holds("sharedSelectionEntryGroups", "selectionEntryGroup", self.shared_group)
        root.holds("sharedRules", "rule", self.shared_rule)
        root.holds("sharedProfiles", "profile", self.shared_profile)
        root.holds("sharedInfoGroups", "infoGroup", self.shared_info_group)
        root.holds("catalogueLinks", "catalogueLink", Shape(NodeKind.CATALOGUE_LINK))
        root.holds("sharedAssociations", "association", self.association)
        return root

    def _modifiers(self) -> None:
        condition = Shape(NodeKind.CONDITION)
        condition_group = Shape(NodeKind.CONDITION_GROUP)
        repeat = Shape(NodeKind.REPEAT)
        local = Shape(NodeKind.LOCAL_CONDITION_GROUP)
        for holder in (condition_group, self.modifier, self.modifier_group, local):
            holder.holds("conditions", "condition", condition)
            holder.holds("conditionGroups", "conditionGroup", condition_group)
            holder.holds("localConditionGroups", "localConditionGroup", local)
        for holder in (self.modifier, self.modifier_group, condition_group):
            holder.holds("repeats", "repeat", repeat)
        self._modified(self.modifier_group)

    def _modified(self, shape: Shape) -> Shape:
        shape.holds("modifiers", "modifier", self.modifier)
        shape.holds("modifierGroups", "modifierGroup", self.modifier_group)
        return shape

    def _with_info(self, shape: Shape) -> Shape:
        self._modified(shape)
        shape.holds("profiles", "profile", self.profile)
        shape.holds("rules", "rule", self.rule)
        shape.holds("infoGroups", "infoGroup", self.info_group)
        shape.holds("infoLinks", "infoLink", self.info_link)
        return shape

    def _profile(self, kind: NodeKind) -> Shape:
        shape = self._modified(Shape(kind))
        shape.holds("characteristics", "characteristic", Shape(NodeKind.CHARACTERISTIC, text_key=Key.VALUE))
        shape.holds("attributes", "attribute", Shape(NodeKind.CHARACTERISTIC, text_key=Key.VALUE))
        shape.inside["alias"] = Shape(NodeKind.ALIAS, text_key=Key.VALUE)
        return shape

    def _rule(self, kind: NodeKind) -> Shape:
        shape = self._modified(Shape(kind))
        shape.inside["description"] = Shape(NodeKind.DESCRIPTION, text_key=Key.VALUE)
        shape.inside["alias"] = Shape(NodeKind.ALIAS, text_key=Key.VALUE)
        return shape

    def _choices(self) -> None:
        alias = Shape(NodeKind.ALIAS)
        for holder in (self.entry, self.group, self.link, self.shared_entry, self.shared_group):
            holder.holds("constraints", "constraint", self.constraint)
            self._with_info(holder)
            holder.holds("costs", "cost", self.cost)
            holder.holds("categoryLinks", "categoryLink", self.category_link)
            holder.holds("selectionEntries", "selectionEntry", self.entry)
            holder.holds("selectionEntryGroups", "selectionEntryGroup", self.group)
            holder.holds("entryLinks", "entryLink", self.link)
            holder.holds("aliases", "alias", alias)
            holder.holds("associations", "association", self.association)

    def _force(self, kind: NodeKind) -> Shape:
        shape = self._with_info(Shape(kind))
        shape.holds("constraints", "constraint", self.constraint)
        shape.holds("categoryLinks", "categoryLink", self.category_link)
        shape.holds("costs", "cost", self.cost)
        return shape


DOCUMENT: Final = _Format().document()
"""The shape of a whole file: holds the shape of each root element."""
