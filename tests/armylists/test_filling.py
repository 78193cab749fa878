"""Minimums of the data that fill themselves, in a stored list: what an edit makes them ask for comes with it."""

from itertools import count

from armybuilder.armylists import edits as e
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.editing import Draft
from tests.engine.roster.builders import Player, change, entry, limit, make_library, when


def test_what_an_edit_asks_for_comes_with_it() -> None:
    grows = change("set", "need", 2, when("atLeast", 1, "banner"))
    guard = entry("guard", constraints=[limit("need", "min", 0, automatic=True)], modifiers=[grows])
    player = Player(make_library(entry("unit", selectionEntries=[guard]), entry("banner")))
    player.take("unit")
    numbers = count(100)
    draft = Draft(
        library=player.library,
        rule_pack="",
        document=ListDocument(roster=player.roster),
        points_limit=None,
        new_id=lambda: f"n{next(numbers)}",
    )
    draft.apply([e.AddUnit(force_id=player.force_id, entry_id="banner")])
    (unit, banner) = draft.document.roster.forces[0].selections
    assert [(one.entry_id, one.amount) for one in unit.selections] == [("guard", 2)]
    assert banner.entry_id == "banner"
    assert [done.en for done in draft.done] == ["Added Banner to Patrol"]
