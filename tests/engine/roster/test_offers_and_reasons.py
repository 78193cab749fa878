"""What is offered, and why something is hidden, full or needed."""

import pytest

from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.edits import UnknownNode, customise
from armybuilder.engine.roster.explain import Reason, data_findings, explain_error, why
from tests.engine.roster.builders import Data, Player, change, entry, group, limit, link, make_library, repeat, when


def by_name(player: Player, node_id: str) -> dict[str, Offer | OfferGroup]:
    return {row.name: row for row in offers(player.library, player.state, node_id=node_id)}


def test_offers_of_a_force_say_price_limits_and_what_is_taken() -> None:
    library = make_library(
        entry("a", type="unit", pts=50, category="hq", least=1, most=2),
        entry("b", category="fast"),
        entry("c", hidden=True),
    )
    player = Player(library)
    rows = by_name(player, player.force_id)
    assert list(rows) == ["A", "C"]
    a = rows["A"]
    assert isinstance(a, Offer)
    assert (a.entry_id, a.type, a.cost("pts"), a.minimum, a.maximum, a.room) == ("a", "unit", 50, 1, 2, 1)
    assert (a.current, a.category_id, a.instanced, a.available) == (1, "hq", True, True)
    assert a.selection_ids == (player.created["a"],)
    player.take("a")
    full = by_name(player, player.force_id)["A"]
    assert isinstance(full, Offer)
    assert (full.room, full.available) == (0, False)
    hidden = rows["C"]
    assert isinstance(hidden, Offer)
    assert (hidden.hidden, hidden.available, hidden.category_id) == (True, False, "(No Category)")


def test_groups_of_one_name_are_told_apart_by_their_books() -> None:
    """A season's book adds a second "Artefacts" beside that of the army's own book."""
    books = [{"id": "own", "name": "Army Book"}, {"id": "season", "name": "Winter"}]

    def artefacts(key: str, book: str | None, **fields: object) -> Data:
        return group(key, entry(f"{key}-ring")) | {"name": "Artefacts", "publicationId": book, **fields}

    hero = entry(
        "hero",
        selectionEntryGroups=[artefacts("a", "own"), artefacts("b", "season"), artefacts("c", None)],
    )
    alone = entry(
        "squire",
        selectionEntryGroups=[
            artefacts("d", "own"),
            artefacts("e", "season", hidden=True),  # not in play: nothing to tell apart
            group("f", entry("f-ring")) | {"name": "Steeds", "publicationId": "own"},
            group("g", entry("g-ring")) | {"name": "Steeds", "publicationId": "own"},  # their book tells nothing
        ],
    )
    player = Player(make_library(hero, alone, catalogue={"publications": books}))
    assert list(by_name(player, player.take("hero"))) == ["Artefacts (Army Book)", "Artefacts (Winter)", "Artefacts"]
    squire = player.take("squire")
    names = [row.name for row in offers(player.library, player.state, node_id=squire)]
    assert sorted(names) == ["Artefacts", "Artefacts", "Steeds", "Steeds"]


def test_groups_hold_their_offers_and_name_their_default() -> None:
    shared = {"sharedSelectionEntries": [entry("rifle", pts=3, collective=True)]}
    arms = group("arms", entry("knife"), link("to", "rifle"), least=1, most=1, defaultSelectionEntryId="to")
    player = Player(make_library(entry("man", selectionEntryGroups=[arms]), catalogue=shared))
    man = player.take("man")
    (row,) = offers(player.library, player.state, node_id=man)
    assert isinstance(row, OfferGroup)
    assert (row.minimum, row.maximum, row.current, row.default_id, row.radio) == (1, 1, 1, "to::rifle", True)
    assert [(offer.name, offer.current) for offer in row.offers] == [("Knife", 0), ("Rifle", 1)]


def test_room_counts_limits_in_every_scope() -> None:
    unique = entry("relic", constraints=[limit("one", "max", 1, "roster", includeChildSelections=True)])
    player = Player(make_library(entry("man", selectionEntries=[unique])))
    player.take("relic", player.take("man"))
    second = player.take("man")
    (row,) = offers(player.library, player.state, node_id=second)
    assert isinstance(row, Offer)
    assert (row.current, row.maximum, row.room, row.available) == (0, None, 0, False)


