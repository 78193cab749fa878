"""The builder as its page sends and gets it: plain forms, fragments, refusals, and who may do what."""

import dataclasses
import re
import time
from collections.abc import Callable
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armybuilder.accounts.viewers import Viewer, guest_key_of, new_guest_key, signed_guest_key
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from armybuilder.reference.models import Detachment
from armybuilder.web.pages.add_screen import AddRow
from tests.armylists.conftest import FIXTURES, PRIMARY, SONS, Muster, fixture_library, shipped_game
from tests.gamedata_files import CAPTAIN, GHOST, catalogue, release
from tests.web.conftest import HTMX, edit_form

pytestmark = pytest.mark.django_db


def test_a_unit_is_copied_to_another_list_by_plain_forms(
    as_owner: Client, built: Muster, muster: Callable[..., Muster]
) -> None:
    unit = next(unit for unit in built.document.roster.forces[0].selections if unit.name == "Tactical Squad")
    address = f"/lists/{built.list_id}/units/{unit.id}/copy/"
    assert "None of your other lists" in as_owner.get(address).content.decode()
    other = muster(name="Second army")
    assert "Second army" in as_owner.get(address).content.decode()
    answer = as_owner.post(f"{address}do/", {"to": f"{other.list_id} {other.force_id}"}, follow=True)
    assert "Copied to “Second army”." in answer.content.decode()
    assert [one.name for one in other.document.roster.forces[0].selections] == ["Tactical Squad"]
    for wrong in ("", f"{other.list_id} nowhere"):
        assert as_owner.post(f"{address}do/", {"to": wrong}).status_code == 422
    assert other.row.revision == 2
    assert as_owner.get(f"/lists/{built.list_id}/units/nowhere/copy/").status_code == 404


def page_of(muster: Muster, name: str = "list") -> str:
    return reverse(f"web:{name}", args=[muster.list_id])


