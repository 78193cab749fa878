"""What an army list allows (EPL-01 to EPL-09): the numbers come from imported data, never from the rulebook."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.points import Number
from armybuilder.engine.systems.epic.list_rules.rules import finding


def unit_number(unit: str, n: int, *, least: int, most: int | None, at: str | None = None) -> Iterator[Finding]:
    """EPL-01: a unit within the formation's minimum and maximum; None has no maximum."""
    if n < least or (most is not None and n > most):
        yield finding("EPL-01", at=at, unit=unit, what=_what_is_wrong(n, least, most))


def upgrades(taken: Iterable[str], *, offered: dict[str, int | None], at: str | None = None) -> Iterator[Finding]:
    """EPL-02 and EPL-03: upgrades the formation offers, each as often as it may be taken.

    Args:
        offered: name to maximum; None is without limit.
    """
    for name, n in Counter(taken).items():
        if name not in offered:
            yield finding("EPL-02", at=at, name=name)
        elif (most := offered[name]) is not None and n > most:
            yield finding("EPL-03", at=at, name=name, max=most)


def formation_number(
    formation: str, n: int, *, least: int, most: int | None, at: str | None = None
) -> Iterator[Finding]:
    """EPL-04: a formation type within its minimum and maximum for the army."""
    if n < least or (most is not None and n > most):
        yield finding("EPL-04", at=at, formation=formation, what=_what_is_wrong(n, least, most))


def section_share(section: str, points: Number, *, limit: Number, at: str | None = None) -> Iterator[Finding]:
    """EPL-05: a section within its share of the points limit; `limit` is that share in points."""
    if points > limit:
        yield finding("EPL-05", at=at, section=section, points=points, limit=limit)


def section_per_core(
    section: str, n: int, *, core: int, per_core: int | Fraction, at: str | None = None
) -> Iterator[Finding]:
    """EPL-06: so many formations of a section for each core formation."""
    most = int(core * per_core)
    if n > most:
        yield finding("EPL-06", at=at, section=section, n=n, max=most, core=core)


def unique_choices(taken: Iterable[str], *, unique: frozenset[str], at: str | None = None) -> Iterator[Finding]:
    """EPL-07: a unique choice is taken once."""
    for name, n in Counter(taken).items():
        if name in unique and n > 1:
            yield finding("EPL-07", at=at, name=name)


def replaced_units(n: int, *, have: int, at: str | None = None) -> Iterator[Finding]:
    """EPL-08: an upgrade replaces no more units than there are."""
    if n > have:
        yield finding("EPL-08", at=at, n=n, have=have)


def listed_formations(
    names: Iterable[str], *, offered: frozenset[str], army_list: str, at: str | None = None
) -> Iterator[Finding]:
    """EPL-09: every formation is part of the chosen list."""
    for name in names:
        if name not in offered:
            yield finding("EPL-09", at=at, name=name, list=army_list)


def _what_is_wrong(n: int, least: int, most: int | None) -> Text:
    """A choice that is still to be made in words; else the number that is taken and what is allowed."""
    if n:
        allowed = _allowed(least, most)
        return Text(f"{n} taken, allowed: {allowed.en}", f"взято {n}, допустимо: {allowed.ru}")
    if most == least:
        return Text(f"choose {least}; none is chosen yet", f"выберите {least}; пока не выбрано ничего")
    if most is None:
        return Text(
            f"choose at least {least}; none is chosen yet", f"выберите не меньше {least}; пока не выбрано ничего"
        )
    return Text(
        f"choose {least} to {most}; none is chosen yet", f"выберите от {least} до {most}; пока не выбрано ничего"
    )


def _allowed(least: int, most: int | None) -> Text:
    if most is None:
        return Text(f"at least {least}", f"не меньше {least}")
    if most == 0:
        return Text("none", "ни одной")
    if most == least:
        return Text(f"exactly {most}", f"ровно {most}")
    return (
        Text(f"{least} to {most}", f"от {least} до {most}") if least else Text(f"at most {most}", f"не больше {most}")
    )