def test_offers_of_nobody() -> None:
    player = Player(make_library(entry("a")))
    with pytest.raises(UnknownNode):
        offers(player.library, player.state, node_id="nobody")


def test_a_unit_that_cannot_be_without_what_is_hidden_is_not_offered_as_free() -> None:
    """Its models belong to a campaign that the army does not fight: with them and without them it has an error."""
    hides = change("set", "hidden", "true", when("equalTo", 0, "campaign", "roster"))
    models = entry("daemon", type="model", least=1, modifiers=[hides])
    library = make_library(entry("campaign"), entry("horde", type="unit", selectionEntries=[models]))
    player = Player(library)
    horde = by_name(player, player.force_id)["Horde"]
    assert isinstance(horde, Offer)
    assert (horde.hidden, horde.barred, horde.available) == (False, True, False)
    found = why(library, player.state, node_id=player.force_id, entry_id="horde")
    assert (found.blocked, [reason.kind for reason in found.reasons]) == (True, ["hidden"])
    player.take("horde")
    assert [error.kind for error in player.state.errors] == ["hidden"]
    player.take("campaign")
    assert player.state.errors == ()
    free = by_name(player, player.force_id)["Horde"]
    assert isinstance(free, Offer)
    assert free.available
    assert not why(library, player.state, node_id=player.force_id, entry_id="horde").blocked


@pytest.mark.parametrize("first", ["squadron", "tank"])
def test_what_bars_a_unit_is_found_whichever_of_a_circle_is_asked_first(first: str) -> None:
    """A squadron begins with a tank and a badge in a box; the tank begins with a squadron."""
    hides = change("set", "hidden", "true", when("equalTo", 0, "campaign", "roster"))
    box = entry("box", least=1, selectionEntries=[entry("badge", least=1, modifiers=[hides])])
    squadron = entry("squadron", type="unit", entryLinks=[link("l1", "tank", least=1)], selectionEntries=[box])
    tank = entry("tank", type="unit", entryLinks=[link("l2", "squadron", least=1)])
    roots = [link(f"root-{name}", name) for name in sorted(("squadron", "tank"), key=lambda name: name != first)]
    library = make_library(entry("campaign"), *roots, catalogue={"sharedSelectionEntries": [squadron, tank]})
    player = Player(library)
    assert [by_name(player, player.force_id)[name].barred for name in ("Squadron", "Tank")] == [True, True]  # type: ignore[union-attr]


@pytest.mark.parametrize("is_in_a_group", [False, True])
def test_what_bars_a_unit_may_stand_deeper_in_it(is_in_a_group: bool) -> None:
    """A tank that must lead the army, where an ally leads nothing; and one of whose engines none may be chosen."""
    hides = change("set", "hidden", "true", when("equalTo", 0, "campaign", "roster"))
    badge = entry("badge", least=0 if is_in_a_group else 1, modifiers=[hides])
    below: Data = {"selectionEntries": [badge]}
    if is_in_a_group:
        below = {"selectionEntryGroups": [group("badges", badge, entry("other", modifiers=[hides]), least=1, most=1)]}
    tank = entry("tank", type="model", least=1, **below)
    library = make_library(entry("campaign"), entry("squadron", type="unit", selectionEntries=[tank]))
    player = Player(library)
    offer = by_name(player, player.force_id)["Squadron"]
    assert isinstance(offer, Offer)
    assert (offer.hidden, offer.barred, offer.available) == (False, True, False)
    found = why(library, player.state, node_id=player.force_id, entry_id="squadron")
    assert (found.blocked, [reason.kind for reason in found.reasons]) == (True, ["hidden"])
    assert found.reasons[0].text.en == "Badge is hidden by a condition."
    player.take("squadron")
    assert player.state.errors
    player.take("campaign")
    free = by_name(player, player.force_id)["Squadron"]
    assert isinstance(free, Offer)
    assert free.available


def flat(reasons: tuple[Reason, ...]) -> list[str]:
    return [text for reason in reasons for text in (reason.text.en, *flat(reason.reasons))]


HIDES = change("set", "hidden", "true", when("equalTo", 0, "lord", "roster"))
SHOWS = change("set", "hidden", "false", when("atLeast", 2, "lord"))
OTHER = [when("atLeast", 1, "other"), when("notInstanceOf", 1, "allied", "force")]
ANY = change("set", "hidden", "true", conditionGroups=[{"type": "or", "conditions": OTHER}])


