"""An attack written down once as a tree of dice: `exact` multiplies its chances, `sampling` rolls the same tree."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from armybuilder.engine.combat.dice import Dice, Reroll


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The attack is over and did this: the name of an effect, or None for nothing."""

    effect: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """Dice are rolled; what happens next depends on them.

    Attributes:
        weights: of the branches, whole numbers; a branch is taken with weight / sum of weights.
    """

    weights: tuple[int, ...]
    branches: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A point on the way whose passages are counted: "hits", "wounds"."""

    name: str
    then: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """A number of independent copies of what follows, e.g. D3 wounds instead of one."""

    count: Dice
    each: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """Two things that happen one after the other, whatever the first does."""

    first: "Node"
    second: "Node"


Node: TypeAlias = End | Roll | Mark | Several | Both

NOTHING = End()


def roll(faces: Iterable[Hashable], branch: Callable[..., Node]) -> Node:
    """Roll equally likely faces (numbers, or tuples for several dice); faces with the same branch object are joined."""
    weights: dict[int, int] = {}
    nodes: dict[int, Node] = {}
    memory: dict[Hashable, Node] = {}
    for face in faces:
        if face not in memory:
            memory[face] = branch(face)
        node = memory[face]
        weights[id(node)] = weights.get(id(node), 0) + 1
        nodes[id(node)] = node
    return Roll(tuple(weights.values()), tuple(nodes.values())) if len(nodes) > 1 else next(iter(nodes.values()))


def d6(branch: Callable[[int], Node]) -> Node:
    """Roll one D6; faces with the same branch object are joined."""
    return roll(range(1, 7), branch)


def check(
    need: int | None,
    success: Node,
    failure: Node = NOTHING,
    *,
    reroll: Reroll = Reroll.NONE,
    second: int | None = None,
) -> Node:
    """Roll a D6 that needs `need` or more; a 1 always fails and None cannot be rolled.

    Args:
        reroll: which first results are rolled again; the second result stands.
        second: what the second roll needs; None is the same as the first.
    """
    if need is None:
        return failure
    if success is failure:
        return success

    def outcome(needed: int) -> Callable[[int], Node]:
        return lambda face: success if face >= needed and face > 1 else failure

    first = outcome(need)
    if reroll is Reroll.NONE:
        return d6(first)
    again = d6(outcome(need if second is None else second))
    return d6(lambda face: again if rerolled(face, face >= max(2, need), reroll) else first(face))


def rerolled(face: int, succeeds: bool, reroll: Reroll) -> bool:
    """Whether a first result is rolled again."""
    match reroll:
        case Reroll.NONE:
            return False
        case Reroll.ONES:
            return face == 1
        case Reroll.FAILURES:
            return not succeeds
        case Reroll.SUCCESSES:
            return succeeds


def effects_of(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Names of all effects these trees can have, in alphabetical order."""
    names: set[str] = set()
    seen: set[int] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case End(effect):
                if effect is not None:
                    names.add(effect)
            case Roll(_, branches):
                todo.extend(branches)
            case Mark(_, then):
                todo.append(then)
            case Several(_, each):
                todo.append(each)
            case Both(first, second):
                todo += [first, second]
    return tuple(sorted(names))
