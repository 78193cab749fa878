"""The fortifications of the rulebook: what they may be built with, and where they may not start the game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment, word


@dataclass(frozen=True, slots=True)
class Extra:
    """An option of a fortification's profile.

    Attributes:
        names: words that documents use for it.
    """

    names: frozenset[str]
    text: Text
    maximum: int


STRONGPOINTS = Extra(
    frozenset(
        {
            "strongpoint",
            "strongpoints",
            "additional_strongpoint",
            "additional_strongpoints",
            "extra_strongpoint",
            "extra_strongpoints",
            "опорный_пункт",
            "дополнительный_опорный_пункт",
        }
    ),
    Text("extra strongpoint", "дополнительный опорный пункт"),
    2,
)
ICARUS = Extra(
    frozenset({"icarus_lascannon", "icarus", "лазпушка_икар", "лазпушка_«икар»"}),
    Text("Icarus lascannon", "лазпушка «Икар»"),
    1,
)
SKYREAPER = Extra(
    frozenset({"skyreaper_battery", "skyreaper", "батарея_небесный_жнец", "батарея_«небесный_жнец»"}),
    Text("Skyreaper battery", "батарея «Небесный жнец»"),
    1,
)

EXTRAS: Mapping[str, Extra] = {
    "fortified_wall": STRONGPOINTS,
    "укреплённая_стена": STRONGPOINTS,
    "imperial_bunker": ICARUS,
    "имперский_бункер": ICARUS,
    "defence_line": SKYREAPER,
    "оборонительная_линия": SKYREAPER,
}
"""The option of each fortification of the book. Source: HH L2660-L2761 [text]."""

NOT_ON_THE_TABLE = frozenset(
    {Deployment.RESERVE, Deployment.DEEP_STRIKE_ASSAULT, Deployment.FLANKING_ASSAULT, Deployment.SCOUT}
)


def book_extra(placed: PlacedUnit, option: str) -> Extra | None:
    """The extra of the book's own profile that an option names; None for options of other publications."""
    extra = EXTRAS.get(word(placed.name))
    return extra if extra is not None and word(option) in extra.names else None


def extras_of_the_profile(army: Army) -> Iterator[Finding]:
    """HH-47: two extra strongpoints on a Fortified Wall, one Icarus on a Bunker, one Skyreaper on a Defence Line."""
    for placed in army.units:
        if word(placed.name) not in EXTRAS:
            continue
        taken, extra = 0, None
        for index, option in enumerate(placed.unit.options):
            extra = book_extra(placed, option.name)
            if extra is None:
                continue
            taken += option.count
            if taken > extra.maximum:
                yield finding(
                    "HH-47",
                    at=f"{placed.at}/options/{index}/count",
                    unit=placed.name,
                    option=extra.text,
                    n=taken,
                    max=extra.maximum,
                )
                break


def fortifications_on_the_table(army: Army) -> Iterator[Finding]:
    """HH-48: fortifications are deployed like units, never from reserve and never by Deep Strike, Scout or Outflank."""
    for placed in army.units:
        if placed.is_fortification and placed.unit.deployment in NOT_ON_THE_TABLE:
            yield finding("HH-48", at=f"{placed.at}/deployment", unit=placed.name)