@pytest.mark.parametrize(
    ("case", "fields", "words", "repairs"),
    [
        ("hidden by a condition", {"modifiers": [HIDES]},
         ["A is hidden by a condition.", "Hidden when:", "exactly 0 of Lord in the whole list: you have 0"],
         ["Add 1 × Lord in the whole list."]),
        ("hidden until shown", {"modifiers": [SHOWS], "hidden": True},
         ["A is hidden unless the data unlocks it.", "Shown when:", "at least 2 of Lord in Patrol: you have 0"],
         ["Add 2 × Lord in Patrol."]),
        ("one of several conditions", {"modifiers": [ANY]},
         ["A is hidden by a condition.", "Hidden when:", "any of:", "at least 1 of Other in Patrol: you have 0",
          "Patrol is not allied"], []),
        ("a maximum of 0", {"most": 0}, ["At most 0 of A in Patrol; there are 0."], []),
        ("a minimum of a price", {"constraints": [limit("m", "min", 2, "force", field="pts")], "pts": 0},
         ["At least 2 of A in Patrol; there are 0."], ["Take more of A."]),
        ("nothing in the way", {}, [], []),
    ],
)  # fmt: skip
def test_why(case: str, fields: Data, words: list[str], repairs: list[str]) -> None:
    player = Player(make_library(entry("a", **fields), entry("lord"), entry("other")))
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert flat(explanation.reasons) == words, case
    assert [repair.text.en for repair in explanation.repairs] == repairs, case
    assert explanation.blocked is (bool(words) and not case.startswith("a minimum")), case


@pytest.mark.parametrize(
    ("case", "most", "repair"),
    [
        ("a number", limit("m", "max", 1, "force"), "Remove 3 of A."),
        ("none at all", limit("m", "max", 0, "force"), "Remove 4 of A."),
        ("a price", limit("m", "max", 20, "force", field="pts"), "Remove 1 of A."),
        ("a share", limit("m", "max", 50, "roster", field="pts", percentValue=True), "Remove 1 of A."),
    ],
)
def test_what_is_too_much_is_not_taken_away_more_often_than_it_is_there(case: str, most: Data, repair: str) -> None:
    player = Player(make_library(entry("a", pts=10, constraints=[most])))
    player.amount(player.take("a"), 4)
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert [one.text.en for one in explanation.repairs] == [repair], case


def test_so_many_are_to_come_as_a_minimum_lacks() -> None:
    player = Player(make_library(entry("a", least=3)))
    for taken in player.state.forces[0].selections:
        player.drop(taken.id)
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert [one.text.en for one in explanation.repairs] == ["Add 3 more of A."]


def test_a_repair_that_can_be_done_names_where_and_what() -> None:
    player = Player(make_library(entry("a", modifiers=[HIDES]), entry("lord")))
    (repair,) = why(player.library, player.state, node_id=player.force_id, entry_id="a").repairs
    assert (repair.action, repair.node_id, repair.entry_id, repair.count) == ("add", player.force_id, "lord", 1)
    player.take(repair.entry_id or "", repair.node_id)
    assert not why(player.library, player.state, node_id=player.force_id, entry_id="a").blocked


def test_why_of_a_maximum_that_modifiers_make() -> None:
    grows = change("increment", "c", 1, repeats=[repeat(1, "lord")])
    player = Player(make_library(entry("a", constraints=[limit("c", "max", 0)], modifiers=[grows]), entry("lord")))
    player.take("lord")
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert flat(explanation.reasons) == [
        "At most 1 of A in Patrol; there are 0.",
        "The limit + 1 when:",
        "for each Lord in Patrol",
    ]
    assert not explanation.blocked


def test_why_of_an_entry_in_a_full_group() -> None:
    arms = group("arms", entry("knife"), entry("club"), most=1)
    player = Player(make_library(entry("man", selectionEntryGroups=[arms])))
    man = player.take("man")
    player.take("knife", man)
    explanation = why(player.library, player.state, node_id=man, entry_id="club")
    assert explanation.blocked
    assert flat(explanation.reasons) == ["At most 1 of Arms in Man; there are 1."]


