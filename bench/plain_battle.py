"""The same whole battle in plain Python, one trial at a time and one attacker at a time: slow, and easy to believe.

It shares the plans (who wants what) and nothing else with `engine/combat/battles`; tests compare the two, the bench
row "trials" measures them.
"""

import random
from bisect import bisect
from dataclasses import dataclass, field
from itertools import accumulate
from math import cos, hypot, pi, sin
from typing import Any

from armybuilder.engine.combat.battles.forces import COVERED, MOVED, REPLY, Attack, Attacks, Unit, Volley
from armybuilder.engine.combat.battles.movement import CONTACT, WITHIN
from armybuilder.engine.combat.battles.plans import Plan, Plans, likely_charge, unload_at
from armybuilder.engine.combat.battles.reserves import ASIDE, HITS, STRAYS
from armybuilder.engine.combat.distribution import Distribution


@dataclass(slots=True)
class Piece:
    """A unit on the table."""

    unit: Unit
    plan: Plan
    side: int
    number: int
    x: float
    y: float
    covered: bool
    wounds: list[int] = field(default_factory=list)
    foe: "Piece | None" = None
    broken: bool = False
    moved: bool = False
    charged: bool = False
    drunk: bool = False
    rallied: bool = False
    reacted: bool = False
    pinned: bool = False
    aimed: "Piece | None" = None
    lost: int = 0
    dealt: int = 0
    waiting: list[int] = field(default_factory=list)
    came: str = ""

    @property
    def left(self) -> int:
        return len(self.wounds)

    @property
    def is_free(self) -> bool:
        return bool(self.wounds) and self.foe is None and not self.broken


