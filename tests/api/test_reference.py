"""Published game data over the API: what is there, filters, pages, and a fixed number of database queries."""

from typing import Any

import pytest

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import Faction, UnitEntry
from tests.api.conftest import Caller

pytestmark = pytest.mark.both_databases

SYSTEM = "/api/v1/systems/horus-heresy/"


def test_systems_with_their_release(as_nobody: Caller, game: PublishedSystem) -> None:
    (row,) = as_nobody("GET", "/api/v1/systems/").json()
    assert (row["id"], row["name"]["ru"], row["rule_pack"]) == ("horus-heresy", "Ересь Хоруса", "horus-heresy")
    assert (row["release"]["number"], row["release"]["content_hash"]) == (1, "0" * 64)
    assert as_nobody("GET", SYSTEM).json() == row


def test_a_system_without_release_is_not_there(as_nobody: Caller, game: PublishedSystem) -> None:
    PublishedSystem.objects.create(id="draft", name="Draft")
    assert len(as_nobody("GET", "/api/v1/systems/").json()) == 1
    for part in (
        "",
        "factions/",
        "units/",
        "roles/",
        "force-organisations/",
        "alliances/",
        "fortifications/",
        "rules/",
    ):
        response = as_nobody("GET", f"/api/v1/systems/draft/{part}")
        assert (response.status_code, response.json()["code"]) == (404, "not-found"), part


def test_factions(as_nobody: Caller, game: PublishedSystem) -> None:
    Faction.objects.create(system=game, key="knights", name="Knights", matrix_position=7)
    rows = as_nobody("GET", f"{SYSTEM}factions/").json()
    assert [(row["key"], row["catalogue_id"], row["unit_count"]) for row in rows] == [
        ("sons-of-horus", "hh-legion-sons-of-horus", 1),
        ("imperial-army", "hh-solar-auxilia", 1),
        ("knights", "", 0),
    ]
    assert as_nobody("GET", f"{SYSTEM}factions/sons-of-horus/").json() == rows[0]
    assert as_nobody("GET", f"{SYSTEM}factions/eldar/").status_code == 404


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Praetor", "Rifle Section"]),
        ("?faction=imperial-army", ["Rifle Section"]),
        ("?role=hq", ["Praetor"]),
        ("?min_points=150", ["Praetor"]),
        ("?min_points=151", []),
        ("?max_points=82.5", ["Rifle Section"]),
        ("?search=BLADE+paragon", ["Praetor"]),
        ("?search=blade+rifle", []),
        ("?search=rifle&role=troops&faction=imperial-army", ["Rifle Section"]),
    ],
)
def test_units_are_filtered(as_nobody: Caller, game: PublishedSystem, query: str, names: list[str]) -> None:
    body = as_nobody("GET", f"{SYSTEM}units/{query}").json()
    assert ([row["name"]["en"] for row in body["results"]], body["count"]) == (names, len(names))


