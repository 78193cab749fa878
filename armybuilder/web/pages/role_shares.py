"""Points by battlefield role: what each takes of the limit, as the segments of one bar."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from armybuilder.reference.default_units import role_key

WHOLE = 1000
"""Length of a bar that is spent to the limit."""

KINDS = {
    "hq": "leader",
    "lord": "leader",
    "hero": "hero",
    "primarch": "hero",
    "troops": "core",
    "core": "core",
    "core_units": "core",
    "elites": "elite",
    "special": "elite",
    "special_units": "elite",
    "fast_attack": "fast",
    "heavy_support": "heavy",
    "rare": "heavy",
    "rare_units": "heavy",
    "lord_of_war": "titan",
    "fortification": "support",
}
"""What roles of different games are for, by the key of the role."""

WORDS = (
    ("support", ("support formation", "transport", "fortification")),
    ("titan", ("titan", "war engine", "lord of war", "knight")),
    ("fast", ("aircraft", "flyer", "fast")),
    ("elite", ("elite", "special", "ally", "allies")),
    ("heavy", ("heavy", "artillery", "rare", "vehicle")),
    ("leader", ("command", "character", "leader", "hq")),
    ("core", ("line", "troops", "core", "formation", "infantry", "battleline")),
)
"""Words in the names of other roles, those first that say more."""


@dataclass(frozen=True, slots=True)
class RoleShare:
    """One segment of the bar.

    Attributes:
        start, width: in parts of WHOLE.
    """

    name: str
    kind: str
    points: Decimal
    start: int
    width: int


def role_kind(name: str) -> str:
    """What a role is for, by the name of its category: `leader`, `core`; `other` where nothing says."""
    known = KINDS.get(role_key(name))
    if known is not None:
        return known
    small = name.casefold()
    return next((kind for kind, words in WORDS if any(word in small for word in words)), "other")


def role_shares(spent: Iterable[tuple[str, str, Decimal]], limit: Decimal | None) -> tuple[RoleShare, ...]:
    """Segments side by side; together they fill the bar when the limit is spent, or when there is none.

    Args:
        spent: name, kind and points of each role.
    """
    rows = [row for row in spent if row[2] > 0]
    total = sum((points for _, _, points in rows), Decimal(0))
    whole = max(total, limit or Decimal(0))
    shares = []
    reached = Decimal(0)
    for name, kind, points in rows:
        start, end = int(reached * WHOLE / whole), int((reached + points) * WHOLE / whole)
        reached += points
        shares.append(RoleShare(name, kind, points, start, end - start))
    return tuple(shares)
