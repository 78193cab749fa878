"""What a Library tells of itself: its catalogues, currencies, categories, kinds of force, and how much it holds."""

from decimal import Decimal

import msgspec


class CatalogueInfo(msgspec.Struct, frozen=True):
    """A catalogue of the library; a `library` one only lends its entries and is never offered as a faction."""

    id: str
    name: str
    revision: int
    library: bool
    file_name: str


class CostType(msgspec.Struct, frozen=True):
    """A currency; `default_limit` None means no limit unless the player sets one."""

    id: str
    name: str
    default_limit: Decimal | None
    hidden: bool


class CategoryLinkInfo(msgspec.Struct, frozen=True):
    """A category of a force entry with the limits the data writes on it, before any modifier; None means none."""

    id: str
    name: str
    minimum: Decimal | None
    maximum: Decimal | None


class ForceEntryInfo(msgspec.Struct, frozen=True):
    """A kind of force that may be added; `forces` may be added below it."""

    id: str
    name: str
    hidden: bool
    categories: tuple[CategoryLinkInfo, ...]
    forces: tuple["ForceEntryInfo", ...] = ()


class CategoryInfo(msgspec.Struct, frozen=True):
    """A category entry."""

    id: str
    name: str
    hidden: bool


class Census(msgspec.Struct, frozen=True):
    """How much of what a file holds; for import reports."""

    entries: int
    groups: int
    links: int
    info_links: int
    profiles: int
    rules: int
    constraints: int
    modifiers: int
    conditions: int
