"""What an army agrees on before units are chosen: allegiance, points limit, chart, and the other army."""

from collections.abc import Iterator

from armybuilder.engine import points
from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import factions, words
from armybuilder.engine.systems.horus_heresy.army import Army
from armybuilder.engine.systems.horus_heresy.list_rules.rules import composition, finding
from armybuilder.engine.systems.horus_heresy.vocabulary import LOYALIST, TRAITOR, word

MISSION_SIZES = (1750, 3500)
RECOMMENDED_SIZES = (2000, 3000)
MOST_REACTIONS = 3

AGENTS_SIDE = {factions.AGENTS_OF_THE_EMPEROR: LOYALIST, factions.AGENTS_OF_THE_WARMASTER: TRAITOR}


def allegiance_chosen(army: Army) -> Iterator[Finding]:
    """HH-01: an army is Loyalist or Traitor."""
    if army.side is None:
        yield finding("HH-01", at="/allegiance")


def printed_allegiance(army: Army) -> Iterator[Finding]:
    """HH-02: a unit with a printed allegiance joins only armies of that side; HH-03 speaks of Agents."""
    if army.side is None:
        return
    for placed in army.units:
        if placed.unit.allegiance is None or placed.faction in factions.AGENTS:
            continue
        printed = word(placed.unit.allegiance)
        if printed in words.OF_SIDES and printed != army.side:
            yield finding("HH-02", at=f"{placed.at}/allegiance", unit=placed.name, allegiance=words.OF_SIDES[printed])


def agents_side(army: Army) -> Iterator[Finding]:
    """HH-03: Agents of the Emperor are Loyalists, Agents of the Warmaster Traitors."""
    if army.side is None:
        return
    for detachment in army.placed_detachments:
        if AGENTS_SIDE.get(detachment.faction, army.side) != army.side:
            yield finding(
                "HH-03",
                at=f"{detachment.at}/faction",
                faction=detachment.faction_words,
                allegiance=words.OF_SIDES[army.side],
            )
        for placed in detachment.units:
            own = placed.unit.faction
            if own is None or placed.faction is None or placed.faction == detachment.faction:
                continue
            if AGENTS_SIDE.get(placed.faction, army.side) != army.side:
                yield finding(
                    "HH-03",
                    at=f"{placed.at}/faction",
                    faction=factions.words(own),
                    allegiance=words.OF_SIDES[army.side],
                )


def limit_agreed(army: Army) -> Iterator[Finding]:
    """HH-04: the points limit is agreed before the army is chosen."""
    if army.agreed_limit is None:
        yield finding("HH-04", at="/points_limit")


def within_limit(army: Army) -> Iterator[Finding]:
    """HH-05: all units together cost no more than the limit."""
    limit = army.agreed_limit
    if limit is not None and army.total > limit:
        yield finding(
            "HH-05",
            at="/points_limit",
            total=points.written(army.total),
            over=points.written(army.total - limit),
            limit=points.written(limit),
        )


def size_of_the_missions(army: Army) -> Iterator[Finding]:
    """HH-06: the missions of the book are meant for 1,750 to 3,500 points."""
    limit = army.agreed_limit
    if limit is not None and not MISSION_SIZES[0] <= limit <= MISSION_SIZES[1]:
        yield finding("HH-06", at="/points_limit", limit=points.written(limit))


def recommended_size(army: Army) -> Iterator[Finding]:
    """HH-07: 2,000 to 3,000 points are recommended; beyond the sizes of the missions HH-06 speaks."""
    limit = army.agreed_limit
    if limit is None or not MISSION_SIZES[0] <= limit <= MISSION_SIZES[1]:
        return
    if not RECOMMENDED_SIZES[0] <= limit <= RECOMMENDED_SIZES[1]:
        yield finding("HH-07", at="/points_limit", limit=points.written(limit))


@composition
def chart_chosen(army: Army) -> Iterator[Finding]:
    """HH-08: an army is built on a force organisation chart."""
    if not army.follows_crusade_chart:
        yield finding("HH-08", at="/chart")


def same_allegiance(army: Army) -> Iterator[Finding]:
    """HH-61: of two armies of one allegiance, one counts as the other side."""
    if army.opponent is None or army.opponent.allegiance is None or army.side is None:
        return
    if word(army.opponent.allegiance) == army.side:
        yield finding("HH-61", at="/opponent/allegiance", allegiance=words.SIDES[army.side])


def equal_limits(army: Army) -> Iterator[Finding]:
    """HH-62: unequal points limits need both players' consent."""
    limit = army.agreed_limit
    if limit is None or army.opponent is None or army.opponent.points_limit is None or army.opponent.asymmetry_agreed:
        return
    if points.exact(army.opponent.points_limit) != limit:
        yield finding("HH-62", at="/opponent/points_limit", a=points.written(limit), b=army.opponent.points_limit)


def base_reactions(army: Army) -> Iterator[Finding]:
    """HH-63: nobody reacts more than three times in a phase."""
    if army.base_reactions is not None and army.base_reactions > MOST_REACTIONS:
        yield finding("HH-63", at="/base_reactions", n=army.base_reactions)
