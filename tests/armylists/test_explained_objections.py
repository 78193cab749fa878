"""A list with every forbidden unit of its data is answered: only the first objections say what would allow them."""

from armybuilder.armylists.explaining import MOST_EXPLAINED, objections
from tests.engine.roster.builders import Player, change, entry, make_library, when


def test_no_more_objections_than_these_are_explained() -> None:
    hides = change("set", "hidden", "true", when("equalTo", 0, "leader", "roster"))
    guards = [entry(f"guard{number}", modifiers=[hides]) for number in range(MOST_EXPLAINED + 5)]
    player = Player(make_library(entry("leader"), *guards))
    leader = player.take("leader")
    for guard in guards:
        player.take(guard["id"])
    player.drop(leader)
    told = [finding.message.en for _, finding in objections(player.library, player.state)]
    assert len(told) == MOST_EXPLAINED + 5
    assert sum("or take Leader" in message for message in told) == MOST_EXPLAINED
    assert told[-1].endswith("Remove it, or take what unlocks it.")
