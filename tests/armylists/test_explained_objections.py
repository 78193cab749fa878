"""A list with every forbidden unit of its data is answered: only the first objections say what stands behind them."""

import msgspec

from armybuilder.armylists.explaining import MOST_EXPLAINED, explanations_of_errors, objections
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.engine.findings import Points, Verdict
from tests.engine.roster.builders import Player, change, entry, make_library, when

FORBIDDEN = MOST_EXPLAINED + 5


def test_no_more_objections_than_these_say_what_would_allow_them() -> None:
    player = _forbidden_guards()
    told = [finding.message.en for _, finding in objections(player.library, player.state)]
    assert len(told) == FORBIDDEN
    assert sum("or take Leader" in message for message in told) == MOST_EXPLAINED
    assert told[-1].endswith("Remove it, or take what unlocks it.")


def test_no_more_objections_than_these_tell_the_chain_behind_them() -> None:
    player = _forbidden_guards()
    found = explanations_of_errors(_report_of(player))
    helping = [[repair.action for repair in one.explanation.repairs] for one in found]
    assert helping == [["add"]] * MOST_EXPLAINED + [["remove"]] * 5
    assert [one.explanation.name for one in found] == [f"Guard{number}" for number in range(FORBIDDEN)]


def _forbidden_guards() -> Player:
    """Guards whose leader was there when they were taken, and is not any more."""
    hides = change("set", "hidden", "true", when("equalTo", 0, "leader", "roster"))
    guards = [entry(f"guard{number}", modifiers=[hides]) for number in range(FORBIDDEN)]
    player = Player(make_library(entry("leader"), *guards))
    leader = player.take("leader")
    for guard in guards:
        player.take(guard["id"])
    player.drop(leader)
    return player


def _report_of(player: Player) -> ListReport:
    return ListReport(
        system="made-up",
        rule_pack=None,
        revision=1,
        verdict=Verdict.ILLEGAL,
        legal=False,
        unchecked=(),
        points=Points(total=0, limit=None),
        findings=(),
        state=player.state,
        library=player.library,
        objections=tuple(
            (error, ListFinding(**msgspec.structs.asdict(finding)))
            for error, finding in objections(player.library, player.state)
        ),
        army=None,
        places={},
        facts={},
    )
