"""What every answer promises, whatever the game."""

from typing import Any

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import simulate


def test_a_rule_stands_in_one_list_only() -> None:
    """Terror is exact as far as it is fear and rough beyond: it is approximated, and nothing else."""
    profile = {"WS": 4, "S": 3, "T": 3, "I": 4, "A": 1, "Ld": 7}

    def side(*rules: str) -> dict[str, Any]:
        return {"models": [{"name": "Models", "count": 10, "profile": profile, "rules": list(rules)}], "width": 5}

    sides = {"attacker": side("Terror", "Hatred"), "defender": side("Strange", "Strange")}
    answer = simulate(parse_matchup({"system": "fantasy-8th", "kind": "melee", **sides}))
    assert answer.modelled == ("Hatred",)
    assert {item.rule for item in answer.approximated} == {"Terror"}
    assert answer.not_simulated == ("Strange",)