def ids(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', html)


def test_a_counter_has_its_limits_and_price_beside_its_name(as_owner: Client, built: Muster) -> None:
    unit = next(unit for unit in built.document.roster.forces[0].selections if unit.name == "Tactical Squad")
    page = as_owner.get(page_of(built), {"unit": unit.id}).content.decode()
    assert re.search(r'class="count__name">[^<]+\w <span class="small muted">[^<]*\d', page)


def test_a_guest_builds_without_an_account(game: object) -> None:
    guest = Client()
    form = guest.get(reverse("web:list-new"))
    assert form.status_code == 200
    answer = guest.post(
        reverse("web:list-new"),
        {"system": "horus-heresy", "faction": SONS, "points_limit": 2000, "allegiance": "traitor", "name": "Mine"},
    )
    made = ArmyList.objects.get()
    assert answer.status_code == 302
    assert answer.url == reverse("web:list", args=[made.pk])
    assert made.guest_key is not None
    assert guest.cookies["guest"]["httponly"]
    assert str(made.guest_key) not in guest.cookies["guest"].value
    assert "Mine" in guest.get(reverse("web:lists")).content.decode()
    assert "Mine" not in Client().get(reverse("web:lists")).content.decode()


def test_a_guest_who_comes_back_keeps_the_lists(game: object, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, key = Client(), new_guest_key()
    guest.cookies["guest"] = signed = signed_guest_key(key)
    now = time.time()
    assert "guest" not in guest.get(reverse("web:about")).cookies, "a young one stays as it is"
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)
    renewed = guest.get(reverse("web:about")).cookies["guest"]
    assert renewed.value != signed and guest_key_of(renewed.value) == key
    assert renewed["httponly"] and renewed["max-age"] == 400 * 86_400
    monkeypatch.setattr(time, "time", lambda: now + 420 * 86_400)
    assert guest_key_of(signed) is None and guest_key_of(renewed.value) == key


def test_a_new_list_needs_a_faction_of_the_game(game: object) -> None:
    answer = Client().post(reverse("web:list-new"), {"system": "horus-heresy", "faction": "nonsense"})
    assert answer.status_code == 422
    assert not ArmyList.objects.exists()


def test_an_edit_as_a_plain_form_leads_back_to_the_unit(built: Muster, as_owner: Client) -> None:
    fields = edit_form(built.row, "add_unit", force_id=built.force_id, entry_id="hh-la-praetor")
    answer = as_owner.post(page_of(built, "list-edit"), fields)
    assert answer.status_code == 302
    assert re.fullmatch(rf"{page_of(built)}\?unit=\w+#detail", answer.url)
    page = as_owner.get(answer.url).content.decode()
    assert page.count('class="unit__name">Praetor<') == 2
    assert "unit--open" in page


def test_the_value_of_a_button_is_a_whole_edit(built: Muster, as_owner: Client) -> None:
    before = built.row.revision
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    answer = as_owner.post(page_of(built, "list-edit"), {"do": f"edit=duplicate&node_id={unit_id}", "revision": before})
    assert answer.status_code == 302
    assert sum(place.is_unit for place in built.document.places.values()) == 3
    assert built.row.revision == before + 1


def test_undo_and_redo_as_plain_forms(built: Muster, as_owner: Client) -> None:
    built.unit("hh-la-tactical-squad")
    units = sum(place.is_unit for place in built.document.places.values())
    as_owner.post(page_of(built, "list-undo"), {"revision": built.row.revision})
    assert sum(place.is_unit for place in built.document.places.values()) == units - 1
    as_owner.post(page_of(built, "list-redo"), {"revision": built.row.revision})
    assert sum(place.is_unit for place in built.document.places.values()) == units


def test_the_history_costs_the_same_however_long_it_is(built: Muster, as_owner: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert as_owner.get(page_of(built, "list-history")).status_code == 200
        return len(captured)

    queries()
    short = queries()
    for number in range(6):
        built.edit(e.SetName(name=f"Name {number}"))
    assert queries() == short


def test_going_back_to_an_earlier_state(built: Muster, as_owner: Client) -> None:
    history = as_owner.get(page_of(built, "list-history")).content.decode()
    assert "/history/1/restore/" in history
    answer = as_owner.post(
        reverse("web:list-restore-revision", args=[built.list_id, 1]), {"revision": built.row.revision}
    )
    assert answer.status_code == 302
    assert not any(place.is_unit for place in built.document.places.values())


def test_an_edit_answers_with_the_pane_and_everything_else_out_of_band(built: Muster, as_owner: Client) -> None:
    fields = edit_form(built.row, "add_unit", force_id=built.force_id, entry_id="hh-la-tactical-squad")
    answer = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in html
    assert ids(html).count("detail") == 1
    for fragment in ("army-bar", "army", "findings", "revision", "toasts"):
        assert ids(html).count(fragment) == 1, fragment
        assert re.search(rf'id="{fragment}"[^>]*hx-swap-oob="(true|morph)"', html), fragment
    assert len(ids(html)) == len(set(ids(html)))
    assert f'value="{built.row.revision}"' in html
    assert answer["HX-Replace-Url"].startswith(f"{page_of(built)}?unit=")


def test_removing_offers_the_way_back(built: Muster, as_owner: Client) -> None:
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    fields = edit_form(built.row, "remove", node_id=unit_id, focus=f"unit={unit_id}")
    answer = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert 'id="b-toast-undo"' in html
    assert answer["HX-Replace-Url"] == page_of(built)


def test_the_detail_pane_alone(built: Muster, as_owner: Client) -> None:
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    html = as_owner.get(f"{page_of(built)}?unit={unit_id}", headers=HTMX).content.decode()
    assert '<section id="detail"' in html
    assert 'id="army"' not in html


def test_the_add_screen_finds_units_by_name(built: Muster, as_owner: Client) -> None:
    address = f"{page_of(built)}?add={built.force_id}&role=hh-role-troops&q=tactical"
    html = as_owner.get(address, headers=HTMX).content.decode()
    names = re.findall(r"<strong>([^<]+)</strong>", html.split('id="offers"')[1])
    assert names
    assert all("Tactical" in name for name in names)


def test_the_add_screen_stays_when_a_unit_is_added(built: Muster, as_owner: Client) -> None:
    focus = f"add={built.force_id}&q=tactical&only=points"
    fields = edit_form(built.row, "add_unit", force_id=built.force_id, entry_id="hh-la-tactical-squad", focus=focus)
    answer = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX)
    assert answer["HX-Replace-Url"] == f"{page_of(built)}?{focus}"
    assert "taken</a>" in answer.content.decode()


@pytest.mark.parametrize(
    ("only", "shown"), [("", True), ("&only=legal", False), ("&only=points", True), ("&only=favourites", False)]
)
def test_filters_of_the_add_screen(built: Muster, as_owner: Client, only: str, shown: bool) -> None:
    built.unit("hh-primarch-horus-lupercal")
    address = f"{page_of(built)}?add={built.force_id}&q=lupercal{only}"
    html = as_owner.get(address, headers=HTMX).content.decode()
    assert ("Horus Lupercal" in html.split('id="offers"')[1]) is shown


def test_findings_name_the_unit_and_lead_to_it(built: Muster, as_owner: Client) -> None:
    html = as_owner.get(page_of(built)).content.decode()
    assert "HH-32" in html
    assert reverse("web:rule", args=["horus-heresy", "HH-32"]) in html
    assert "Compulsory Troops slots filled 1 of 2" in html


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("case", "fields"),
    [
        ("unknown edit", {"edit": "explode"}),
        ("no edit", {}),
        ("unknown entry", {"edit": "add_unit", "force_id": "FORCE", "entry_id": "nothing"}),
        ("unknown node", {"edit": "remove", "node_id": "nothing"}),
        ("no number", {"edit": "set_points_limit", "points_limit": "many"}),
        ("no revision", {"edit": "set_name", "name": "X", "revision": ""}),
    ],
)
def test_a_refused_edit_changes_nothing(
    built: Muster, as_owner: Client, case: str, fields: dict[str, str], headers: dict[str, str]
) -> None:
    before = built.row
    sent = {"revision": before.revision} | {k: v.replace("FORCE", built.force_id) for k, v in fields.items()}
    answer = as_owner.post(page_of(built, "list-edit"), sent, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 422, case
    assert ids(html).count("detail") == 1
    assert "Nothing was changed" in html
    assert ("<html" in html) == (not headers)
    assert (built.row.revision, built.row.document) == (before.revision, before.document)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_stale_edit_is_kept_and_can_be_repeated(built: Muster, as_owner: Client, headers: dict[str, str]) -> None:
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    stale = built.row.revision
    built.edit(e.SetName(name="Changed elsewhere"))
    fields = {"edit": "set_notes", "node_id": unit_id, "notes": "Hold <the> line", "revision": stale}
    answer = as_owner.post(page_of(built, "list-edit"), fields, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Changed elsewhere" in html
    assert "Hold &lt;the&gt; line" in html
    assert built.document.places[unit_id].node.notes is None
    form = html[html.index('role="alert"') :]
    repeated = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
    repeated.pop("csrfmiddlewaretoken", None)
    assert repeated["revision"] == str(built.row.revision)
    again = as_owner.post(page_of(built, "list-edit"), repeated | {"notes": "Hold <the> line"}, headers=headers)
    assert again.status_code in (200, 302)
    assert built.document.places[unit_id].node.notes == "Hold <the> line"


def test_what_a_player_writes_is_never_markup(built: Muster, as_owner: Client) -> None:
    evil = '<script>alert("x")</script>'
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    built.edit(e.SetName(name=evil), e.Rename(node_id=unit_id, name=evil), e.SetNotes(node_id=unit_id, notes=evil))
    for address in (
        page_of(built),
        f"{page_of(built)}?unit={unit_id}",
        page_of(built, "list-print"),
        reverse("web:lists"),
    ):
        html = as_owner.get(address).content.decode()
        assert evil not in html
        assert "&lt;script&gt;" in html


READS = ("list", "list-history", "list-share", "list-print")
WRITES = ("list-edit", "list-undo", "list-redo", "list-duplicate", "list-delete", "list-restore", "list-share-publish")


@pytest.mark.parametrize("name", READS)
def test_strangers_read_nothing(built: Muster, as_stranger: Client, name: str) -> None:
    for browser in (as_stranger, Client()):
        assert browser.get(page_of(built, name)).status_code == 404


@pytest.mark.parametrize("name", WRITES)
def test_strangers_change_nothing(built: Muster, as_stranger: Client, name: str) -> None:
    before = built.row
    fields = {"edit": "set_name", "name": "Taken over", "revision": before.revision}
    for browser in (as_stranger, Client()):
        answer = browser.post(page_of(built, name), fields)
        assert answer.status_code == 404
    assert ArmyList.objects.count() == 1
    assert (built.row.revision, built.row.name, built.row.deleted) == (before.revision, before.name, None)
    assert not built.row.share_links.exists()


@pytest.mark.parametrize("name", WRITES)
def test_a_form_without_its_token_changes_nothing(built: Muster, owner: object, name: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    before = built.row.revision
    fields = {"edit": "set_name", "name": "Forged", "revision": before}
    assert browser.post(page_of(built, name), fields).status_code == 403
    assert (built.row.revision, built.row.deleted) == (before, None)
    assert ArmyList.objects.count() == 1


def test_the_form_s_own_token_is_enough(built: Muster, owner: object) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    page = browser.get(page_of(built)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    fields = {"edit": "set_name", "name": "Renamed", "revision": built.row.revision, "csrfmiddlewaretoken": token[1]}
    assert browser.post(page_of(built, "list-edit"), fields).status_code == 302
    assert built.row.name == "Renamed"


def test_reading_is_not_writing(built: Muster, as_owner: Client) -> None:
    for name in WRITES:
        assert as_owner.get(page_of(built, name)).status_code == (302 if name == "list-edit" else 405)
    led = as_owner.get(page_of(built, "list-edit"), {"do": "edit=undo"})
    assert (led.status_code, led["Location"]) == (302, page_of(built))  # a refused edit's page leads back to the list
    assert built.row.revision == as_owner.get(page_of(built)).context["page"].army_list.revision


def test_an_address_without_a_list(as_owner: Client) -> None:
    assert as_owner.get(reverse("web:list", args=[UUID(int=7)])).status_code == 404


def queries_of(browser: Client, address: str) -> int:
    """Queries of a page that was opened twice before."""
    browser.get(address)
    browser.get(address)
    with CaptureQueriesContext(connection) as seen:
        browser.get(address)
        return len(seen)


def test_the_page_costs_the_same_queries_for_every_length(built: Muster, as_owner: Client) -> None:
    few, fewest = queries_of(as_owner, page_of(built) + "?pane=settings"), queries_of(as_owner, page_of(built))
    assert (few <= 10, fewest) == (True, 4)
    for _ in range(8):
        built.unit("hh-la-tactical-squad")
    assert queries_of(as_owner, page_of(built) + "?pane=settings") == few
    assert queries_of(as_owner, page_of(built)) == fewest


def test_the_list_of_lists_costs_the_same_queries_for_every_length(
    muster: Callable[..., Muster], game: object, as_owner: Client
) -> None:
    muster()
    few = queries_of(as_owner, reverse("web:lists"))
    assert few <= 8
    for number in range(6):
        muster(name=f"List {number}")
    assert queries_of(as_owner, reverse("web:lists")) == few


def test_every_detachment_of_the_chart_can_be_added_once(built: Muster, as_owner: Client) -> None:
    html = as_owner.get(f"{page_of(built)}?pane=detachments").content.decode()
    assert "hh-force-allied" in html
    assert "hh-force-lord-of-war" in html
    assert f'value="{PRIMARY}"' not in html


def test_detachments_of_any_data_are_called_as_on_the_roll(built: Muster, as_owner: Client) -> None:
    """Those of the community's data stood there in English."""
    Detachment.objects.filter(type="allied").update(name="Allied Detachment", name_ru="")
    html = as_owner.get(f"{page_of(built)}?pane=detachments", headers={"accept-language": "ru"}).content.decode()
    assert "<h3>Союзное подразделение</h3>" in html
    assert "Allied Detachment" not in html


def test_warlord_and_trait_are_chosen_among_characters(built: Muster, as_owner: Client) -> None:
    html = as_owner.get(f"{page_of(built)}?pane=warlord").content.decode()
    assert "Praetor" in html
    chosen = re.search(r'value="(edit=set_warlord&amp;node_id=\w+&amp;trait=)"[^>]*id="b-warlord-1"', html)
    assert chosen
    fields = {"do": chosen[1].replace("&amp;", "&") + "Stoic Defender", "revision": built.row.revision}
    as_owner.post(page_of(built, "list-edit"), fields)
    assert "HH-32" not in built.rules()
    page = as_owner.get(page_of(built)).content.decode()
    assert '<span class="tag tag--on">Warlord</span>' in page
    pane = as_owner.get(f"{page_of(built)}?pane=warlord").content.decode()
    assert len(re.findall(r'aria-checked="true"[^>]*id="b-(?:warlord|trait)-\d+"', pane)) == 2


@pytest.mark.parametrize("game", ["epic", "fantasy-8th"])
def test_a_game_without_a_warlord_has_no_pane_for_him(viewer: Viewer, as_owner: Client, game: str) -> None:
    system = shipped_game(game)
    facts: dict[str, Any] = {
        "catalogue_id": fixture_library(FIXTURES.parent / game).catalogues[-1].id,
        "points_limit": 500,
    }
    row = services.create_army_list(viewer, system_id=system.pk, name="Leaderless", **facts)
    welcome = as_owner.get(f"/lists/{row.pk}/").content.decode()
    asked_for = as_owner.get(f"/lists/{row.pk}/?pane=warlord").content.decode()
    assert "pane--open" not in asked_for
    assert re.findall("<h2.*?</h2>", asked_for, re.DOTALL) == re.findall("<h2.*?</h2>", welcome, re.DOTALL)


def test_a_missing_warlord_leads_to_the_warlord_pane(built: Muster, as_owner: Client) -> None:
    html = as_owner.get(page_of(built)).content.decode()
    line = html[html.index("HH-32") - 1500 : html.index("HH-32")]
    assert "?pane=warlord" in line


def test_how_a_unit_starts_the_game_is_stated_and_taken_back(built: Muster, as_owner: Client) -> None:
    unit_id = next(place.node.id for place in built.document.places.values() if place.is_unit)
    fields = edit_form(built.row, "set_unit_facts", node_id=unit_id) | {"fact.deployment": "reserve"}
    as_owner.post(page_of(built, "list-edit"), fields)
    assert built.document.facts_of(unit_id) == {"deployment": "reserve"}
    html = as_owner.get(f"{page_of(built)}?unit={unit_id}").content.decode()
    assert re.search(r'<option value="reserve" selected>', html)
    fields = edit_form(built.row, "set_unit_facts", node_id=unit_id) | {"fact.deployment": ""}
    as_owner.post(page_of(built, "list-edit"), fields)
    assert not built.document.facts_of(unit_id)


def test_allegiance_and_kind_of_game(built: Muster, as_owner: Client) -> None:
    as_owner.post(
        page_of(built, "list-edit"),
        {"do": "edit=set_facts&fact.allegiance=loyalist&fact.play_mode=open", "revision": built.row.revision},
    )
    assert built.document.facts["allegiance"] == "loyalist"
    assert built.document.facts["play_mode"] == "open"
    before = built.row
    answer = as_owner.post(
        page_of(built, "list-edit"), {"do": "edit=set_facts&fact.play_mode=solitaire", "revision": before.revision}
    )
    assert answer.status_code == 422
    assert built.row.revision == before.revision


def test_what_cannot_be_added_says_why(built: Muster, as_owner: Client) -> None:
    built.unit("hh-primarch-horus-lupercal")
    html = as_owner.get(f"{page_of(built)}?add={built.force_id}&role=hh-role-primarch").content.decode()
    offers = html.split('id="offers"')[1]
    row = next(part for part in offers.split('<div class="offer ') if "Horus Lupercal" in part)
    assert re.search(r"offer__add[^>]+disabled", row)
    assert "At most 1: you have 1" in row
    address = re.search(r'href="([^"]+/why/[^"]+)"', row)
    assert address
    assert "Horus Lupercal" in as_owner.get(unescape(address[1])).content.decode()


def test_a_role_of_which_nothing_can_be_taken_says_so(as_owner: Client, viewer: Viewer) -> None:
    """Heroes of another chapter fill a role of their own: no filter hides them, the present choices do."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(catalogue("red", "Red Host", CAPTAIN, GHOST)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    (force,) = services.check_army_list(made).state.forces
    page = as_owner.get(f"/lists/{made.pk}/?add={force.id}&role=troops").content.decode()
    assert "None of these units can be taken now." in page
    assert "Hidden Squad" in page
    page = as_owner.get(f"/lists/{made.pk}/?add={force.id}&role=hq&only=favourites").content.decode()
    assert "No unit passes these filters." in page


def test_a_group_of_what_a_unit_comes_with_has_no_heading_of_its_own(as_owner: Client, viewer: Viewer) -> None:
    """ "Wargear" stood over nothing where all of it belongs to the unit and none is a choice."""
    limit = '<constraint type="{0}" value="1" field="selections" scope="parent" id="t-{0}"/>'
    fixed = limit.format("min") + limit.format("max")
    talons = f"""<selectionEntryGroups><selectionEntryGroup id="gear" name="Wargear" hidden="false"><selectionEntries>
      <selectionEntry id="talons" name="Raven's Talons" type="upgrade" hidden="false"><constraints>{fixed}</constraints>
      </selectionEntry></selectionEntries></selectionEntryGroup></selectionEntryGroups><selectionEntries>"""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    bearer = CAPTAIN.replace("<selectionEntries>", talons, 1)
    publishing.publish(system, release(catalogue("red", "Red Host", bearer)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    (force,) = services.check_army_list(made).state.forces
    unit = services.apply_edit(viewer, made.pk, e.AddUnit(force_id=force.id, entry_id="captain"), expected_revision=1)
    page = as_owner.get(f"/lists/{made.pk}/?unit={unit.node_id}").content.decode().split('id="unit-options"')[1]
    assert "Comes with: Raven&#x27;s Talons" in re.sub(r"\s+", " ", page)
    assert ">Wargear<" not in page


@pytest.mark.parametrize(
    ("figures", "are_words"),
    [
        ((), True),
        ((("WS", "4"), ("ПБ", "5")), False),
        ((("BS", "4"), ("Transport", "10")), True),
        ((("WS", "4"),) * 9 + (("Ward Save", "4+"),), False),
    ],
)
def test_figures_stand_apart_from_words_beside_them(figures: tuple[tuple[str, str], ...], are_words: bool) -> None:
    """A hair's breadth between "WS" and 4 is read, between "Transport" and 10 or 2 and "models" it is none."""
    nothing: dict[str, Any] = dict.fromkeys(field.name for field in dataclasses.fields(AddRow))
    row = AddRow(**nothing | {"models": 2, "figures": figures})
    assert row.tells_words is are_words
    shown = render_to_string("armylists/_offer.html", {"row": row, "page": None})
    assert ("offer__figures--words" in shown) is are_words


def test_an_edit_is_announced_to_screen_readers(built: Muster, as_owner: Client) -> None:
    assert 'id="announce" class="hush" aria-live="polite"' in as_owner.get(page_of(built)).content.decode()
    fields = edit_form(built.row, "add_unit", force_id=built.force_id, entry_id="hh-la-praetor")
    html = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX).content.decode()
    told = re.search(r'<p id="announce" hx-swap-oob="innerHTML">([^<]+)</p>', html)
    assert told
    assert re.search(r"\d+ / 3,000 pts, Started, \d things to do\.", " ".join(told[1].split()))
    built.edit(e.SetPointsLimit(points_limit=100))
    fields = edit_form(built.row, "add_unit", force_id=built.force_id, entry_id="hh-la-praetor")
    html = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX).content.decode()
    told = re.search(r'<p id="announce" hx-swap-oob="innerHTML">([^<]+)</p>', html)
    assert told
    assert re.search(r"\d+ / 100 pts, Illegal\. \d errors?\.", " ".join(told[1].split()))


def stamps(html: str) -> str:
    return "".join(re.findall(r'data-stamp="([0-9a-f]+)"', html))


def test_an_answer_leaves_out_what_the_browser_has(built: Muster, as_owner: Client) -> None:
    for _ in range(3):
        built.unit("hh-la-tactical-squad")
    first, second = (unit.id for unit in built.report.state.forces[0].selections[-2:])
    before = as_owner.get(f"{page_of(built)}?unit={first}").content.decode()
    fields = edit_form(built.row, "rename", node_id=first, name="First", focus=f"unit={first}", have=stamps(before))
    html = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX).content.decode()
    assert re.search(rf'<div id="unit-{second}" data-same></div>', html)
    assert re.search(rf'<div class="unit[^>]+id="unit-{first}" data-stamp', html)
    assert "First" in html
    whole = as_owner.get(page_of(built)).content.decode()
    assert "data-same" not in whole
    others = re.findall(r'<div id="unit-([0-9a-f]{8,})" data-same></div>', html)
    shown = re.findall(r'<div class="unit[^>]+id="unit-([^"]+)"', whole)
    of_other_roles = [shown[0]]
    assert re.search(r'<section id="role-[^"]+" data-same></section>', html)
    assert sorted([*of_other_roles, *others, first]) == sorted(shown)


def test_a_refused_edit_answers_whole(built: Muster, as_owner: Client) -> None:
    have = stamps(as_owner.get(page_of(built)).content.decode())
    fields = edit_form(built.row, "remove", node_id="nothing", have=have)
    answer = as_owner.post(page_of(built, "list-edit"), fields, headers=HTMX)
    assert answer.status_code == 422
    assert "data-same" not in answer.content.decode()


def test_pages_are_compressed_for_browsers_that_ask(built: Muster, as_owner: Client) -> None:
    plain = as_owner.get(page_of(built))
    packed = as_owner.get(page_of(built), headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert len(packed.content) < len(plain.content) / 3


def test_the_add_screen_says_how_much_is_over_and_not_that_nothing_is_left(built: Muster, as_owner: Client) -> None:
    limit = edit_form(ArmyList.objects.get(pk=built.list_id), "set_points_limit", points_limit="1")
    as_owner.post(page_of(built, "list-edit"), limit)
    html = as_owner.get(f"{page_of(built)}?add={built.force_id}").content.decode()
    (told,) = re.findall(r'id="add-left">([^<]+)<', html)
    assert told.strip().endswith("over")


def test_what_is_over_the_limit_is_told_whole_or_not_at_all(built: Muster, as_owner: Client) -> None:
    """On a phone the line shows what has room: "· 2 690 over" lost its words, and the dot stood alone."""
    limit = edit_form(ArmyList.objects.get(pk=built.list_id), "set_points_limit", points_limit="1")
    as_owner.post(page_of(built, "list-edit"), limit)
    bar = as_owner.get(page_of(built)).content.decode().split('id="army-bar"')[1].split("</p>")[0]
    assert re.search(r'<span class="total__left">· [\d,]+ over</span>', bar), bar


def test_what_was_not_checked_is_told_once(as_owner: Client, built: Muster) -> None:
    """A part that a warning tells of stood above all warnings besides."""
    unit = next(unit for unit in built.document.roster.forces[0].selections if unit.name == "Tactical Squad")
    built.unit_facts(unit.id, own_points=80)
    assert built.report.unchecked
    for name in ("list", "list-print", "list-typed"):
        whole = as_owner.get(page_of(built, name)).content.decode()
        page = re.split(r'<section id="findings"|<span>Findings</span>', whole)[1]
        assert page.count("ts owner has set its price to 80") == 1, name
        assert page.count('<span class="tag">not checked</span>') == 1, name
        assert "<strong>Not checked</strong>" not in page, name
    text = as_owner.get(reverse("web:list-export", args=[built.list_id, "plain"])).content.decode()
    assert text.count("its owner has set its price to 80") == 1
