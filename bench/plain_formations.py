"""Battles of formations under blast markers in plain Python, one trial and one formation at a time."""

from armybuilder.engine.combat.battles.forces import CROSSED, Attacks, Volley
from bench.plain_battle import Piece, PlainBattle, at_models, chargeable_of, distance_of, remove, wound


class PlainFormations(PlainBattle):
    """The twin of `engine/combat/battles/formations`, `markers` and `result_rolls`."""

    def fought(self, first: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """One battle in which this side begins; the pieces at its end."""
        self.marks: dict[int, int] = {}
        self.shooter: Piece | None = None
        self.spent = 0
        self.armies = (self._set_up(0), self._set_up(1))
        for turn in range(self.terms.longest):
            if turn >= self.terms.turns and self.random.random() >= self.terms.goes_on[turn - self.terms.turns]:
                break
            self.rerolled = [False, False]
            for number in range(max(map(len, self.armies))):
                for side in (first, 1 - first):
                    if number < len(self.armies[side]):
                        self._take_action(self.armies[side][number])
            for side in (0, 1):
                for piece in self.armies[side]:
                    self._rally(piece)
        return self.armies

    def _set_up(self, side: int) -> tuple[Piece, ...]:
        pieces = super()._set_up(side)
        for piece in pieces:
            piece.y += -piece.unit.ahead if side else piece.unit.ahead
            self.marks[id(piece)] = int(self._drawn(piece.unit.shaken)) if piece.unit.shaken else 0
        return pieces

    def _take_action(self, piece: Piece) -> None:
        enemies = self.armies[1 - piece.side]
        piece.moved = False
        if not piece.wounds or piece.broken:
            return
        prey = self._prey(piece, enemies, chargeable_of(enemies))
        passed = self._tested(piece, piece.unit.acts[bool(self._markers(piece))])
        if not passed:
            self._mark(piece, 1)
            piece.moved = True
        if piece.broken or not piece.wounds:
            return
        regroups = 2 * self._markers(piece) >= max(1, _strength(piece))
        if passed and prey is not None:
            self._assault(piece, prey)
            return
        if passed:
            self._move(piece, enemies)
        if regroups:
            off = max(self.random.randint(1, 6), self.random.randint(1, 6)) + piece.unit.leaders
            self.marks[id(piece)] = max(0, self._markers(piece) - off)
            return
        screened = any(e.unit.screens and e.wounds and e.foe is None for e in enemies)
        self.shooter = piece
        self._shoot(piece, enemies, [not (enemy.unit.hides and screened) for enemy in enemies])
        self.shooter = None

    def _tested(self, piece: Piece, chance: float) -> bool:
        if self.random.random() < chance:
            return True
        commanded = any(other.unit.commands and other.wounds for other in self.armies[piece.side])
        if not commanded or self.rerolled[piece.side]:
            return False
        self.rerolled[piece.side] = True
        return self.random.random() < chance

    def _attacks(self, volley: Volley, case: int, piece: Piece, enemy: Piece) -> Attacks:
        self.crossed = any(
            other is not piece and other.wounds and not other.broken and self._is_between(piece, enemy, other)
            for other in self.armies[piece.side]
        )
        return volley.at(CROSSED + case) if self.crossed else volley.attacks[case]

    def _is_between(self, piece: Piece, enemy: Piece, other: Piece) -> bool:
        line = distance_of(piece, other)
        if not 0.0 < line <= self.terms.crossfire:
            return False
        dx, dy = (other.x - piece.x) / line, (other.y - piece.y) / line
        across, along = enemy.x - piece.x, enemy.y - piece.y
        return 0.0 < across * dx + along * dy < line and abs(across * dy - along * dx) <= self.terms.breadth

    def _strike(self, attacks: Attacks, models: int, enemy: Piece) -> int:
        """In a volley: only those who are not suppressed fire, and they leave markers."""
        if self.shooter is None:
            return super()._strike(attacks, models, enemy)
        models = max(0, models - self._markers(self.shooter) // self.shooter.unit.marks_a_model)
        slays = wounds = 0
        touched, extra = False, 0.0
        for attack in attacks:
            for _ in range(min(max(models - attack.after, 0), attack.models)):
                slain, hurt = self._drawn_outcome(attack)
                slays, wounds, extra = slays + slain, wounds + hurt, extra + attack.extra
                unhurt = float(attack.chances[0, 0])
                if not slain + hurt and unhurt:
                    touched |= self.random.random() < (attack.touch - (1 - unhurt)) / unhurt
        before = sum(enemy.wounds)
        del enemy.wounds[:slays]
        wound(enemy, wounds)
        lost = before - sum(enemy.wounds)
        self._mark(
            enemy, lost + (self.crossed and lost > 0) + (touched or lost > 0) + int(extra + self.random.random())
        )
        return lost

    def _markers(self, piece: Piece) -> int:
        return self.marks[id(piece)]

    def _mark(self, piece: Piece, number: int) -> None:
        if not piece.wounds or not number:
            return
        if piece.broken:
            wound(piece, self._unsaved(piece, number))
            return
        self.marks[id(piece)] += number
        if self._markers(piece) >= _strength(piece):
            self._break(piece)

    def _break(self, piece: Piece) -> None:
        self.marks[id(piece)] = 0
        super()._break(piece)

    def _fall_back(self, piece: Piece) -> None:
        y = piece.y + self._drawn(piece.unit.flees) * (1 if piece.side else -1)
        piece.y = min(max(y, 0.0), self.terms.depth)

    def _rally(self, piece: Piece) -> None:
        if not piece.wounds or not (piece.broken or self._markers(piece)):
            return
        near = any(e.wounds and distance_of(piece, e) <= self.terms.pressed for e in self.armies[1 - piece.side])
        if self._tested(piece, piece.unit.recovers[2 * piece.broken + near]):
            markers = _strength(piece) if piece.broken else self._markers(piece)
            piece.broken = False
            self.marks[id(piece)] = max(0, markers - (markers + 1) // 2 - piece.unit.leaders)
        elif piece.broken:
            self._fall_back(piece)

    def _assault(self, piece: Piece, enemy: Piece) -> None:
        piece.moved = True
        piece.x, piece.y = enemy.x, enemy.y + (0.5 if piece.side else -0.5)
        blows = (
            self.battle.blows[piece.side][piece.number][enemy.number].charging,
            self.battle.blows[enemy.side][enemy.number][piece.number].when_charged,
        )
        dealt = {id(piece): 0, id(enemy): 0}
        fights_on = True
        while fights_on:
            fights_on = self._is_drawn_after(piece, enemy, blows, dealt)

    def _is_drawn_after(
        self, piece: Piece, enemy: Piece, blows: tuple[Attacks, Attacks], dealt: dict[int, int]
    ) -> bool:
        """One round of an assault, and whether another one follows."""
        for step in sorted({piece.unit.strikes_at, enemy.unit.strikes_at}, reverse=True):
            standing = piece.left, enemy.left
            for striker, target, attacks, models in (
                (piece, enemy, blows[0], standing[0]),
                (enemy, piece, blows[1], standing[1]),
            ):
                if striker.unit.strikes_at == step and all(standing):
                    dealt[id(striker)] += self._strike(attacks, models, target)
        if self.terms.supports and piece.wounds and enemy.wounds:
            for friend, foe in ((piece, enemy), (enemy, piece)):
                for other in self._support(friend, foe):
                    attacks = self.battle.blows[other.side][other.number][foe.number].support
                    dealt[id(friend)] += self._strike(attacks, other.left, foe)
        return self._decide(piece, enemy, dealt)

    def _support(self, piece: Piece, enemy: Piece) -> list[Piece]:
        """Free pieces of its side near enough to its enemy."""
        others = (other for other in self.armies[piece.side] if other is not piece and other.is_free)
        return [other for other in others if distance_of(other, enemy) <= self.terms.supports]

    def _decide(self, piece: Piece, enemy: Piece, dealt: dict[int, int]) -> bool:
        """Roll for the result; whether it is a draw."""
        lead = self._modifier(piece, enemy, dealt[id(piece)]) - self._modifier(enemy, piece, dealt[id(enemy)])
        lead += max(self.random.randint(1, 6), self.random.randint(1, 6))
        lead -= max(self.random.randint(1, 6), self.random.randint(1, 6))
        if piece.wounds and enemy.wounds:
            if not lead:
                return True
            winner, loser = (piece, enemy) if lead > 0 else (enemy, piece)
            self._shake(loser, winner)
            wound(loser, self._unsaved(loser, abs(lead)))
            if loser.wounds and loser.broken:
                remove(loser)
            elif loser.wounds:
                self._break(loser)
        elif piece.wounds or enemy.wounds:
            winner, loser = (piece, enemy) if piece.wounds else (enemy, piece)
            self._shake(loser, winner)
        else:
            return False
        if not winner.broken:
            self.marks[id(winner)] += dealt[id(loser)]
            if self._markers(winner) >= _strength(winner):
                winner.broken = True
                self.marks[id(winner)] = 0
        return False

    def _shake(self, loser: Piece, winner: Piece) -> None:
        if self.terms.supports:
            for other in self._support(loser, winner):
                self._mark(other, 1)

    def _unsaved(self, piece: Piece, hits: int) -> int:
        return sum(self.random.random() >= piece.unit.resists for _ in range(hits))

    def _modifier(self, piece: Piece, enemy: Piece, dealt: int) -> int:
        own, other = _strength(piece), _strength(enemy)
        held, theirs = self._markers(piece), self._markers(enemy)
        fewer = theirs > held if piece.broken == enemy.broken else enemy.broken
        unmarked = not held and not piece.broken
        return (
            dealt
            + (own > other)
            + (own >= 2 * other > 0)
            + unmarked
            + fewer
            + at_models(piece.unit.combat_bonus, piece.left)
        )


def _strength(piece: Piece) -> int:
    return at_models(piece.unit.strength, piece.left) if piece.unit.strength else piece.left
