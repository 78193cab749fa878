"""Which special rules of a document made from lists are in the numbers, which roughly, and which not at all."""

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.combat.note_words import NOTES
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import find
from armybuilder.engine.systems.wh40k_6th.matchup import Wh40kMatchup

CODEX_WARGEAR = "codex wargear"
"""The mark of weapons that the data does not name."""

CODEX_CHARACTERISTICS = "codex characteristics"
"""The mark of models of which the data has no row."""


def note_rules(matchup: Wh40kMatchup, notes: ModelNotes) -> None:
    """Enter the rules of both sides, and how the document was made of lists, into the notes."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # documents of pairs have both
    notes.options.update({name: getattr(matchup.options, name) for name in matchup.options.__struct_fields__})
    shooting = [(group.name, group.rules) for group in attacker.models]
    shot_at = [(group.name, group.rules) for group in defender.models]
    for name, rules in (*shooting, *shot_at):
        if any((rule := find(text)) is not None and rule.id == CODEX_CHARACTERISTICS for text in rules):
            words = NOTES["codex_characteristics"]
            notes.assume(Text(en=words.en.format(unit=name), ru=words.ru.format(unit=name)))
    for group in attacker.models:
        for weapon in group.weapons:
            for text in (*attacker.rules, *group.rules, *weapon.rules):
                rule = find(text)
                if rule is not None and rule.id == CODEX_WARGEAR:
                    words = NOTES["codex_wargear"]
                    named = {"name": weapon.name, "unit": group.name}
                    notes.assume(Text(en=words.en.format(**named), ru=words.ru.format(**named)))
                elif rule is None or not rule.is_in_figures:
                    notes.not_simulated.append(text)
                elif rule.how is not None:
                    notes.approximate(text, rule.how)
                else:
                    notes.modelled.append(text)
    notes.not_simulated += [*defender.rules, *(rule for group in defender.models for rule in group.rules)]
    notes.assume(NOTES["rapid_fire_gives"])
    if defender.models and not defender.models[0].is_character:
        notes.assume(NOTES["ordinary_models_stand"])
    notes.assume(NOTES["wounds_different_weapons"])
    notes.assume(NOTES["vehicles_buildings_shoot"])
    if attacker.moved:
        notes.assume(NOTES["vehicle_moved"])
