"""What stands behind a refusal, in a player's words."""

import pytest

from armybuilder.armylists.plain_reasons import allowed_with, may_grow, plain_words
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.explain import Explanation
from armybuilder.engine.roster.reasons import Reason


def condition(wants: str, name: str, *, holds: bool, number: float = 1, have: float = 0) -> Reason:
    text = Text(f"{wants} {name}", f"{wants} {name}")
    return Reason(kind="condition", text=text, holds=holds, wants=wants, name=name, number=number, have=have)


def put(kind: str, *reasons: Reason, holds: bool, wants: str = "") -> Reason:
    return Reason(kind=kind, text=Text(kind, kind), holds=holds, wants=wants, reasons=reasons)


def said(*reasons: Reason) -> tuple[str, ...]:
    found = Explanation(entry_id="x", name="X", blocked=True, reasons=reasons, repairs=())
    return tuple(text.en for text in plain_words(found))


def hidden(*modifiers: Reason) -> Reason:
    return put("hidden", *modifiers, holds=True)


TRAITOR = condition("some", "Traitor:", holds=False)
NO_TRAITOR = condition("none", "Traitor", holds=True)
FISTS = condition("some", "Chapter Tactics: Imperial Fists", holds=False)


@pytest.mark.parametrize(
    ("modifier", "expected"),
    [
        (put("modifier", TRAITOR, holds=False, wants="show"), "Only for Traitors"),
        (put("modifier", NO_TRAITOR, holds=True, wants="hide"), "Only for Traitors"),
        (put("modifier", FISTS, holds=False, wants="show"), "Needs Chapter Tactics: Imperial Fists"),
        (put("modifier", TRAITOR, FISTS, holds=False, wants="show"), "Needs Traitors; Chapter Tactics: Imperial Fists"),
        (
            put("modifier", put("any", TRAITOR, FISTS, holds=False), holds=False, wants="show"),
            "Needs Traitors or Chapter Tactics: Imperial Fists",
        ),
        (
            put("modifier", put("any", NO_TRAITOR, NO_TRAITOR, holds=True), holds=True, wants="hide"),
            "Only for Traitors",
        ),
        (put("modifier", condition("some", "Rite", holds=True, have=1), holds=True, wants="hide"),
         "Not together with Rite"),
        (put("modifier", condition("not-kind", "Allied Detachment", holds=True), holds=True, wants="hide"),
         "Only in: Allied Detachment"),
        (put("modifier", condition("some", "Troops", holds=False, number=3, have=1), holds=False, wants="show"),
         "Needs 2 × Troops"),
    ],
)  # fmt: skip
def test_conditions_are_told_by_what_they_ask(modifier: Reason, expected: str) -> None:
    assert said(hidden(modifier)) == (expected,)


def test_a_message_of_the_data_stands_for_itself() -> None:
    """What it hangs on is told where a pattern says it; counts of detachments and the like help nobody."""
    counted = Reason(kind="condition", text=Text("at most 1 detachments of any kind", ""), holds=True)
    assert said(put("modifier", counted, holds=True)) == ()
    rite = condition("some", "Rite", holds=True, have=1)
    assert said(put("modifier", rite, holds=True)) == ("Not together with Rite",)


def test_only_what_is_true_now_is_said_and_nothing_twice() -> None:
    met = condition("some", "Legacy Units", holds=True, have=1)
    modifier = put("modifier", met, TRAITOR, TRAITOR, holds=False, wants="show")
    assert said(hidden(modifier), hidden(modifier)) == ("Only for Traitors",)


def test_of_several_limits_the_lowest_is_said() -> None:
    two, one = (
        Reason(kind="maximum", text=Text("", ""), holds=True, wants="most", name=name, number=number, have=number)
        for name, number in (("HQ", 2), ("Praetor", 1))
    )
    assert said(two, one) == ("At most 1: you have 1",)
    assert said(two, hidden(put("modifier", TRAITOR, holds=False, wants="show")), one) == (
        "Only for Traitors",
        "At most 1: you have 1",
    )


def test_a_limit_that_grows_with_the_game_says_how() -> None:
    each = condition("each", "Pts of anything in the whole list", holds=True, number=1000, have=1330)
    limit = Reason(
        kind="maximum", text=Text("", ""), holds=True, wants="most", name="Titan", number=1, have=1,
        reasons=(put("modifier", each, holds=True),),
    )  # fmt: skip
    assert said(limit) == ("One per 1,000 Pts: you have 1,330, so 1",)
    plain = Reason(kind="maximum", text=Text("", ""), holds=True, wants="most", name="HQ", number=3, have=3)
    assert said(plain) == ("At most 3: you have 3",)


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (0, "One for each Boss, Shaman: you have 0, so 0"),
        (2, "At most 2, one more for each Boss, Shaman: you have 0"),
    ],
)
def test_a_limit_that_grows_with_leaders_names_them(most: int, expected: str) -> None:
    eachs = [
        Reason(kind="condition", text=Text("", ""), holds=False, wants="each", name=name, number=1, have=0)
        for name in ("Boss:", "Shaman")
    ]
    limit = Reason(
        kind="maximum", text=Text("", ""), holds=True, wants="most", name="Mobs", number=most, have=0,
        reasons=(put("modifier", *eachs, holds=False),),
    )  # fmt: skip
    assert said(limit) == (expected,)