class PlainBattle:
    """One battle after the other."""

    def __init__(self, plans: Plans, seed: int) -> None:
        self.plans = plans
        self.battle = plans.battle
        self.terms = plans.terms
        self.random = random.Random(seed)
        self.sums: dict[int, tuple[list[float], list[tuple[int, int]]]] = {}

    def fought(self, first: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """One battle in which this side begins; the pieces at its end."""
        self.armies = (self._set_up(0), self._set_up(1))
        for turn in range(self.terms.longest):
            self.turn = turn
            if turn >= self.terms.turns and self.random.random() >= self.terms.goes_on[turn - self.terms.turns]:
                break
            if self.terms.alternates:
                for number in range(max(map(len, self.armies))):
                    for side in (first, 1 - first):
                        if number < len(self.armies[side]):
                            self._act(side, [self.armies[side][number]])
            else:
                for side in (first, 1 - first):
                    self._act(side, list(self.armies[side]))
            for army in self.armies:
                if self.terms.loses_without_models and not any(piece.wounds for piece in army):
                    for piece in army:
                        piece.waiting = []
        for army in self.armies:
            for piece in army:
                piece.wounds = piece.wounds or piece.waiting
        return self.armies

    def winner(self) -> int | None:
        """0, 1, or None for a draw."""
        points = [sum(self._worth(piece) for piece in self.armies[1 - side]) for side in (0, 1)]
        standing = [sum(bool(piece.wounds) for piece in army) for army in self.armies]
        for place in self.terms.objectives:
            worth = self.random.choice(self.terms.objective_points)
            for side in (0, 1):
                if self._holds(side, place):
                    points[side] += worth
        for side in (0, 1):
            points[side] += self.terms.most_survivors * (standing[side] > standing[1 - side])
        if self.terms.loses_without_models and (standing[0] == 0) != (standing[1] == 0):
            return 1 if standing[0] == 0 else 0
        if abs(points[0] - points[1]) < max(0.01, self.terms.lead) - 1e-9:
            return None
        return 0 if points[0] > points[1] else 1

    def _holds(self, side: int, place: tuple[float, float]) -> bool:
        def near(piece: Piece) -> bool:
            far = hypot(piece.x - place[0], piece.y - place[1])
            return bool(piece.wounds) and not piece.broken and not piece.pinned and far <= self.terms.near

        mine = any(near(piece) and piece.unit.scores for piece in self.armies[side])
        return mine and not any(near(p) and (p.unit.scores or p.unit.denies) for p in self.armies[1 - side])

    def _worth(self, piece: Piece) -> float:
        worth = piece.unit.worth
        if not piece.wounds:
            return worth.destroyed
        if piece.broken:
            return worth.fleeing_weak if 2 * piece.left < piece.unit.models else worth.fleeing
        return worth.halved if 2 * piece.left <= piece.unit.models else 0.0

    def _set_up(self, side: int) -> tuple[Piece, ...]:
        terms = self.terms
        pieces = []
        for number, (unit, plan) in enumerate(zip(self.battle.armies[side], self.plans.of[side], strict=True)):
            away = terms.line + (0.0 if plan.closes_in or plan.delivers else terms.behind)
            x = (terms.width - terms.front) / 2 + self.random.random() * terms.front
            y = terms.depth / 2 + (away if side else -away)
            piece = Piece(unit, plan, side, number, x, y, unit.shelters and self.random.random() < terms.cover)
            piece.wounds = list(unit.wounds)
            if unit.arrives or plan.rides is not None:
                piece.wounds, piece.waiting = [], piece.wounds
            pieces.append(piece)
        return tuple(pieces)

    def _act(self, side: int, pieces: list[Piece]) -> None:
        enemies = self.armies[1 - side]
        for piece in pieces:
            piece.moved = piece.rallied = False
            piece.aimed = None
            whole = piece.unit.wounds[-piece.left] if piece.wounds else 0
            if piece.unit.potion is not None and not piece.drunk and piece.wounds and piece.wounds[0] < whole:
                piece.wounds[0] = min(whole, piece.wounds[0] + int(self._drawn(piece.unit.potion)))
                piece.drunk = True
            if piece.broken and piece.wounds:
                if self.random.random() < piece.unit.rallies:
                    piece.broken, piece.moved, piece.rallied = False, True, self.terms.rallied_stand
                else:
                    self._fall_back(piece)
        self._arrive(pieces, enemies)
        if self.terms.charges_first:
            self._charge_all(pieces, enemies)
        for piece in pieces:
            self._move(piece, enemies)
        self._begin_phase(enemies)
        before = [enemy.left for enemy in enemies]
        screened = any(e.unit.screens and e.wounds and e.foe is None for e in enemies)
        open_targets = [enemy.foe is None and not (enemy.unit.hides and screened) for enemy in enemies]
        for piece in pieces:
            if not self._shoot(piece, enemies, open_targets) and piece.unit.runs is not None:
                self._run(piece, enemies, piece.unit.runs)
        for enemy, models in zip(enemies, before, strict=True):
            unit = enemy.unit
            lost = models - enemy.left
            tested = unit.panics_at is not None and lost and lost >= unit.panics_at * models
            if tested and enemy.wounds and not enemy.broken and self.random.random() >= unit.holds:
                if unit.dissolves is not None:
                    wound(enemy, int(self._drawn(unit.dissolves)))
                else:
                    self._break(enemy)
        self._bail_out(enemies)
        if not self.terms.charges_first:
            self._charge_all(pieces, enemies)
        self._fight()
        for army in self.armies:
            self._bail_out(army)
        for piece in pieces:
            piece.pinned, piece.came = False, ""
            whole = piece.unit.wounds[-piece.left] if piece.wounds else 0
            if piece.wounds and piece.wounds[0] < whole and self.random.random() < piece.unit.regains:
                piece.wounds[0] += 1

    def _charge_all(self, pieces: list[Piece], enemies: tuple[Piece, ...]) -> None:
        self._begin_phase(enemies)
        chargeable = chargeable_of(enemies)
        for piece in pieces:
            self._charge(piece, enemies, chargeable)

    def _arrive(self, pieces: list[Piece], enemies: tuple[Piece, ...]) -> None:
        together = self.random.random()
        for piece in pieces:
            if not piece.waiting or not piece.unit.arrives or piece.plan.rides is not None:
                continue
            arrives = piece.unit.arrives
            rolled = together if piece.unit.drops else self.random.random()
            if rolled >= arrives[min(self.turn, len(arrives) - 1)]:
                continue
            x = (self.terms.width - self.terms.front) / 2 + self.random.random() * self.terms.front
            y = self.terms.depth if piece.side else 0.0
            if piece.unit.drops:
                x, y = self._dropped(piece, enemies)
            self._place(piece, x, y, "drops" if piece.unit.drops else "edge")
        for piece in pieces:
            if not piece.waiting or piece.plan.rides is None:
                continue
            carrier = self.armies[piece.side][piece.plan.rides]
            if not carrier.wounds or carrier.foe is not None:
                continue
            if piece.plan.goal is not None:
                far = hypot(carrier.x - piece.plan.goal[0], carrier.y - piece.plan.goal[1])
                wants = far <= piece.unit.move
            else:
                near = [distance_of(carrier, enemies[j]) for j in piece.plan.seeks if enemies[j].wounds]
                wants = bool(near) and min(near) <= piece.unit.move + unload_at(piece.unit, piece.plan)
            if wants or carrier.unit.move <= 0:
                self._place(piece, carrier.x, carrier.y, "" if carrier.unit.lands_charging else "edge")
                piece.moved = True

    def _dropped(self, piece: Piece, enemies: tuple[Piece, ...]) -> tuple[float, float]:
        liked = piece.plan.prey if piece.plan.closes_in else [j for j, _ in piece.plan.targets]
        enemy = next((enemies[j] for j in (*liked, *piece.plan.seeks) if enemies[j].wounds), None)
        strays, angle = 0.0, self.random.random() * 2 * pi
        if self.random.random() >= HITS:
            strays = self._drawn(STRAYS)
        if enemy is None:
            return self.terms.width / 2 + strays * cos(angle), self.terms.depth / 2 + strays * sin(angle)
        ahead = 1.0 if piece.side else -1.0
        x, y = enemy.x + strays * cos(angle), enemy.y + ahead * ASIDE + strays * sin(angle)
        return x, enemy.y + ahead * CONTACT if hypot(x - enemy.x, y - enemy.y) < CONTACT else y

    def _bail_out(self, army: tuple[Piece, ...]) -> None:
        for piece in army:
            if piece.waiting and piece.plan.rides is not None:
                carrier = army[piece.plan.rides]
                if not carrier.wounds and not carrier.waiting:
                    self._place(piece, carrier.x, carrier.y, "" if carrier.unit.lands_charging else "edge")
                    piece.pinned = piece.pinned or self.random.random() >= piece.unit.unpinned

    def _place(self, piece: Piece, x: float, y: float, came: str) -> None:
        piece.wounds, piece.waiting, piece.came = piece.waiting, [], came
        piece.x, piece.y = min(max(x, 0.0), self.terms.width), min(max(y, 0.0), self.terms.depth)

    def _begin_phase(self, enemies: tuple[Piece, ...]) -> None:
        self.spent = 0
        for enemy in enemies:
            enemy.reacted = False

    def _react(self, piece: Piece, enemy: Piece, *, overwatch: bool) -> None:
        """A piece that is shot at, or charged, shoots at this enemy if it may and that is worth it."""
        if not piece.is_free or piece.pinned or piece.reacted or self.spent >= self.terms.reactions:
            return
        wanted = piece.plan.replies if overwatch else piece.plan.answers
        if overwatch and not piece.unit.unsurprised and distance_of(piece, enemy) <= enemy.unit.surprises:
            return
        if self.terms.at_chargers and not overwatch:
            return
        band = sum(distance_of(piece, enemy) > float(square) ** 0.5 for square in piece.plan.bands)
        if band >= len(piece.plan.bands) or not wanted[band, enemy.number]:
            return
        self.spent += 1
        piece.reacted = True
        reach = float(piece.plan.bands[band]) ** 0.5
        volleys = self.battle.volleys[piece.side][piece.number][enemy.number]
        volley = next(v for v in volleys if v.reach >= reach - 1e-3)
        self._strike(volley.at(REPLY + (COVERED if enemy.covered and not overwatch else 0)), piece.left, enemy)

    def _prey(self, piece: Piece, enemies: tuple[Piece, ...], chargeable: list[bool]) -> Piece | None:
        """Whom it would charge."""
        after = piece.unit.charges_after
        if (
            piece.unit.charge is None
            or not piece.is_free
            or piece.rallied
            or piece.pinned
            or piece.came == "edge"
            or (after is False and piece.aimed)
        ):
            return None
        limit = likely_charge(piece.unit.charge)
        for j in piece.plan.prey:
            enemy = enemies[j]
            if after and piece.aimed not in (None, enemy):
                continue
            if enemy.wounds and chargeable[j] and distance_of(piece, enemy) <= limit:
                return enemy
        return None

    def _move(self, piece: Piece, enemies: tuple[Piece, ...]) -> None:
        plan, unit = piece.plan, piece.unit
        if unit.move <= 0 or not (plan.seeks or plan.goal) or not piece.is_free or piece.rallied or piece.pinned:
            return
        if piece.came == "drops":
            return
        if plan.goal is not None:
            self._make_for(piece, plan.goal)
            return
        wanted = [enemies[j] for j in plan.seeks if enemies[j].wounds]
        if not wanted:
            return
        nearest = min(wanted, key=lambda enemy: distance_of(piece, enemy))
        distance = distance_of(piece, nearest)
        step = min(max(distance - (CONTACT if plan.closes_in else max(plan.keeps - WITHIN, 0.0)), 0.0), unit.move)
        if plan.shy and any(
            e.plan.threat and e.wounds and e.foe is None and distance_of(piece, e) < e.plan.threat for e in enemies
        ):
            step = -unit.move
        self._go(piece, nearest, step, distance)

    def _make_for(self, piece: Piece, goal: tuple[float, float]) -> None:
        distance = hypot(goal[0] - piece.x, goal[1] - piece.y)
        step = min(distance, piece.unit.move)
        if step <= WITHIN:
            return
        piece.x += (goal[0] - piece.x) * step / distance
        piece.y += (goal[1] - piece.y) * step / distance
        piece.moved = True
        if piece.unit.shelters and self.terms.cover:
            piece.covered = self.random.random() < self.terms.cover

    def _go(self, piece: Piece, nearest: Piece, step: float, distance: float) -> None:
        if step == 0.0:
            return
        share = step / max(distance, 1e-3)
        piece.x = min(max(piece.x + (nearest.x - piece.x) * share, 0.0), self.terms.width)
        piece.y = min(max(piece.y + (nearest.y - piece.y) * share, 0.0), self.terms.depth)
        piece.moved = True
        if piece.unit.shelters and self.terms.cover:
            piece.covered = self.random.random() < self.terms.cover

    def _run(self, piece: Piece, enemies: tuple[Piece, ...], runs: Distribution) -> None:
        wanted = [enemies[j] for j in piece.plan.seeks if enemies[j].wounds]
        if not wanted or not piece.is_free or piece.pinned:
            return
        nearest = min(wanted, key=lambda enemy: distance_of(piece, enemy))
        distance = distance_of(piece, nearest)
        stop = max(piece.plan.keeps - WITHIN, 0.0)
        self._go(piece, nearest, min(max(distance - stop, 0.0), self._drawn(runs)), distance)

    def _shoot(self, piece: Piece, enemies: tuple[Piece, ...], open_targets: list[bool]) -> bool:
        if not piece.is_free or piece.pinned or (piece.rallied and self.terms.rallied_hold_fire):
            return False
        reaches = [float(square) ** 0.5 for square in piece.plan.bands]
        prey = None
        if piece.unit.charges_after is not None and piece.plan.closes_in:
            prey = self._prey(piece, enemies, chargeable_of(enemies))
        for j, band in self._wishes(piece, prey, reaches):
            enemy = enemies[j]
            if not open_targets[j] or not enemy.wounds:
                continue
            distance = distance_of(piece, enemy)
            if distance > reaches[band] or (band and distance <= reaches[band - 1]):
                continue
            volleys = self.battle.volleys[piece.side][piece.number][j]
            volley = next(v for v in volleys if v.reach >= reaches[band] - 1e-3)
            if piece.unit.charges_after is not None:
                piece.aimed = enemy
            self._react(enemy, piece, overwatch=False)
            case = (MOVED if piece.moved and piece.unit.move > 0 else 0) + (COVERED if enemy.covered else 0)
            hurt = self._strike(self._attacks(volley, case, piece, enemy), piece.left, enemy)
            if volley.pins and hurt and enemy.is_free and self.random.random() >= enemy.unit.unpinned:
                enemy.pinned = True
            return True
        return False

    def _attacks(self, volley: Volley, case: int, piece: Piece, enemy: Piece) -> Attacks:
        """What it shoots at this enemy."""
        return volley.attacks[case]

    def _wishes(self, piece: Piece, prey: Piece | None, reaches: list[float]) -> list[tuple[int, int]]:
        """Enemies and bands in the order in which it tries them: nobody but its prey before a charge."""
        if prey is None:
            return list(piece.plan.targets)
        if not piece.unit.charges_after:
            return []
        band = sum(distance_of(piece, prey) > reach for reach in reaches)
        return [(prey.number, band)] if band < len(reaches) else []

    def _charge(self, piece: Piece, enemies: tuple[Piece, ...], chargeable: list[bool]) -> None:
        enemy = self._prey(piece, enemies, chargeable)
        if enemy is None or piece.unit.charge is None:
            return
        reach = self._drawn(piece.unit.charge)
        if piece.unit.terrifies and enemy.is_free and self.random.random() < enemy.unit.dreads:
            self._break(enemy)
            if enemy.wounds and reach >= distance_of(piece, enemy):
                remove(enemy)
            return
        self._react(enemy, piece, overwatch=True)
        distance = distance_of(piece, enemy)
        if self.terms.charges_first and piece.wounds and reach < distance:
            share = min(self.terms.falls_short / max(distance, 1e-3), 1.0)
            piece.x, piece.y = piece.x + (enemy.x - piece.x) * share, piece.y + (enemy.y - piece.y) * share
            piece.moved = piece.rallied = True
        if piece.wounds and reach >= distance:
            piece.x, piece.y = enemy.x, enemy.y + (0.5 if piece.side else -0.5)
            piece.charged = piece.moved = True
            if enemy.broken:
                if self.random.random() >= enemy.unit.rallies:
                    remove(enemy)
                    return
                enemy.broken = False
            piece.foe = enemy
            if enemy.foe is None:
                enemy.foe = piece

    def _fight(self) -> None:
        everybody = [piece for army in self.armies for piece in army]
        engaged = [piece for piece in everybody if piece.foe is not None]
        for piece in everybody:
            piece.lost = piece.dealt = 0
        for step in sorted({piece.unit.strikes_at for piece in engaged}, reverse=True):
            standing = {id(piece): piece.left for piece in everybody}
            for piece in engaged:
                foe = piece.foe
                assert foe is not None
                if piece.unit.strikes_at != step or not standing[id(piece)] or not standing[id(foe)]:
                    continue
                blows = self.battle.blows[piece.side][piece.number][foe.number]
                was_charged = foe.charged and foe.foe is piece
                attacks = blows.charging if piece.charged else blows.when_charged if was_charged else blows.fighting
                wounds = self._strike(attacks, standing[id(piece)], foe)
                foe.lost += wounds
                piece.dealt += wounds
        flights, crumbling = [], []
        for piece in engaged:
            foe = piece.foe
            assert foe is not None
            margin = piece.lost - piece.dealt + _bonus(foe) - _bonus(piece)
            if margin <= 0 or not piece.wounds or not foe.wounds:
                continue
            if piece.unit.crumbles:
                crumbling.append((piece, margin))
            stands = piece.unit.stands
            if stands:
                chance = stands[min(margin, len(stands)) - 1]
                if at_models(piece.unit.ranks, piece.left) > at_models(foe.unit.ranks, foe.left):
                    chance = piece.unit.steadfast
                if self.random.random() >= chance:
                    if piece.unit.dissolves is not None:
                        crumbling.append((piece, int(self._drawn(piece.unit.dissolves))))
                    else:
                        flights.append((piece, foe))
        for piece, margin in crumbling:
            wound(piece, margin)
        for piece, foe in flights:
            if not piece.wounds:
                continue
            if self.random.random() < self.battle.catches[foe.side][foe.number][piece.number]:
                remove(piece)
            else:
                self._break(piece)
        for piece in everybody:
            piece.charged = False
            foe = piece.foe
            if foe is None:
                continue
            held = self.terms.lasting and piece.unit.locks and foe.unit.locks
            if not held or not foe.wounds or foe.broken or not piece.wounds:
                piece.foe = None

    def _strike(self, attacks: Attacks, models: int, enemy: Piece) -> int:
        """Wounds taken by the enemy: slaying packets first, then ordinary wounds."""
        slays = wounds = 0
        for attack in attacks:
            for _ in range(min(max(models - attack.after, 0), attack.models)):
                slain, hurt = self._drawn_outcome(attack)
                slays += slain
                wounds += hurt
        before = sum(enemy.wounds)
        del enemy.wounds[:slays]
        wound(enemy, wounds)
        return before - sum(enemy.wounds)

    def _drawn_outcome(self, attack: Attack) -> tuple[int, int]:
        steps, results = self._outcomes(attack)
        return results[min(bisect(steps, self.random.random()), len(results) - 1)]

    def _outcomes(self, attack: Attack) -> tuple[list[float], list[tuple[int, int]]]:
        known = self.sums.get(id(attack))
        if known is None:
            cells: list[Any] = [(s, w) for s in range(attack.chances.shape[0]) for w in range(attack.chances.shape[1])]
            known = list(accumulate(float(attack.chances[cell]) for cell in cells)), cells
            self.sums[id(attack)] = known
        return known

    def _drawn(self, distribution: Distribution) -> float:
        steps = list(accumulate(float(p) for p in distribution.p))
        return float(distribution.low + min(bisect(steps, self.random.random()), len(steps) - 1))

    def _break(self, piece: Piece) -> None:
        piece.broken, piece.foe = True, None
        self._fall_back(piece)

    def _fall_back(self, piece: Piece) -> None:
        piece.y += self._drawn(piece.unit.flees) * (1 if piece.side else -1)
        if piece.y <= 0.0 or piece.y >= self.terms.depth:
            remove(piece)


def chargeable_of(enemies: tuple[Piece, ...]) -> list[bool]:
    screened = any(e.unit.screens and e.wounds and e.foe is None for e in enemies)
    return [not (enemy.unit.hides and screened) for enemy in enemies]


def wound(piece: Piece, wounds: int) -> None:
    for _ in range(wounds):
        if piece.wounds:
            piece.wounds[0] -= 1
            if not piece.wounds[0]:
                del piece.wounds[0]


def remove(piece: Piece) -> None:
    piece.wounds, piece.waiting, piece.foe, piece.broken = [], [], None, False


def distance_of(a: Piece, b: Piece) -> float:
    return hypot(a.x - b.x, a.y - b.y)


def _bonus(piece: Piece) -> int:
    return at_models(piece.unit.combat_bonus, piece.left) + (piece.unit.charge_bonus if piece.charged else 0)


def at_models(row: tuple[int, ...], models: int) -> int:
    return row[models] if models < len(row) else 0
