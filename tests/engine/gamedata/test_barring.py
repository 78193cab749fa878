"""What may bar an entry is found without making anything of what is looked through."""

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place
from tests.engine.roster.builders import change, entry, group, make_library, when

HIDES = change("set", "hidden", "true", when("equalTo", 0, "campaign", "roster"))


def root(library: Library, entry_id: str) -> Place:
    return next(place for place in library.roots("army") if place.spec.id == entry_id)


def test_only_what_may_bar_gets_a_place() -> None:
    guns = [entry(f"gun{number}") for number in range(5)]
    badge = entry("badge", least=1, modifiers=[HIDES])
    model = entry("model", least=1, selectionEntries=[*guns, badge])
    library = make_library(entry("campaign"), entry("unit", selectionEntries=[model, *guns[:1]]), entry("free"))
    (way,) = root(library, "unit").barring
    assert (way.path, [place.path for place in way.barring]) == ("model", ["badge"])
    assert library.specs_below == {}, "nobody asked for the rest"
    assert root(library, "free").barring == ()


def test_a_group_bars_when_all_of_it_may_be_hidden() -> None:
    shut = group("shut", entry("a", modifiers=[HIDES]), entry("b", hidden=True), least=1)
    half = group("half", entry("c", modifiers=[HIDES]), entry("d"), least=1)
    free = group("free", entry("e", modifiers=[HIDES]))
    library = make_library(entry("campaign"), entry("unit", selectionEntryGroups=[shut, half, free]))
    assert [place.path for place in root(library, "unit").barring] == ["shut"]
    groups = {spec.id: spec for spec in library.barring_specs(root(library, "unit").spec.nodes[0])}
    assert library.barring.may_all_hide(groups["shut"].nodes)
