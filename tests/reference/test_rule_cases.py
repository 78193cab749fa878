"""Every rule has a document that breaks it, and the command finds it there."""

import io
import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.reference.rule_cases import FILE_NAME, rule_case

NEEDS_A_STORED_LIST = {
    "epic": {f"EPL-0{number}" for number in range(1, 10)},
    "fantasy-8th": {"WFX-02", "WFX-03", "WFX-04"},
}
"""Rules about what an army list offers, which no document says."""


def has_a_case(system: str, rule: str) -> bool:
    """Whether a document can break a rule."""
    return rule not in NEEDS_A_STORED_LIST.get(system, ()) and LIST_RULES[system].rules.rules[rule].told_only is None


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    """What the command answers to the cases of each game, by rule."""
    found = {}
    for system in LIST_RULES:
        out = io.StringIO()
        with pytest.raises(SystemExit):
            call_command(
                "check", "--jsonl", str(settings.BASE_DIR / "fixtures" / system / FILE_NAME), stdout=out, stderr=out
            )
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        found[system] = {line["id"]: line for line in lines}
    return found


@pytest.mark.parametrize("system", LIST_RULES)
def test_every_rule_that_a_document_can_break_has_its_case(system: str, answers: dict[str, dict[str, Any]]) -> None:
    needed = [rule for rule in LIST_RULES[system].rules.rules if has_a_case(system, rule)]
    assert list(answers[system]) == needed


@pytest.mark.parametrize("system", LIST_RULES)
def test_a_rule_fires_through_the_command(system: str, answers: dict[str, dict[str, Any]]) -> None:
    for rule, answer in answers[system].items():
        found = {finding["rule"]: finding for finding in answer["findings"]}
        assert rule in found, rule
        assert found[rule]["source"] == LIST_RULES[system].rules.rules[rule].source, rule
        assert not any(mark in text for text in found[rule]["message"].values() for mark in "{}"), rule
        if any(finding["severity"] == "error" for finding in answer["findings"]):
            assert answer["legal"] is False, rule


def test_rules_that_nothing_can_break_say_so() -> None:
    told = {rule for rules in LIST_RULES.values() for rule, row in rules.rules.rules.items() if row.told_only}
    assert told == {"WF-31", "WF-53", "WF-62"}


def test_a_case_says_what_the_rule_finds_in_it() -> None:
    case = rule_case("horus-heresy", "HH-04")
    assert case is not None
    assert [finding.rule for finding in case.fired] == ["HH-04"]
    assert case.document["id"] == "HH-04"


def test_a_rule_about_stored_lists_has_no_case() -> None:
    assert rule_case("epic", "EPL-01") is None
    assert rule_case("no-such-game", "X-1") is None
