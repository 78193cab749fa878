"""Form fields made from the types of a game's facts, and what posting them states."""

import re

import pytest
from django.http import QueryDict
from django.test import Client

from armybuilder.armylists.edits import SetFacts
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.web.forms.edits import edit_of
from armybuilder.web.pages.facts import Candidates, list_facts, unit_facts
from armybuilder.web.pages.roster_view import numbered
from tests.armylists.conftest import Muster
from tests.web.test_builder import edit_form, page_of

pytestmark = pytest.mark.django_db

UNITS = Candidates(units=[("n1", "Praetor"), ("n2", "Squad")], carriers=[("n3", "Rhino")])


def named(fields, name):
    """The field of a name."""
    return next(field for field in fields if field.name == name)


@pytest.mark.parametrize(
    ("name", "kind", "group"),
    [
        ("play_mode", "choice", ""),
        ("cap_override:json", "choice", ""),
        ("base_reactions:number", "number", ""),
        ("allowed_warlord_traits:words", "words", ""),
        ("chart", "text", ""),
        ("opponent.allegiance", "choice", "Opponent"),
        ("opponent.points_limit:number", "number", "Opponent"),
        ("opponent.asymmetry_agreed:json", "choice", "Opponent"),
    ],
)
def test_the_type_of_a_fact_decides_how_it_is_asked(name: str, kind: str, group: str) -> None:
    fields = list_facts("horus-heresy", {}, UNITS, without={"warlord"})
    assert (named(fields, name).kind, named(fields, name).group) == (kind, group)
    assert "warlord" not in {field.name for field in fields}
    assert "units" not in {field.name for field in fields}


def test_the_usual_value_is_the_one_nobody_states() -> None:
    modes = named(list_facts("horus-heresy", {"play_mode": "open"}, UNITS, without=()), "play_mode").choices
    assert modes[0] == ("", "narrative", False)
    assert ("open", "open", True) in modes
    assert "narrative" not in {value for value, _, _ in modes}


def test_a_fact_that_names_a_unit_offers_the_units() -> None:
    fields = unit_facts("horus-heresy", {"joined_to": "n2"}, UNITS)
    assert named(fields, "joined_to").choices == (
        ("", "not stated", False),
        ("n1", "Praetor", False),
        ("n2", "Squad", True),
    )
    assert [value for value, _, _ in named(fields, "embarked_in").choices] == ["", "n3"]


def test_names_that_are_there_more_than_once_have_a_number() -> None:
    assert numbered(["Squad", "Praetor", "Squad", "Squad"]) == ("Squad 1", "Praetor", "Squad 2", "Squad 3")
    assert numbered([]) == ()


def test_units_of_one_name_are_told_apart_where_a_fact_names_one(built: Muster, as_owner: Client) -> None:
    built.unit("hh-la-tactical-squad")
    praetor, first, second = (place.node.id for place in built.document.places.values() if place.is_unit)
    page = as_owner.get(page_of(built), {"unit": praetor}).content.decode()
    (choice,) = re.findall(r'<select[^>]*name="fact\.joined_to".*?</select>', page, re.DOTALL)
    assert re.findall(r'<option value="(\w+)"[^>]*>\s*([^<]*?)\s*</option>', choice) == [
        (first, "Tactical Squad 1"),
        (second, "Tactical Squad 2"),
    ]


def test_a_game_without_a_reader_asks_only_what_stands_on_the_table() -> None:
    assert list_facts(None, {}, UNITS, without=()) == ()
    assert [field.name for field in unit_facts("no-such-pack", {}, UNITS)] == ["base_size", "model_name"]