@pytest.mark.parametrize(
    ("query", "at"),
    [
        ("?role=jester", "/role"),
        ("?faction=eldar", "/faction"),
        ("?page_size=201", "/page_size"),
        ("?page_size=0", "/page_size"),
        ("?page_size=many", "/page_size"),
        ("?min_points=many", "/min_points"),
        ("?max_points=-1", "/max_points"),
        ("?min_points=1e999", "/min_points"),
        ("?min_points=NaN", "/min_points"),
        ("?search=%00", "/search"),
        ("?role=%00", "/role"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused(as_nobody: Caller, game: PublishedSystem, query: str, at: str) -> None:
    response = as_nobody("GET", f"{SYSTEM}units/{query}")
    assert (response.status_code, response.json()["error"]["at"]) == (400, at)


def test_units_come_in_pages(as_nobody: Caller, game: PublishedSystem, django_assert_num_queries: Any) -> None:
    faction = Faction.objects.get(key="imperial-army")
    assert game.current_release is not None
    UnitEntry.objects.bulk_create(
        UnitEntry(faction=faction, release=game.current_release, entry_id=f"e{i}", name=f"Z{i:03}", points=i)
        for i in range(120)
    )
    with django_assert_num_queries(3):  # the system, the count, the page
        first = as_nobody("GET", f"{SYSTEM}units/?page_size=50").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (122, 50, None)
    last = as_nobody("GET", f"{SYSTEM}units/?page=3").json()
    assert (len(last["results"]), last["next"]) == (22, None)
    assert len(as_nobody("GET", f"{SYSTEM}units/?page_size=200").json()["results"]) == 122
    for page, status in (("4", 404), ("9" * 30, 404), ("0", 400), ("x", 400)):
        assert as_nobody("GET", f"{SYSTEM}units/?page={page}").status_code == status, page


def test_a_unit_with_its_profiles(as_nobody: Caller, game: PublishedSystem) -> None:
    row = as_nobody("GET", f"{SYSTEM}units/?role=troops").json()["results"][0]
    assert (row["points"], row["faction"], row["role"]) == (82.5, "imperial-army", "troops")
    unit = as_nobody("GET", f"{SYSTEM}units/{row['id']}/").json()
    assert {name: unit[name] for name in row} == row
    assert unit["profiles"] == [{"type": "Unit", "name": "Rifle Section", "characteristics": [["WS", "5"]]}]
    PublishedSystem.objects.create(id="other", name="Other", current_release=game.current_release)
    assert as_nobody("GET", f"/api/v1/systems/other/units/{row['id']}/").status_code == 404


def test_who_may_take_a_unit_in_which_role_and_where(
    as_nobody: Caller, game: PublishedSystem, django_assert_num_queries: Any
) -> None:
    row = as_nobody("GET", f"{SYSTEM}units/?role=troops").json()["results"][0]
    sold, release = UnitEntry.objects.get(pk=row["id"]), game.current_release
    other = Faction.objects.exclude(pk=sold.faction_id).filter(system=game).first()
    UnitEntry.objects.create(
        faction=other, release=release, entry_id=f"link::{sold.entry_id}", name=sold.name, points=90
    )
    with django_assert_num_queries(3):  # the unit, who sells it, the slots of its roles
        found = as_nobody("GET", f"{SYSTEM}units/{row['id']}/takers/").json()
    assert {(one["faction"], one["role"], one["points"]) for one in found["takers"]} == {
        (row["faction"], "troops", row["points"]),
        (other.key, None, 90),
    }
    assert {one["role"] for one in found["places"]} <= {"troops"}
    for places in found["places"]:
        charts = as_nobody("GET", f"{SYSTEM}force-organisations/").json()
        slots = {
            (block["entry_id"], slot["minimum"], slot["maximum"])
            for chart in charts
            for block in chart["detachments"]
            for slot in block["slots"]
            if slot["role"] == places["role"] and slot["maximum"] != 0
        }
        assert {(one["entry_id"], one["minimum"], one["maximum"]) for one in places["slots"]} == slots
    PublishedSystem.objects.create(id="other", name="Other", current_release=release)
    assert as_nobody("GET", f"/api/v1/systems/other/units/{row['id']}/takers/").status_code == 404


def test_charts_with_their_slots(as_nobody: Caller, game: PublishedSystem, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(4):  # the system, the charts, their detachments, their slots
        (chart,) = as_nobody("GET", f"{SYSTEM}force-organisations/").json()
    (detachment,) = chart["detachments"]
    assert (chart["key"], detachment["type"], detachment["entry_id"]) == ("crusade", "primary", "hh-force-primary")
    assert [(slot["role"], slot["minimum"], slot["maximum"]) for slot in detachment["slots"]] == [
        ("hq", 1, 3),
        ("troops", 2, None),
    ]


def test_the_alliance_matrix_says_aloud_what_is_unknown(as_nobody: Caller, game: PublishedSystem) -> None:
    matrix = as_nobody("GET", f"{SYSTEM}alliances/").json()
    cells = {(cell["primary"], cell["ally"]): cell for cell in matrix["cells"]}
    assert len(cells) == 4
    assert matrix["unknown"] == 3
    known = cells["sons-of-horus", "imperial-army"]
    assert (known["level"], known["unknown"], known["source"]) == ("fellow_warriors", False, "p. 7")
    unknown = cells["imperial-army", "sons-of-horus"]
    assert (unknown["level"], unknown["unknown"], unknown["source"]) == (None, True, "")
    assert [level["key"] for level in matrix["levels"]] == ["fellow_warriors"]


def test_fortifications(as_nobody: Caller, game: PublishedSystem) -> None:
    (wall,) = as_nobody("GET", f"{SYSTEM}fortifications/").json()
    assert (wall["name"]["en"], wall["points"], wall["maximum_points"]) == ("Fortified Wall", 100, None)
    assert wall["options"] == [
        {"name": {"en": "Icarus lascannon", "ru": "Icarus lascannon"}, "points": 25, "maximum": 1}
    ]


def test_rules_in_both_languages_with_their_source(as_nobody: Caller, game: PublishedSystem) -> None:
    rules = as_nobody("GET", f"{SYSTEM}rules/").json()
    assert [rule["id"] for rule in rules][:2] == ["HH-01", "HH-02"]
    assert len(rules) >= 60
    for rule in rules:
        assert rule["message"]["en"], rule
        assert rule["message"]["ru"], rule
        assert rule["source"], rule
        assert "{" not in rule["message"]["en"] + rule["message"]["ru"], rule
    one = as_nobody("GET", f"{SYSTEM}rules/hh-30/").json()
    (case,) = one.pop("cases")
    assert one in rules
    assert case["document"]["id"] == "HH-30"
    checked = as_nobody("POST", "/api/v1/check/", case["document"]).json()
    assert [found["message"] for found in checked["findings"] if found["rule"] == "HH-30"] == case["messages"]
    assert (one["id"], one["severity"]) == ("HH-30", "error")
    assert as_nobody("GET", f"{SYSTEM}rules/HH-999/").status_code == 404


def test_a_rule_names_the_readings_it_depends_on(as_nobody: Caller, game: PublishedSystem) -> None:
    (setting,) = as_nobody("GET", f"{SYSTEM}rules/HH-23/").json()["settings"]
    assert (setting["id"], setting["values"], setting["of_the_site"]) == ("alliance_levels", ["unknown"], True)


def test_a_game_without_rule_pack_has_no_rules(as_nobody: Caller, game: PublishedSystem) -> None:
    PublishedSystem.objects.create(id="whfb4", name="Fantasy", current_release=game.current_release)
    assert as_nobody("GET", "/api/v1/systems/whfb4/rules/").json() == []
    assert as_nobody("GET", "/api/v1/systems/whfb4/rules/HH-30/").status_code == 404


def test_the_entrance_leads_everywhere(as_nobody: Caller, game: PublishedSystem) -> None:
    links = as_nobody("GET", "/api/v1/").json()
    assert {name: as_nobody("GET", address).status_code for name, address in links.items()} == {
        "account": 401,
        "shared": 404,  # of each kind only: in braces what to fill in
        "verdicts": 404,
        "systems": 200,
        "check": 405,
        "checks": 405,
        "lists": 401,
        "simulations": 401,
        "targets": 401,
        "events": 401,
        "webhooks": 401,
        "releases": 401,
        "verdict-keys": 200,
        "problems": 200,
        "schema": 200,
        "docs": 200,
        "reference": 200,
    }
