"""Whole battles, army against army, sampled: positions, movement, ranges, cover, target choice, charges, nerve.

Knows units, distances and chances, not games: a game's module `battle` supplies them (`systems/battles.py`).
docs/battles.md describes the model for players.

- `forces`: what is known before the battle: units, their attacks on each enemy, the terms they meet on.
- `outcomes`: for games that put the chances of one model together themselves.
- `odds`: outcomes of attacks as tables that are drawn from in constant time.
- `plans`: what each unit wants: its targets in order, the distance it keeps, whom it charges.
- `ground`: what changes during the battle, for a block of trials at once.
- `reserves`: who comes to the table during the battle, and who gets out of a transport.
- `movement`, `shooting`, `close_combat`, `nerve`: the phases of a turn.
- `markers`, `formations`, `result_rolls`: blast markers, and the turns and assaults of games that have them.
- `chronicle`: what is counted: whole numbers only, so that parts add up to the same whole in any order.
- `play`: turns, blocks of trials, the outcome.
"""