@pytest.mark.parametrize(
    ("case", "entries", "taken", "rule", "at", "message"),
    [
        ("minimum", [entry("a", category="hq", least=1)], 0, "BS-01", "/forces/0",
         "Patrol: A – 0 taken, at least 1 needed. Add 1 more."),
        ("maximum", [entry("a", most=1)], 2, "BS-02", "/forces/0/selections/0",
         "A – 2 taken, at most 1 allowed. Remove 1."),
        ("hidden", [entry("a", hidden=True)], 1, "BS-03", "/forces/0/selections/0",
         "A is not available in this list as it stands. Remove it, or take what unlocks it."),
        ("limit", [entry("a", pts=11)], 1, "BS-04", None, "The list costs 11 pts, the limit is 10. Remove 1 pts."),
        ("loop", [entry("a", pts=1, modifiers=[change("increment", "pts", 1, repeats=[repeat(1, "a", field="pts")])])],
         1, "BS-06", "/forces/0/selections/0",
         "A: the data makes this cost depend on itself; its base cost is counted."),
    ],
)  # fmt: skip
def test_finding(case: str, entries: list[Data], taken: int, rule: str, at: str | None, message: str) -> None:
    player = Player(make_library(*entries))
    while selections := player.state.forces[0].selections:
        player.drop(selections[0].id)
    for _ in range(taken):
        player.take("a")
    player.limit(10)
    (finding,) = data_findings(player.state)
    assert (finding.rule, finding.at, finding.message.en, finding.origin) == (rule, at, message, "data"), case
    assert finding.message.ru != finding.message.en


def test_a_finding_calls_a_unit_by_the_players_name_for_it() -> None:
    player = Player(make_library(entry("a", hidden=True)))
    chosen = player.take("a")
    player.roster = customise(player.roster, node_id=chosen, name="Old Bob").roster
    (finding,) = data_findings(player.state)
    assert finding.message.en.startswith("Old Bob: ")


def test_an_error_has_the_chain_behind_it() -> None:
    player = Player(make_library(entry("a", category="hq", modifiers=[HIDES]), entry("lord")))
    player.take("a")
    (error,) = player.state.errors
    explanation = explain_error(player.library, player.state, error)
    assert explanation is not None
    assert [repair.text.ru for repair in explanation.repairs] == ["Добавьте 1 × Lord во всём ростере."]


def _slots(**fields: object) -> Data:
    """A Patrol whose HQ slot has a limit of its own."""
    hq = {"id": "patrol-hq", "targetId": "hq", **fields}
    return {"forceEntries": [{"id": "patrol", "name": "Patrol", "categoryLinks": [hq]}]}


def test_a_full_slot_is_explained_with_what_made_it_so_small() -> None:
    shrinks = change("set", "hq-max", 1, when("atLeast", 1, "lord", includeChildSelections=True))
    slots = _slots(constraints=[limit("hq-max", "max", 3)], modifiers=[shrinks])
    player = Player(make_library(entry("lord", category="hq"), entry("hero", category="hq"), system=slots))
    player.take("lord")
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="hero")
    chain = [
        "At most 1 of HQ in Patrol; there are 1.",
        "The limit is 1 when:",
        "at least 1 of Lord in Patrol: you have 1",
    ]
    assert (flat(explanation.reasons), explanation.blocked, explanation.repairs) == (chain, True, ())
    hero = player.take("hero")
    (error,) = player.state.errors
    behind = explain_error(player.library, player.state, error)
    assert behind is not None
    assert flat(behind.reasons) == ["At most 1 of HQ in Patrol; there are 2.", *chain[1:]]
    assert [(repair.node_id == hero, repair.text.en) for repair in behind.repairs] == [
        (True, "Remove 1 of Hero."),
        (False, "Remove 1 of Lord."),
    ]


def test_an_empty_slot_is_explained_with_what_made_it_ask() -> None:
    asks = change("increment", "hq-min", 1, when("atLeast", 1, "lord"))
    slots = _slots(constraints=[limit("hq-min", "min", 0)], modifiers=[asks])
    player = Player(make_library(entry("lord"), system=slots))
    player.take("lord")
    (error,) = player.state.errors
    behind = explain_error(player.library, player.state, error)
    assert behind is not None
    assert flat(behind.reasons)[:2] == ["At least 1 of HQ in Patrol; there are 0.", "The limit + 1 when:"]
    assert [(repair.action, repair.node_id, repair.text.en) for repair in behind.repairs] == [
        ("add", player.force_id, "Add 1 more of HQ.")
    ]


