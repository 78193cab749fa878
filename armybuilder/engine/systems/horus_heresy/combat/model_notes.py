"""Which special rules of a document are in the numbers, which roughly, and which not at all."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.special_rules import BLASTS, SPECIAL_RULES, is_gap
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, HeresyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.special_rules import SpecialRule

IN_PLAY: dict[str, dict[str, tuple[str, ...]]] = {
    "shooting": {"attacker": ("shooting",), "defender": ("defence", "shot_at", "nerve")},
    "melee": {"attacker": ("blows", "melee", "flames"), "defender": ("defence", "bulk", "flames")},
    "hammer_of_wrath": {"attacker": ("hammer_of_wrath",), "defender": ("defence",)},
    "ram": {"defender": ("defence", "nerve")},
    "combat_round": {
        "attacker": ("blows", "defence", "round", "flames"),
        "defender": ("blows", "defence", "round", "flames"),
    },
    "leadership_test": {"unit": ("test",)},
    "charge": {"unit": ("charge",)},
    "pursuit": {"winner": ("pursuit",), "loser": ("escape",)},
    "perils_of_the_warp": {"unit": ("perils",)},
}
"""By kind and side: where a rule has to count for the model of this kind to read it."""

SIDES = ("attacker", "defender", "unit", "winner", "loser")


def texts_of(side: Side) -> Iterator[str]:
    """Every special rule written anywhere in a side."""
    yield from side.rules
    for group in side.models:
        yield from group.rules
        for weapon in group.weapons:
            yield from weapon.rules


def unknown_rules(texts: Iterable[str]) -> tuple[str, ...]:
    """Those rules that no kind of simulation models, each once, as they are written."""
    return tuple(text for text in dict.fromkeys(texts) if is_gap(text))


def note_rules(matchup: HeresyMatchup, notes: ModelNotes) -> None:
    """Enter the rules of all sides and the readings in force into the notes."""
    notes.options.update(matchup.options.listed())
    for name in SIDES:
        side: Side | None = getattr(matchup, name)
        if side is not None:
            enemy = _facing(matchup, name)
            note_side(matchup.kind, name, side, () if enemy is None else (enemy,), notes)
            conditions = matchup.conditions_in_force
            if isinstance(conditions, AttackConditions) and conditions.answering is not None and name == "attacker":
                note_side("shooting", "attacker", conditions.answering, (side,), notes)
            if not (isinstance(conditions, AttackConditions) and conditions.game_turn):
                _note_daemons(side, notes)


def _note_daemons(side: Side, notes: ModelNotes) -> None:
    if any(group.is_a("daemon") for group in side.models):
        notes.assume(NOTES["strength_toughness_daemons_taken"])


def note_side(kind: str, name: str, side: Side, enemies: Sequence[Side], notes: ModelNotes) -> None:
    """Enter the rules of one side that fights with any of these enemies.

    Args:
        kind: of simulation; name: the part that the side plays in it, e.g. "attacker".
    """
    read_here = IN_PLAY[kind].get(name, ())
    scattered = _only_on_blasts(side)
    for text in texts_of(side):
        rule = SPECIAL_RULES.find(text)
        if rule is not None and rule.counts_in("allocation", "some_enemies"):
            _note_against(text, rule, {_against(rule, kind, name, side, enemy) for enemy in enemies}, notes)
        elif rule is not None and rule.counts_in(*read_here):
            _note_read(text, rule, text in scattered and kind == "shooting", notes)
        elif is_gap(text):
            notes.not_simulated.append(text)
    picks = kind == "combat_round" or (kind in ("shooting", "melee") and name == "attacker")
    if picks and any(g.type == "primarch" for g in side.models) and any(enemy.is_motley for enemy in enemies):
        _assume(SPECIAL_RULES.rules["precision strikes"].how, notes)


def _note_read(text: str, rule: SpecialRule, is_scattered: bool, notes: ModelNotes) -> None:
    """Enter a rule that the model reads: roughly, where its row says how and, if it is one of shots, they scatter."""
    if rule.how is not None and (rule.status == "approximated" or is_scattered):
        notes.approximate(text, rule.how)
        return
    notes.modelled.append(text)
    if rule.is_carried:
        notes.assume(
            Text(
                f"{text} works as in the published game; the rules text does not hold it.",
                f"«{text}» действует как в изданной игре; в тексте правил его нет.",
            )
        )


def _assume(words: Text | None, notes: ModelNotes) -> None:
    if words is not None:
        notes.assume(words)


def _only_on_blasts(side: Side) -> frozenset[str]:
    """Rules that stand on weapons with a blast marker and nowhere else in a side."""
    marked: set[str] = set()
    others: set[str] = {*side.rules, *(text for group in side.models for text in group.rules)}
    for group in side.models:
        for weapon in group.weapons:
            names = {SPECIAL_RULES.read(text).name for text in weapon.rules}
            (others if names.isdisjoint({*BLASTS, "barrage"}) else marked).update(weapon.rules)
    return frozenset(marked - others)


Noted = Literal["exactly", "roughly", "not"]


def _note_against(text: str, rule: SpecialRule, found: set[Noted | None], notes: ModelNotes) -> None:
    """Enter a rule that is not in the numbers against all enemies, or that does nothing to some."""
    if "not" in found:
        notes.not_simulated.append(text)
    elif "roughly" in found and rule.how is not None:
        notes.approximate(text, rule.how)
    elif "exactly" in found:
        notes.modelled.append(text)


def _against(rule: SpecialRule, kind: str, name: str, own: Side, enemy: Side) -> Noted | None:
    """How such a rule is in the numbers; None where it can do nothing to this enemy.

    Allocation needs models that differ (L3225-L3235, L3321), Rad-phage a model that survives a wound (L3245).
    """
    resolved = kind in ("shooting", "melee") and name == "attacker"
    fought = kind == "combat_round"
    if not resolved and not fought:
        return None
    concerned, counted = False, False
    if rule.id == "shock pulse":
        concerned, counted = enemy.is_a_machine, resolved
    elif rule.id == "rad-phage":
        concerned, counted = enemy.may_be_hurt, resolved or not enemy.makes_checks
    elif rule.id in ("precision shots", "sniper"):
        concerned, counted = enemy.is_motley and kind == "shooting", True
    elif rule.id == "precision strikes":
        concerned, counted = enemy.is_motley and kind != "shooting", resolved or not enemy.makes_checks
    elif rule.id == "duellist's edge":
        concerned, counted = fought and enemy.has_character, own.is_lone_character and enemy.is_lone_character
    if not concerned:
        return None
    return "not" if not counted else "roughly" if rule.status == "approximated" else "exactly"


def _facing(matchup: HeresyMatchup, name: str) -> Side | None:
    """The side that the rules of this one are used on."""
    other = {"attacker": "defender", "defender": "attacker", "winner": "loser", "loser": "winner"}.get(name)
    found: Side | None = getattr(matchup, other) if other is not None else None
    return found
