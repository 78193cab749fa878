"""Which special rules of a document made from lists are in the numbers, which roughly, and which not at all."""

from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.matchup import Wh40kMatchup
from armybuilder.engine.systems.wh40k_6th.special_rules import HOW_MARKERS_HIT, RANDOM_ALLOCATION, REROLLS, marker


def note_rules(engagement: Wh40kMatchup, basis: ModelNotes) -> None:
    """Enter the rules of both sides, and how the document was made of lists, into the basis."""
    attacker, defender = engagement.attacker, engagement.defender
    assert attacker is not None and defender is not None  # documents of pairs have both
    basis.options.update({name: getattr(engagement.options, name) for name in engagement.options.__struct_fields__})
    for group in attacker.models:
        for weapon in group.weapons:
            for rule in (*attacker.rules, *group.rules, *weapon.rules):
                if rule.strip().casefold() in (*REROLLS, *RANDOM_ALLOCATION):
                    basis.modelled.append(rule)
                elif marker(rule) is not None:
                    basis.approximate(rule, HOW_MARKERS_HIT.en, HOW_MARKERS_HIT.ru)
                else:
                    basis.not_simulated.append(rule)
    basis.not_simulated += [*defender.rules, *(rule for group in defender.models for rule in group.rules)]
    basis.assume(
        "Rapid fire gives two shots within half range; salvo and the number of weapons that a model fires are those of "
        "the published game.",
        "Скорострельное оружие стреляет дважды на половине дальности; залповое оружие и число стволов, из которых "
        "стреляет модель, – как в изданной игре.",
    )
    if defender.models and not defender.models[0].is_character:
        basis.assume(
            "Ordinary models stand nearest, characters last.",
            "Ближе всех стоят обычные модели, персонажи – последними.",
        )
    basis.assume(
        "Wounds of different weapons are resolved in the order of the list.",
        "Ранения от разного оружия разыгрываются в порядке списка.",
    )
    basis.assume(
        "Vehicles and buildings shoot but are no targets: the rules text does not say how they are damaged.",
        "Техника и здания стреляют, но целями не бывают: в тексте правил нет повреждений техники.",
    )
