"""Passengers of transports that are destroyed under them: each saves by its armour or on a 6+, or dies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from armybuilder.engine.combat.distribution import binomial
from armybuilder.engine.systems.epic.army import Options
from armybuilder.engine.systems.epic.combat.casualties import Body, Loss, Sturdiness
from armybuilder.engine.systems.epic.combat.firing import POPPED_UP
from armybuilder.engine.systems.epic.combat.saves import MACRO, ORDINARY, TITAN_KILLER, failing
from armybuilder.engine.systems.epic.matchup import FormationSide

TRANSPORT = "transport"
LEAPT = "6+"
"""The cover save of passengers, in place of their armour. Source: L256 [text], E-35."""


@dataclass(frozen=True)
class Passengers:
    """Who rides in a formation's transports; they are spread evenly over those that are left.

    Attributes:
        carriers: groups of transports; riders: groups of passengers.
        dies: by class of hits and group: chance that a passenger dies with its transport.
        silent: by group: Expendable units, whose loss leaves no marker.
    """

    carriers: tuple[int, ...]
    riders: tuple[int, ...]
    dies: tuple[tuple[float, ...], ...]
    silent: tuple[bool, ...]

    def __bool__(self) -> bool:
        """Whether anybody rides at all."""
        return bool(self.carriers and self.riders)

    @classmethod
    def of(cls, formation: FormationSide, options: Options, sturdiness: Sequence[Sturdiness]) -> "Passengers":
        """Read a formation.

        Those of aircraft and of a popped up skimmer die (L708, L982), those of a macro weapon's victim save as if hit
        by it (L792).
        """
        groups = list(enumerate(formation.groups))
        riders = tuple(number for number, unit in groups if unit.is_embarked)
        carriers = tuple(number for number, unit in groups if unit.has_rule(TRANSPORT) and number not in riders)
        flying = any(
            formation.groups[number].type == "AC" or formation.groups[number].has_rule(POPPED_UP) for number in carriers
        )
        leaping = replace(formation, terrain="open", cover_save=LEAPT, overwatch=False)
        dies = tuple(
            tuple(
                1.0 if flying else failing(leaping, unit, hit_class=hit_class, options=options)
                for unit in formation.groups
            )
            for hit_class in ((ORDINARY, MACRO, TITAN_KILLER) if riders else ())
        )
        return cls(carriers, riders, dies, tuple(each.leaves_no_markers for each in sturdiness))

    def wrecked(self, before: Body, loss: Loss, hit_class: int) -> Iterator[Loss]:
        """One ending with every way its passengers can fare."""
        standing, left = (sum(unit > 0 for n in self.carriers for unit in body[n]) for body in (before, loss.body))
        if standing == left:
            yield loss
            return
        ways = [
            _dead(sum(unit > 0 for unit in before[rider]), standing - left, standing, self.dies[hit_class][rider])
            for rider in self.riders
        ]
        for combination in product(*ways):
            body, unmarked, chance = list(loss.body), loss.unmarked, loss.chance
            for rider, (dead, share) in zip(self.riders, combination, strict=True):
                alive = sum(unit > 0 for unit in before[rider]) - dead
                body[rider] = (1,) * alive + (0,) * (len(before[rider]) - alive)
                unmarked += dead if self.silent[rider] else 0
                chance *= share
            yield Loss(tuple(body), unmarked, chance)


@lru_cache(maxsize=4_000)
def _dead(riders: int, wrecks: int, transports: int, dies: float) -> tuple[tuple[int, float], ...]:
    """How many of the passengers die when so many of the transports are destroyed."""
    aboard, rest = divmod(riders * wrecks, transports)
    found: dict[int, float] = {}
    for number, share in ((aboard, 1.0 - rest / transports), (aboard + 1, rest / transports)):
        if share:
            for dead, chance in binomial(number, dies).as_dict().items():
                if chance:
                    found[int(dead)] = found.get(int(dead), 0.0) + share * float(chance)
    return tuple(found.items())
