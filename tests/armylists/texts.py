"""The export formats that are texts, by what may be asked of them: the one place where a test looks for it."""

from armybuilder.armylists.exports import FORMATS

TEXTS = tuple(one.id for one in FORMATS.values() if one.pieces is not None)
"""All formats that can be copied as text."""

WITHOUT_VERDICT = frozenset({"csv"})
"""A table of units, which no organiser reads as a list."""

NOT_READ_BACK = WITHOUT_VERDICT | {"secret"}
"""Texts from which no list can be made: of a table, and of one that hides what it is asked for."""

WITH_VERDICT = tuple(one for one in TEXTS if one not in WITHOUT_VERDICT)
READ_BACK = tuple(one for one in TEXTS if one not in NOT_READ_BACK)
