"""The roll to hit with every kind of re-roll, for shots and blows, and what overheating weapons do to their bearer."""

from collections.abc import Callable
from dataclasses import dataclass

from armybuilder.engine.combat import sequence
from armybuilder.engine.combat.dice import Dice, Reroll
from armybuilder.engine.combat.sequence import NOTHING, Both, Mark, Node, Several, d6


@dataclass(frozen=True, slots=True)
class Aim:
    """How one shot or blow hits.

    Attributes:
        need: result needed; None cannot hit, 1 hits by itself.
        reroll: of the first roll; second is what the re-roll needs where it differs (BS 6 and more).
        covered: models hit by each template or blast, which roll nothing to hit.
        master_crafted: one failed roll of each bearer may be re-rolled.
        overheats: a weapon that rolls nothing to hit throws a die for each shot; on a 1 there is no shot. Who may
            re-roll dice to hit re-rolls that 1 (L3055).
    """

    need: int | None
    reroll: Reroll = Reroll.NONE
    second: int | None = None
    covered: Dice | None = None
    master_crafted: bool = False
    overheats: bool = False

    def tree(self, shots: Dice, then: Node) -> Node:
        """The attack of one bearer.

        Args:
            shots: dice rolled to hit, or templates and blasts placed.
            then: what follows each hit.
        """
        hit = Mark("hits", then)
        if self.covered is not None:
            burst: Node = Several(self.covered, hit)
            return Several(shots, self._unless_hot(burst) if self.overheats else burst)
        if self.need is None:
            return NOTHING
        if self.need <= 1:
            return Several(shots, hit)
        if self.master_crafted and self.reroll is not Reroll.FAILURES:
            return _number_of(shots, lambda count: self._crafted(count, hit))
        return Several(shots, sequence.check(self.need, hit, reroll=self.reroll, second=self.second))

    def _unless_hot(self, burst: Node) -> Node:
        """A shot that is not made when its die shows a 1, and the re-roll of it, if there is one, another."""
        once = d6(lambda face: NOTHING if face == 1 else burst)
        return once if self.reroll is Reroll.NONE else d6(lambda face: once if face == 1 else burst)

    def _crafted(self, shots: int, hit: Node) -> Node:
        """Several shots of which one failure may be re-rolled. Source: HH L3171, L699 [text]."""
        fresh: Node = NOTHING
        spent: Node = NOTHING
        for _ in range(shots):
            fresh, spent = self._one_crafted(hit, fresh, spent), self._one_plain(hit, spent)
        return fresh

    def _one_plain(self, hit: Node, rest: Node) -> Node:
        """A shot after the weapon's re-roll is spent."""
        need = max(2, self.need or 7)
        success = Both(hit, rest)
        again = Both(sequence.check(need if self.second is None else self.second, hit), rest)
        ones = self.reroll is Reroll.ONES
        return d6(lambda face: success if face >= need else again if face == 1 and ones else rest)

    def _one_crafted(self, hit: Node, fresh: Node, spent: Node) -> Node:
        """A shot while the weapon's re-roll is left: a natural 1 that another rule re-rolls as well leaves it to
        other failures, unless that other re-roll is the worse one of BS 6 and more."""
        need = max(2, self.need or 7)
        success = Both(hit, fresh)
        again = Both(sequence.check(need, hit), fresh)
        rescued = Both(sequence.check(need, hit), spent)
        kept = self.reroll is Reroll.ONES and self.second is None
        return d6(lambda face: success if face >= need else again if face == 1 and kept else rescued)


def overheating(aim: Aim, shots: Dice, hurt: Node) -> Node:
    """What one bearer suffers from its own weapon; `hurt` follows each overheating.

    Source: HH L3047-L3055 [text]; with a re-roll only when both dice show 1, E39 [decision].
    """
    one = d6(lambda face: hurt if face == 1 else NOTHING)
    if aim.covered is not None and aim.reroll is Reroll.NONE:
        return Several(shots, one)
    if aim.covered is not None:
        return Several(shots, d6(lambda face: one if face == 1 else NOTHING))
    if aim.need is None or aim.need <= 1:
        return NOTHING
    if aim.reroll is not Reroll.NONE:
        return Several(shots, d6(lambda face: one if face == 1 else NOTHING))
    if aim.master_crafted:
        return _number_of(shots, lambda count: _crafted_heat(count, one, hurt))
    return Several(shots, one)


def _crafted_heat(shots: int, one: Node, hurt: Node) -> Node:
    """Several shots of which the bearer re-rolls a natural 1 if there is one."""
    fresh: Node = NOTHING
    spent: Node = NOTHING
    for _ in range(shots):
        old_fresh, old_spent = fresh, spent
        wounded, rescued = Both(hurt, old_spent), Both(one, old_spent)
        spent = d6(lambda face, a=wounded, b=old_spent: a if face == 1 else b)  # type: ignore[misc]
        fresh = d6(lambda face, a=rescued, b=old_fresh: a if face == 1 else b)  # type: ignore[misc]
    return fresh


def _number_of(shots: Dice, tree: Callable[[int], Node]) -> Node:
    """A tree for each number of shots that the dice can show."""
    if shots.fixed is not None:
        return tree(shots.fixed)
    total = shots.distribution()
    faces: list[int] = []
    for value, chance in total.as_dict().items():
        faces += [value] * round(chance * shots.sides**shots.count)
    return sequence.roll(faces, lambda face: tree(int(face)))
