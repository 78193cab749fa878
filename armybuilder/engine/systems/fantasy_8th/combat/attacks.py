"""One attack as a tree of dice: to hit, to wound, armour save, ward save or Regeneration."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import lcm

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.sequence import NOTHING, Both, End, Mark, Node, Roll, Several, check, d6

WOUND = "wound"
SLAIN = "slain"
SPENT = "spent"
UNSAVED = "unsaved"
_SPENT = End(SPENT)
EFFECTS = (WOUND, SLAIN, SPENT)
"""What an attack can do: an unsaved wound, a Killing Blow, and using up the target's one-use protection."""

ONE_WOUND = Dice(0, 0, 1)
NO_FACES: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Once:
    """Protection that is used up by the first wound.

    Attributes:
        luck: one failed armour save is rolled again.
        ward: a ward save against the first wound only.
        shield: the roll on which the first wound is ignored, after all saves.
    """

    luck: bool = False
    ward: int | None = None
    shield: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Models one behind the other that a shot goes through, until one of them stays alive.

    Attributes:
        wounds: of a model.
        behind: the same shot when it strikes the next model; None at the last one.
    """

    wounds: int
    behind: "Attack | None" = None

    @property
    def length(self) -> int:
        """Models that the shot can strike from here on."""
        return 1 + (self.behind.row.length if self.behind is not None and self.behind.row is not None else 0)


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack with every roll it needs.

    Attributes:
        hit: roll needed, 1 for an automatic hit, None when it cannot hit; 7 to 9 is a 6 and then another roll.
        gate: a roll that must be made before everything else.
        further: another one gives it by a natural 6 to hit, whose roll is its first, and rolled again like that.
        hit_again, wound_again, armour_again, ward_again: first faces that are rolled again.
        wound: roll needed; None when it cannot wound, 1 when it wounds by itself.
        poison: a natural 6 to hit wounds by itself.
        killing_blow: a natural 6 to wound slays.
        armour, ward, regeneration: save left; None when there is none.
        damage: wounds of one unsaved wound; doubled: each result counts twice.
        once: protection of the target that is used up.
        scorches: it is flaming, and the target could regenerate; fading: who suffers such a wound regenerates no more.
        hits: so many of it strike one and the same model, and what it has no wounds for is lost.
        row: models that it goes through; its wounds are then single ones, as many as each model loses.
    """

    hit: int | None
    wound: int | None
    armour: int | None = None
    ward: int | None = None
    regeneration: int | None = None
    gate: int | None = None
    further: bool = False
    hit_again: frozenset[int] = NO_FACES
    wound_again: frozenset[int] = NO_FACES
    armour_again: frozenset[int] = NO_FACES
    ward_again: frozenset[int] = NO_FACES
    poison: bool = False
    killing_blow: bool = False
    scorches: bool = False
    fading: bool = False
    damage: Dice = ONE_WOUND
    doubled: bool = False
    hits: Dice | None = None
    row: Row | None = None
    once: Once | None = None

    @property
    def simple(self) -> bool:
        """Whether it does single wounds only and leaves nothing to remember."""
        if self.row is not None:
            return True
        plain = self.damage.fixed == 1 and not self.doubled and not self.killing_blow
        return plain and self.once is None and not self.fading and self.hits is None

    @property
    def factor(self) -> int:
        """How often the damage counts."""
        return 2 if self.doubled else 1


def tree(attack: Attack, *, spent: bool = True) -> Node:
    """The attack as dice.

    Args:
        spent: the target's one-use protection, or its Regeneration, is gone.
    """
    if attack.fading and spent:
        attack = replace(attack, regeneration=None)
    burns = attack.fading and attack.scorches and not spent
    once = None if spent else attack.once
    normal = _armour(attack, once, burns=burns)
    fatal = _ward(attack, once, SLAIN)

    def wounding(face: int) -> Node:
        if attack.killing_blow and face == 6:
            return fatal
        return normal if attack.wound is not None and face >= max(2, attack.wound) else NOTHING

    if attack.wound is None:
        wounded: Node = NOTHING
    elif attack.wound <= 1:
        wounded = normal
    else:
        wounded = _die(wounding, attack.wound_again)
    wounded = Mark("hits", wounded)
    poisoned = Mark("hits", normal) if attack.poison and attack.wound is not None else wounded
    whole = _hit(attack, wounded, poisoned)
    if attack.further:
        given = whole
        whole = _die(lambda face: given if face == 6 else NOTHING, attack.hit_again)
    return whole if attack.gate is None else check(attack.gate, whole)