def test_every_kind_of_field_states_its_fact(built: Muster, as_owner: Client) -> None:
    sent = edit_form(built.row, "set_facts") | {
        "fact.base_reactions:number": "2",
        "fact.cap_override:json": "true",
        "fact.allowed_warlord_traits:words": "Grim Resolve, Iron Will,",
        "fact.opponent.allegiance": "traitor",
        "fact.opponent.points_limit:number": "2500",
        "fact.opponent.asymmetry_agreed:json": "",
    }
    as_owner.post(page_of(built, "list-edit"), sent)
    assert built.document.facts == {
        "allegiance": "traitor",
        "base_reactions": 2,
        "cap_override": True,
        "allowed_warlord_traits": ["Grim Resolve", "Iron Will"],
        "opponent": {"allegiance": "traitor", "points_limit": 2500},
    }
    html = as_owner.get(f"{page_of(built)}?pane=settings").content.decode()
    assert re.search(r'name="fact.opponent.points_limit:number" value="2500"', html)
    emptied = {name: "" if name.startswith("fact.") else value for name, value in sent.items()}
    as_owner.post(page_of(built, "list-edit"), emptied | {"revision": built.row.revision})
    assert built.document.facts == {"allegiance": "traitor"}


def test_several_numbers_are_asked_and_read_with_commas() -> None:
    stated = {"army_points": [2000, 1500]}
    field = named(list_facts("fantasy-8th", stated, UNITS, without=()), "army_points:numbers")
    assert (field.kind, field.value) == ("words", "2000, 1500")
    form = QueryDict(mutable=True)
    form.update({"edit": "set_facts", "fact.army_points:numbers": "2500, 1000,"})
    edit = edit_of(form)
    assert edit == SetFacts(facts={"army_points": [2500, 1000]})


def test_a_number_that_is_none_is_refused(built: Muster, as_owner: Client) -> None:
    before = built.row
    sent = edit_form(before, "set_facts") | {"fact.base_reactions:number": "two"}
    answer = as_owner.post(page_of(built, "list-edit"), sent)
    assert answer.status_code == 422
    assert "“two” is not a whole number" in answer.content.decode()
    assert built.row.revision == before.revision


def test_what_no_rule_asks_about_is_folded(built: Muster, as_owner: Client) -> None:
    settings = f"{page_of(built)}?pane=settings"
    asked, folded = as_owner.get(settings).content.decode().split('<details class="table-facts" id="list-facts">')
    assert "fact.base_reactions:number" in folded
    assert 'name="fact.' not in asked
    as_owner.post(page_of(built, "list-edit"), edit_form(built.row, "set_facts") | {"fact.base_reactions:number": "9"})
    assert "HH-63" in built.rules()
    asked, folded = as_owner.get(settings).content.decode().split('<details class="table-facts" id="list-facts">')
    assert 'name="fact.base_reactions:number"' in asked.split("A rule needs to know")[1]
    assert "fact.play_mode" in folded
    as_owner.post(page_of(built, "list-edit"), edit_form(built.row, "set_facts") | {"fact.play_mode": "open"})
    assert '<details class="table-facts" id="list-facts" open>' in as_owner.get(settings).content.decode()


def test_the_history_tells_only_what_changed(built: Muster, as_owner: Client) -> None:
    first = edit_form(built.row, "set_facts") | {"fact.play_mode": "open", "fact.base_reactions:number": ""}
    as_owner.post(page_of(built, "list-edit"), first)
    second = edit_form(built.row, "set_facts") | {"fact.play_mode": "open", "fact.base_reactions:number": "2"}
    as_owner.post(page_of(built, "list-edit"), second)
    assert built.row.revisions.first().summary_en == "reactions in a phase – 2"


@pytest.mark.parametrize(("pack", "has_warlord"), [("horus-heresy", True), ("wh40k-6th", True), ("epic", False)])
def test_only_games_with_a_warlord_ask_for_one(built: Muster, as_owner: Client, pack: str, has_warlord: bool) -> None:
    PublishedSystem.objects.update(rule_pack=pack)
    page = as_owner.get(page_of(built)).content.decode()
    assert ("?pane=warlord" in page) is has_warlord
