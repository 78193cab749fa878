"""Of two rules that object to the same thing, a list tells one; documents are answered with both."""

from armybuilder.engine.documents import parse_army, without_extensions
from armybuilder.engine.systems.game import LIST_RULES
from tests.engine.systems.horus_heresy.builders import (
    Json,
    findings_on,
    make_army,
    make_lord_of_war,
    make_praetor,
    make_primary,
    make_unit,
)


def told(army: Json) -> list[str]:
    """Rules that a list shows."""
    found = tuple(findings_on(army))
    return [
        finding.rule
        for finding in LIST_RULES["horus-heresy"].told_in_lists(parse_army(without_extensions(army)), found)
    ]


def test_a_lord_of_war_of_another_legion_is_told_once() -> None:
    fellblade = make_unit(name="Fellblade", role="lord_of_war", points=400, rules=["Legiones Astartes (Iron Hands)"])
    army = make_army(make_unit(points=1500), others=(make_lord_of_war(fellblade),))
    assert [finding.rule for finding in findings_on(army)] == ["HH-18", "HH-20"]
    assert told(army) == ["HH-20"]


def test_a_stranger_in_the_primary_detachment_is_still_told() -> None:
    assert told(make_army(make_unit(rules=["Legiones Astartes (Iron Hands)"]))) == ["HH-18"]


def test_a_primarch_too_many_is_told_once() -> None:
    primarchs = [
        make_unit(name=name, role="primarch", type="primarch", points=300, warlord=name == "Horus")
        for name in ("Horus", "Angron")
    ]
    praetor = make_praetor(warlord=None, warlord_trait=None)
    army = make_army(primary=make_primary(*primarchs, make_unit(points=1400), hq=(praetor,)))
    assert [finding.rule for finding in findings_on(army)] == ["HH-15", "HH-38"]
    assert told(army) == ["HH-15"]


def test_a_detachment_that_serves_the_other_side_is_told_once() -> None:
    """It is the army's side that is wrong; where some of its units serve either, each that does not is told."""
    cultists = [make_unit(name=f"Cultists {number}", allegiance="traitor") for number in (1, 2)]
    leader = make_praetor(allegiance="traitor")
    wholly = make_army(primary=make_primary(*cultists, hq=(leader,), troops=0), allegiance="loyalist")
    assert [finding.rule for finding in findings_on(wholly)].count("HH-02") == 3
    assert told(wholly).count("HH-02") == 1
    partly = make_army(primary=make_primary(*cultists), allegiance="loyalist")
    assert told(partly).count("HH-02") == 2
