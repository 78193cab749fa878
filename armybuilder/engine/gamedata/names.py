"""Names of all that a data set can put on a list."""

import numpy as np

from armybuilder.engine.gamedata.columns import NONE, Key, NodeKind
from armybuilder.engine.gamedata.links import Library

ON_LISTS = (
    NodeKind.CATALOGUE,
    NodeKind.CATEGORY_ENTRY,
    NodeKind.FORCE_ENTRY,
    NodeKind.SHARED_FORCE_ENTRY,
    NodeKind.SELECTION_ENTRY,
    NodeKind.SHARED_ENTRY,
    NodeKind.ENTRY_LINK,
)
"""Kinds of nodes whose names are read on a list."""


def names_on_lists(library: Library) -> frozenset[str]:
    """Names of army lists, forces, categories, units and options, as the data writes them; read in one pass."""
    columns = library.columns
    strings = columns.strings_of(Key.NAME)[np.isin(columns.columns["kind"], ON_LISTS)]
    return frozenset(columns.text(string) for string in set(strings.tolist()) if string != NONE)