def in_a_row(links: Sequence[Attack], wounds: int) -> Attack:
    """A shot that strikes model after model as long as it slays.

    Args:
        links: the shot as it strikes each of them; wounds: of a model.
    """
    last: Attack | None = None
    for link in reversed(links):
        last = replace(link, row=Row(wounds, last))
    assert last is not None
    return links[0] if len(links) == 1 else last


def misses(need: int | None) -> frozenset[int]:
    """Faces that do not hit, wound or save."""
    return frozenset(face for face in range(1, 7) if need is None or face == 1 or face < need)


def made(need: int | None) -> frozenset[int]:
    """Faces that do."""
    return frozenset(range(1, 7)) - misses(need)


def _hit(attack: Attack, wounded: Node, poisoned: Node) -> Node:
    if attack.hit is None or attack.hit > 9:
        return NOTHING
    if attack.hit <= 1:
        return wounded
    if attack.hit > 6:  # 7+ is a 6 and then 4+, 8+ 5+, 9+ 6; poison does nothing then
        second = check(attack.hit - 3, wounded)
        return _die(lambda face: second if face == 6 else NOTHING, attack.hit_again)
    need = attack.hit

    def hitting(face: int) -> Node:
        if face == 6:
            return poisoned
        return wounded if face >= need and face > 1 else NOTHING

    return _die(hitting, attack.hit_again)


def _armour(attack: Attack, once: Once | None, *, burns: bool) -> Node:
    failed = _ward(attack, once, WOUND, burns=burns)
    need = attack.armour
    if need is None or need > 6:
        return failed
    if once is not None and once.luck:
        left = Once(False, once.ward, once.shield)
        again = check(need, _SPENT, _spending(_ward(attack, left, WOUND)))
        return _die(lambda face: NOTHING if face >= need and face > 1 else again, attack.armour_again)
    return _die(lambda face: NOTHING if face >= need and face > 1 else failed, attack.armour_again)


def _ward(attack: Attack, once: Once | None, effect: str, *, burns: bool = False) -> Node:
    """Ward save or Regeneration, whichever is better, then what is good against the first wound only."""
    done: Node = End(effect) if attack.row is None else _pierced(attack, attack.row, effect)
    if burns:
        done = _spending(done)
    saves = [attack.ward, attack.regeneration if effect == WOUND else None]
    first = None if once is None else once.ward
    if once is not None and once.shield is not None:
        done = check(once.shield, _SPENT, _spending(done))
    elif first is not None:
        done = _spending(done)
    need = min((save for save in (*saves, first) if save is not None), default=None)
    if need is None or need > 6:
        return done
    saved = NOTHING if first is None else _SPENT
    return _die(lambda face: saved if face >= need and face > 1 else done, attack.ward_again)


def _pierced(attack: Attack, row: Row, effect: str) -> Node:
    """The wounds one model of a row loses, and the shot at the next one if that slays it."""
    onwards = NOTHING if row.behind is None else tree(row.behind)

    def struck(points: int) -> Node:
        lost = Both(End(UNSAVED), Several(Dice(0, 0, min(points, row.wounds)), End(WOUND)))
        return Both(lost, onwards) if points >= row.wounds else lost

    if effect == SLAIN:
        return struck(row.wounds)
    if attack.damage.fixed is not None:
        return struck(attack.damage.fixed * attack.factor)
    chances = attack.damage.distribution(exact=True).as_dict()
    whole = lcm(*(chance.denominator for chance in chances.values()))
    weights = tuple(int(chance * whole) for chance in chances.values())
    return Roll(weights, tuple(struck(int(points) * attack.factor) for points in chances))


def _spending(node: Node) -> Node:
    """The same, with the one-use protection used up."""
    return Both(End(SPENT), node)


def _die(branch: Callable[[int], Node], again: frozenset[int]) -> Node:
    """Roll a D6; the faces in `again` are rolled a second time, and the second result stands."""
    plain = d6(branch)
    if not again:
        return plain
    return d6(lambda face: plain if face in again else branch(face))
