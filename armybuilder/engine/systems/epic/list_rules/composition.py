"""Army size, formations and what each has to state: EP-01 to EP-07, EP-09, EP-10, EP-37, EP-38 and EPL-10."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.points import exact, written
from armybuilder.engine.systems.epic.army import Army
from armybuilder.engine.systems.epic.list_rules.rules import finding

LEAST_POINTS, MOST_POINTS = 2000, 5000
INITIATIVES = range(1, 7)


def army_size(army: Army) -> Iterator[Finding]:
    """EP-01 and EP-02: tournament armies cost 2,000 to 5,000 points."""
    if army.total < LEAST_POINTS:
        yield finding("EP-01", total=written(army.total))
    if army.total > MOST_POINTS:
        yield finding("EP-02", total=written(army.total))


def agreed_size(army: Army) -> Iterator[Finding]:
    """EPL-10: the army keeps the agreed game size."""
    if army.points_limit is not None and army.total > exact(army.points_limit):
        yield finding(
            "EPL-10", at="/points_limit", points=written(army.total), limit=army.points_limit, total=written(army.total)
        )


def loose_units(army: Army) -> Iterator[Finding]:
    """EP-03: every unit belongs to a formation."""
    for index, unit in enumerate(army.loose_units):
        yield finding("EP-03", at=f"/loose_units/{index}", unit=unit.name)


def strategy_rating(army: Army) -> Iterator[Finding]:
    """EP-04: the army has a strategy rating."""
    if army.strategy_rating is None or army.strategy_rating < 0:
        yield finding("EP-04", at="/strategy_rating")


def formations(army: Army) -> Iterator[Finding]:
    """EP-05 to EP-07: a formation has an initiative, units and a cost."""
    for at, formation in army.places:
        need = formation.initiative
        value = int(need[:-1]) if isinstance(need, str) and need.endswith("+") else need
        if value not in INITIATIVES:
            yield finding("EP-05", at=f"{at}/initiative", formation=formation.title, what=_initiative_fault(need))
        if not formation.own_units:
            yield finding("EP-06", at=at, formation=formation.title)
        if formation.points is None or formation.points < 0:
            yield finding("EP-07", at=f"{at}/points", formation=formation.title)


def _initiative_fault(need: int | str | None) -> Text:
    if need is None:
        return Text("its initiative is not stated", "не указана инициатива")
    return Text(
        f"initiative {need} is impossible; it is 1+ to 6+", f"инициатива {need} невозможна: она бывает от 1+ до 6+"
    )


def characters(army: Army) -> Iterator[Finding]:
    """EP-09 and EP-10: a character rides with a unit of the formation that bought him."""
    for at, _, unit in army.units:
        if unit.is_character:
            yield finding("EP-09", at=at, name=unit.name)
    for at, formation in army.places:
        for index, character in enumerate(formation.characters):
            host = army.by_id.get(character.host) if character.host is not None else None
            place = f"{at}/characters/{index}/host"
            if host is None or host[1].is_character:
                yield finding("EP-09", at=place, name=character.name)
            elif host[0] is not formation:
                yield finding("EP-10", at=place, name=character.name)


def break_their_spirits(army: Army) -> Iterator[Finding]:
    """EP-37: the dearest formations are the target of Break Their Spirits."""
    costs = [formation.points for formation in army.formations if formation.points is not None]
    if costs:
        names = [formation.title for formation in army.formations if formation.points == max(costs)]
        yield finding("EP-37", formations=", ".join(names))


def break_points(army: Army) -> Iterator[Finding]:
    """EP-38: blast markers that break each formation."""
    for at, formation in army.places:
        if formation.own_units:
            yield finding("EP-38", at=at, formation=formation.title, n=formation.break_point)


CHECKS = (
    army_size,
    agreed_size,
    loose_units,
    strategy_rating,
    formations,
    characters,
    break_their_spirits,
    break_points,
)