def test_a_limit_grows_with_what_counts_now_and_may_be_met_later() -> None:
    """A limit grows by the agreed size in one kind of game, by points in another: what it is here is told."""
    agreed = condition("each", "agreed size of the game", holds=False, number=1000, have=2000)
    spent = condition("each", "Pts of anything in its detachment", holds=False, number=1000, have=110)
    of_a_melee, of_others = (put("any", holds=holds) for holds in (False, True))
    limit = Reason(
        kind="maximum", text=Text("", ""), holds=True, wants="most", name="Boss", number=0, have=0,
        reasons=(put("modifier", of_a_melee, agreed, holds=False), put("modifier", of_others, spent, holds=False)),
    )  # fmt: skip
    assert said(limit) == ("One per 1,000 Pts: you have 110, so 0",)
    fixed = Reason(kind="maximum", text=Text("", ""), holds=True, wants="most", name="HQ", number=3, have=3)
    for reasons, expected in (((limit,), True), ((fixed,), False), ((limit, fixed), False), ((), False)):
        found = Explanation(entry_id="x", name="X", blocked=True, reasons=reasons, repairs=())
        assert may_grow(found) is expected


def test_what_no_pattern_says_is_told_as_it_stands() -> None:
    odd = Reason(kind="condition", text=Text("something odd", "странное"), holds=True)
    assert said(hidden(put("modifier", odd, holds=True, wants="hide"))) == ("hidden (modifier (something odd))",)


def limit_of_none(*modifiers: Reason) -> Reason:
    return Reason(
        kind="maximum", text=Text("", ""), holds=True, id="c", wants="most", name="Mob", number=0, have=1,
        reasons=modifiers,
    )  # fmt: skip


def changed(wants: str, by: float, *reasons: Reason, holds: bool = False) -> Reason:
    text = Text(wants, wants)
    return Reason(kind="modifier", text=text, holds=holds, wants=wants, number=by, reasons=reasons)


def each(name: str, number: float = 1) -> Reason:
    return Reason(kind="condition", text=Text("", ""), holds=False, wants="each", name=name, number=number, have=0)


BOSS, SHAMAN, CAMP = (condition("some", name, holds=False) for name in ("Boss", "Shaman", "Camp"))


@pytest.mark.parametrize(
    ("modifiers", "end"),
    [
        ([changed("more", 1, BOSS)], ", or take Boss."),
        ([changed("set", 2, BOSS), changed("set", 1, SHAMAN)], ", or take Boss or Shaman."),
        ([changed("set", -1, BOSS)], ", or take Boss."),
        ([changed("more", 1, put("any", BOSS, SHAMAN, holds=False))], ", or take Boss or Shaman."),
        ([changed("more", 1, each("Boss"), each("Shaman"))], ", or take Boss or Shaman."),
        ([changed("more", 1, each("Troops:", 2))], ", or take 2 × Troops."),
        ([changed("more", 1, BOSS, CAMP), changed("more", 1, BOSS)], ", or take Boss."),
        ([changed("more", 1, BOSS), changed("more", 1, *[each("Boss")])], ", or take Boss."),
        ([changed("more", 1, BOSS), changed("more", 1, TRAITOR)], ". Needs Boss or Traitors."),
        ([changed("more", 1, TRAITOR)], ". Only for Traitors."),
        ([changed("more", 1, each("Pts of anything in the list", 1000))], ". Needs 1,000 Pts for each."),
        (
            [changed("more", 1, *(each(f"Lord of {letter}") for letter in "ABCDEFG"))],
            ", or take Lord of A or Lord of B or Lord of C or Lord of D or one of 3 others.",
        ),
        (
            [changed("set", 0, condition("kind", "Small Game", holds=True), holds=True), changed("more", 1, BOSS)],
            ". Not in: Small Game.",
        ),
        ([put("modifier", changed("more", 1, BOSS), CAMP, holds=False)], ", or take Camp; Boss."),
        ([changed("fewer", 1, BOSS)], None),
        ([changed("set", 0, BOSS)], None),
        ([changed("more", 1, condition("", "nobody can say what", holds=False))], None),
        ([], None),
    ],
)  # fmt: skip
def test_what_would_allow_what_nothing_allows_yet(modifiers: list[Reason], end: str | None) -> None:
    """As the rest of "Remove 1"; what cannot simply be taken is a sentence of its own."""
    found = Explanation(entry_id="x", name="X", blocked=True, reasons=(limit_of_none(*modifiers),), repairs=())
    words = allowed_with(found, "c")
    assert (words.en if words is not None else None) == end
    assert allowed_with(found, "another limit") is None


def test_what_would_show_what_is_hidden() -> None:
    for reason, end in ((put("modifier", BOSS, holds=False, wants="show"), ", or take Boss."),
                        (put("modifier", condition("kind", "Wall", holds=True), holds=True, wants="hide"),
                         ". Not in: Wall.")):  # fmt: skip
        found = Explanation(entry_id="x", name="X", blocked=True, reasons=(hidden(reason),), repairs=())
        words = allowed_with(found, "hidden")
        assert words is not None
        assert words.en == end


def test_an_offer_of_which_nothing_is_allowed_says_what_would_allow_it() -> None:
    assert said(limit_of_none(changed("more", 1, BOSS), changed("more", 1, SHAMAN))) == ("Needs Boss or Shaman",)
