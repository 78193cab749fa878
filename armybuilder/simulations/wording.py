"""What a form and a result say of the conditions of a matchup, in the words of its game."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import matchup_rules_of, words_of

QUIET = (None, False, 0, "open", "none", "nothing")
"""Values that a result does not repeat: nothing is stated, nothing is there."""


def described_conditions(system: str, conditions: Mapping[str, Any]) -> Iterator[Text]:
    """What a result repeats of its conditions, in the order in which the game asks for them."""
    words = words_of(system)
    for name in matchup_rules_of(system).conditions.__struct_fields__:
        value, condition = conditions.get(name), words.conditions[name]
        if value in QUIET:
            if value is False and condition.negated is not None:
                yield condition.negated
        elif value is True:
            yield condition.described
        else:
            shown = words.value(value)
            yield Text(condition.described.en.format(value=shown.en), condition.described.ru.format(value=shown.ru))
