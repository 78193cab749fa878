"""What a form and a result say of the conditions of a matchup, in the words of its game."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import matchup_rules_of, words_of

SPECIAL_CASES = {
    Text("Special cases of shooting", "Особые случаи стрельбы"): (
        "models_covered",
        "units_covered",
        "gone_to_ground",
        "attacker_gone_to_ground",
        "models_in_cover",
        "focus_fire",
        "snap_shots",
        "defender_snap_shots",
        "characters_in_front",
        "nobody_looks_out",
        "popped_up",
        "jinks",
        "beside_vehicles",
        "engine_damage",
        "attacker_engine_damage",
        "cruising",
        "psychic_checks",
    ),
    Text("Special cases of close combat", "Особые случаи рукопашной"): (
        "frontage",
        "blows_at",
        "defended",
        "defender_standard",
        "defender_general",
        "challenge",
        "charge_from",
        "joined",
        "supporting",
        "defender_supporting",
        "mounted",
        "defender_mounted",
    ),
    Text("Magic and special terrain", "Магия и особая местность"): (
        "effect",
        "defender_effect",
        "spell",
        "power_dice",
        "dispel_dice",
        "dispel_level",
    ),
    Text("Reactions and turns", "Реакции и ходы"): ("reaction", "game_turn"),
}
"""Circumstances that most players leave as they are, by what they are about."""

QUIET = (None, False, 0, "open", "none", "nothing")
"""Values that a result does not repeat: nothing is stated, nothing is there."""


def described_conditions(system: str, conditions: Mapping[str, Any]) -> Iterator[Text]:
    """What a result repeats of its conditions, in the order in which the game asks for them."""
    words = words_of(system)
    for name in matchup_rules_of(system).CONDITIONS.__struct_fields__:
        value, condition = conditions.get(name), words.conditions[name]
        if value in QUIET:
            if value is False and condition.unsaid is not None:
                yield condition.unsaid
        elif value is True:
            yield condition.said
        else:
            shown = words.value(value)
            yield Text(condition.said.en.format(value=shown.en), condition.said.ru.format(value=shown.ru))