def test_a_limit_of_detachments_is_explained() -> None:
    more = change("increment", "one", 1, when("atLeast", 2, "lord", "roster"))
    patrol = {"id": "patrol", "name": "Patrol", "constraints": [limit("one", "max", 1, "roster", field="forces")]}
    player = Player(make_library(entry("lord"), system={"forceEntries": [{**patrol, "modifiers": [more]}]}))
    player.add_force()
    behind = explain_error(player.library, player.state, player.state.errors[0])
    assert behind is not None
    assert flat(behind.reasons) == [
        "At most 1 of Patrol in the whole list; there are 2.",
        "The limit + 1 when:",
        "at least 2 of Lord in the whole list: you have 0",
    ]


def test_what_the_data_says_is_explained() -> None:
    said = change("add", "error", "No!", when("atLeast", 1, "lord"))
    player = Player(make_library(entry("a", modifiers=[said]), entry("lord")))
    player.take("a")
    player.take("lord")
    (error,) = player.state.errors
    behind = explain_error(player.library, player.state, error)
    assert behind is not None
    assert (flat(behind.reasons), behind.blocked) == (["Said when:", "at least 1 of Lord in Patrol: you have 1"], True)


@pytest.mark.parametrize(
    ("case", "group_", "words"),
    [
        ("comparison", {"type": "greater", "conditions": [when("atLeast", 1, "lord"), when("atLeast", 1, "other")]},
         ["each number more than the next:", "at least 1 of Lord in Patrol: you have 1",
          "at least 1 of Other in Patrol: you have 0"]),
        ("count", {"type": "count", "min": "1", "conditions": [when("atLeast", 1, "lord")]},
         ["at least 1 of:", "at least 1 of Lord in Patrol: you have 1"]),
        ("always", {"type": "and", "conditions": [{"type": "always", "value": 0}]}, ["all of:", "always"]),
    ],
)  # fmt: skip
def test_chains_of_groups_that_calculate(case: str, group_: Data, words: list[str]) -> None:
    hides = change("set", "hidden", "true", conditionGroups=[group_])
    player = Player(make_library(entry("a", modifiers=[hides]), entry("lord"), entry("other")))
    player.take("lord")
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert flat(explanation.reasons) == ["A is hidden by a condition.", "Hidden when:", *words], case


def test_the_chain_of_a_local_group() -> None:
    same = when("instanceOf", 1, "lord", "self")
    local = {"type": "atLeast", "value": 1, "scope": "force", "childId": "lord", "conditions": [same]}
    hides = change("set", "hidden", "true", localConditionGroups=[local])
    player = Player(make_library(entry("a", modifiers=[hides]), entry("lord")))
    player.take("lord")
    explanation = why(player.library, player.state, node_id=player.force_id, entry_id="a")
    assert flat(explanation.reasons)[2:] == [
        "at least 1 of Lord in Patrol for which all is true (there are 1):",
        "it is Lord",
    ]


def test_a_chain_names_modifiers_that_stand_elsewhere() -> None:
    hides = change(
        "set", "hidden", "true", when("atLeast", 1, "gun", "parent"), scope="parent", affects="self.entries.gun"
    )
    shrinks = change("set", "man-max", 1, scope="parent", affects="self.entries.man")
    man, gun = entry("man", most=3), entry("gun")
    unit = entry("unit", selectionEntries=[man, gun, entry("curse", modifiers=[hides, shrinks])])
    player = Player(make_library(unit))
    chosen = player.take("unit")
    for entry_id in ("man", "gun", "curse"):
        player.take(entry_id, chosen)
    assert flat(why(player.library, player.state, node_id=chosen, entry_id="gun").reasons) == [
        "Gun is hidden by a condition.",
        "Hidden when:",
        "at least 1 of Gun in Unit: you have 1",
    ]
    assert flat(why(player.library, player.state, node_id=chosen, entry_id="man").reasons) == [
        "At most 1 of Man in Unit; there are 1.",
        "The limit is 1.",
    ]
