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
        room: models of the target; no template or blast covers more.
        master_crafted: one failed roll of each bearer may be re-rolled.
        picks: a roll of this much lets the attacker allocate the wound (Precision Shots and Strikes).
        overheats: a weapon that rolls nothing to hit throws a die for each shot; on a 1 there is no shot. Who may
            re-roll dice to hit re-rolls that 1 (L3055).
    """

    need: int | None
    reroll: Reroll = Reroll.NONE
    second: int | None = None
    covered: Dice | None = None
    master_crafted: bool = False
    overheats: bool = False
    picks: int | None = None
    room: int | None = None

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled to hit."""
        return self.covered is None and self.need is not None and self.need > 1

    def tree(self, shots: Dice, then: Node, chosen: Node | None = None) -> Node:
        """The attack of one bearer.

        Args:
            shots: dice rolled to hit, or templates and blasts placed.
            then: what follows each hit.
            chosen: what follows hits that the attacker allocates; None is the same as the others.
        """
        hit = Mark("hits", then)
        if chosen is not None and self.picks is not None:
            return self._sorted(shots, hit, Mark("hits", chosen), self.picks)
        if self.covered is not None:
            burst: Node = self._burst(self.covered, hit)
            return Several(shots, self._unless_hot(burst) if self.overheats else burst)
        if self.need is None:
            return NOTHING
        if self.need <= 1:
            return Several(shots, hit)
        if self.master_crafted and self.reroll is not Reroll.FAILURES:
            return _number_of(shots, lambda count: self._crafted(count, lambda face: hit))
        return Several(shots, sequence.check(self.need, hit, reroll=self.reroll, second=self.second))

    def _burst(self, covered: Dice, hit: Node) -> Node:
        """The hits of one template or blast."""
        room = self.room
        if room is None or covered.highest <= room:
            return Several(covered, hit)
        return _number_of(covered, lambda number: Several(Dice(0, 0, min(number, room)), hit))

    def _unless_hot(self, burst: Node) -> Node:
        """A shot that is not made when its die shows a 1, and the re-roll of it, if there is one, another."""
        once = d6(lambda face: NOTHING if face == 1 else burst)
        return once if self.reroll is Reroll.NONE else d6(lambda face: once if face == 1 else burst)

    def _sorted(self, shots: Dice, hit: Node, chosen: Node, picks: int) -> Node:
        """The attack whose hits are told apart by their dice. Source: HH L3225-L3235 [text]."""

        def landed(face: int) -> Node:
            return chosen if face >= picks else hit

        need = max(2, self.need or 7)
        if self.master_crafted and self.reroll is not Reroll.FAILURES:
            return _number_of(shots, lambda count: self._crafted(count, landed))
        second = _cast(need if self.second is None else self.second, landed)
        return Several(
            shots,
            d6(
                lambda face: (
                    second
                    if sequence.rerolled(face, face >= need, self.reroll)
                    else landed(face)
                    if face >= need
                    else NOTHING
                )
            ),
        )

    def _crafted(self, shots: int, landed: Callable[[int], Node]) -> Node:
        """Several shots of which one failure may be re-rolled. Source: HH L3171, L699 [text]."""
        fresh: Node = NOTHING
        spent: Node = NOTHING
        for _ in range(shots):
            fresh, spent = self._one_crafted(landed, fresh, spent), self._one_plain(landed, spent)
        return fresh

    def _one_plain(self, landed: Callable[[int], Node], rest: Node) -> Node:
        """A shot after the weapon's re-roll is spent."""
        need = max(2, self.need or 7)
        success = _followed(landed, rest)
        again = Both(_cast(need if self.second is None else self.second, landed), rest)
        ones = self.reroll is Reroll.ONES
        return d6(lambda face: success(face) if face >= need else again if face == 1 and ones else rest)

    def _one_crafted(self, landed: Callable[[int], Node], fresh: Node, spent: Node) -> Node:
        """A shot while the weapon's re-roll is left: a natural 1 that another rule re-rolls as well leaves it to
        other failures, unless that other re-roll is the worse one of BS 6 and more."""
        need = max(2, self.need or 7)
        success = _followed(landed, fresh)
        again = Both(_cast(need, landed), fresh)
        rescued = Both(_cast(need, landed), spent)
        kept = self.reroll is Reroll.ONES and self.second is None
        return d6(lambda face: success(face) if face >= need else again if face == 1 and kept else rescued)


def _cast(need: int, landed: Callable[[int], Node]) -> Node:
    """One die without a re-roll."""
    return d6(lambda face: landed(face) if face >= need else NOTHING)


def _followed(landed: Callable[[int], Node], rest: Node) -> Callable[[int], Node]:
    """What a hit does and then the rest; faces with the same hit share one node."""
    memory: dict[int, Node] = {}

    def both(face: int) -> Node:
        hit = landed(face)
        if id(hit) not in memory:
            memory[id(hit)] = Both(hit, rest)
        return memory[id(hit)]

    return both


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
