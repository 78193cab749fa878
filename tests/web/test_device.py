"""The site as an installed program, what its worker is given, and lists as devices keep them."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from armybuilder.armylists.models import ArmyList
from armybuilder.web.views import device
from armybuilder.web.views.device import LOOKS
from tests.armylists.conftest import Muster
from tests.web.conftest import edit_form

pytestmark = pytest.mark.django_db

STYLES = Path(settings.BASE_DIR) / "armybuilder" / "web" / "static" / "web" / "site.css"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
KEPT = (
    "site/_head.html",
    "site/_editing.html",
    "armylists/builder.html",
    "armylists/play.html",
    "armylists/shared.html",
)
"""Templates of pages that devices keep, as far as they name static files."""


def token(name: str) -> tuple[str, str]:
    """The values of a colour in the light and in the dark theme."""
    found = re.search(rf"--{name}: var\(--light, (#\w+)\) var\(--dark, (#\w+)\)", STYLES.read_text())
    assert found is not None
    return found[1], found[2]


@pytest.mark.parametrize(("language", "new_list"), [("en", "New list"), ("ru", "Новый ростер")])
def test_the_site_can_be_installed_in_both_languages(language: str, new_list: str) -> None:
    client = Client()
    client.cookies["django_language"] = language
    page = client.get("/about/").content.decode()
    address = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert address is not None and address[1] == f"/manifest/{language}.webmanifest"
    answer = Client().get(address[1])
    manifest = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert (manifest["lang"], manifest["shortcuts"][0]["name"]) == (language, new_list)
    assert manifest["background_color"] == token("ground")[0]
    assert manifest["theme_color"] == token("panel")[0]
    assert [one for one in token("panel") if f'content="{one}"' not in page] == []
    for icon in manifest["icons"]:
        drawn = Path(str(finders.find(icon["src"].removeprefix(settings.STATIC_URL)))).read_bytes()
        side = int.from_bytes(drawn[16:20])
        assert drawn.startswith(b"\x89PNG") and icon["sizes"] == f"{side}x{side}"


def test_a_manifest_in_another_language_is_not_there() -> None:
    assert Client().get("/manifest/xx.webmanifest").status_code == 404


def test_the_worker_stands_at_the_root_and_is_asked_for_anew() -> None:
    answer = Client().get("/worker.js")
    script = answer.content.decode()
    assert answer["Content-Type"].startswith("text/javascript")
    assert (answer["Cache-Control"], answer["Service-Worker-Allowed"]) == ("no-cache", "/")
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    first, rest = script.split("\n", 1)
    site = json.loads(first.removeprefix("self.SITE = ").removesuffix(";"))
    assert rest.startswith("/*") and len(site["looks"]) == len(LOOKS)


def test_another_look_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    device._worker.cache_clear()
    before = device._worker().split("\n", 1)[0]
    monkeypatch.setattr(device, "LOOKS", LOOKS[1:])
    device._worker.cache_clear()
    after = device._worker().split("\n", 1)[0]
    device._worker.cache_clear()
    assert json.loads(before[12:-1])["version"] != json.loads(after[12:-1])["version"]


@pytest.mark.parametrize("template", KEPT)
def test_what_kept_pages_look_like_is_kept_with_them(template: str) -> None:
    named = re.findall(r'{% static "([^"]+)" %}', (TEMPLATES / template).read_text())
    assert [name for name in named if name not in LOOKS and not name.startswith("web/app/")] == []


def test_pages_say_whose_they_are_and_not_who_it_is(built: Muster, as_owner: Client, as_stranger: Client) -> None:
    marks = [client.get("/lists/")["Kept-For"] for client in (as_owner, as_stranger, Client())]
    assert len(set(marks)) == 3
    assert marks[0].startswith("user-") and marks[2] == "nobody"
    page = as_owner.get(f"/lists/{built.list_id}/")
    assert page["Kept-For"] == marks[0] and f'data-whose="{marks[0]}"' in page.content.decode()
    assert str(built.viewer.user) not in marks[0]


def test_a_guest_has_a_mark_from_the_first_list_on(game: object) -> None:
    client = Client()
    client.post("/lists/new/", {"system": "horus-heresy", "faction": "nothing"})
    assert client.get("/lists/")["Kept-For"] == "nobody"


def test_a_list_for_the_device_has_the_panes_that_the_page_would_ask_for(built: Muster, as_owner: Client) -> None:
    address = f"/lists/{built.list_id}/"
    answer = as_owner.get(f"{address}device/")
    whole = answer.json()
    assert whole["revision"] == built.row.revision
    assert f'value="{whole["revision"]}"' in whole["page"] and "<html" in whole["page"]
    units = re.findall(r'href="\?(unit=[^"#]+)', whole["page"])
    assert units and set(units) < set(whole["panes"]) and "" in whole["panes"]
    for query, pane in whole["panes"].items():
        asked = as_owner.get(f"{address}?{query}", headers={"HX-Request": "true", "HX-Target": "detail"})
        assert without_secrets(pane) == without_secrets(asked.content.decode()), query


def without_secrets(html: str) -> str:
    """A page without the tokens of its forms, which are masked anew every time."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)


def test_a_list_for_the_device_is_sent_once_and_to_its_owner_alone(
    built: Muster, as_owner: Client, as_stranger: Client
) -> None:
    address = f"/lists/{built.list_id}/device/"
    kept = as_owner.get(address)["Kept-As"]
    assert as_owner.get(f"{address}?have={kept}").status_code == 204
    as_owner.post(f"/lists/{built.list_id}/edit/", edit_form(built.row, "set_name", name="Another name"))
    anew = as_owner.get(f"{address}?have={kept}")
    assert anew.status_code == 200 and "Another name" in anew.json()["page"]
    assert as_stranger.get(address).status_code == 404
    assert "no-store" in anew["Cache-Control"]


def kept(built: Muster, *queries: str, once: str = "") -> dict[str, str]:
    """The form of changes kept on a device since the present state."""
    return {"edit": "kept", "kept": json.dumps(queries), "once": once, "revision": str(built.row.revision)}


def test_changes_kept_on_a_device_come_as_one_revision_in_their_order(built: Muster, as_owner: Client) -> None:
    address, before = f"/lists/{built.list_id}/edit/", built.row.revision
    names = ("edit=set_name&name=First", "do=edit%3Dset_points_limit%26points_limit%3D1234", "edit=set_name&name=Last")
    answer = as_owner.post(address, kept(built, *names), headers={"HX-Request": "true"})
    assert answer.status_code == 200 and answer["Shown-Revision"] == str(before + 1)
    row = ArmyList.objects.get(pk=built.list_id)
    assert (row.revision, row.name, row.points_limit) == (before + 1, "Last", 1234)


def test_changes_whose_answer_was_lost_are_not_made_twice(built: Muster, as_owner: Client) -> None:
    address, form = f"/lists/{built.list_id}/edit/", kept(built, "edit=set_name&name=Once", once="k1")
    first = as_owner.post(address, form, headers={"HX-Request": "true"})
    again = as_owner.post(address, form, headers={"HX-Request": "true"})
    assert [answer.status_code for answer in (first, again)] == [200, 200]
    assert again["Shown-Revision"] == first["Shown-Revision"]


def test_changes_to_a_list_that_changed_wait_for_a_decision(built: Muster, as_owner: Client) -> None:
    address, form = f"/lists/{built.list_id}/edit/", kept(built, "edit=set_name&name=Mine", once="k2")
    as_owner.post(address, edit_form(built.row, "set_name", name="Theirs"))
    answer = as_owner.post(address, form, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert answer.status_code == 409 and "data-repeat-kept" in page and "data-leave-kept" in page
    assert ArmyList.objects.get(pk=built.list_id).name == "Theirs"
    present = form | {"revision": str(ArmyList.objects.get(pk=built.list_id).revision)}
    assert as_owner.post(address, present, headers={"HX-Request": "true"}).status_code == 200
    assert ArmyList.objects.get(pk=built.list_id).name == "Mine"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '["edit=nothing"]', json.dumps(["edit=set_name&name=A"] * 101)])
def test_what_is_no_list_of_changes_is_refused(built: Muster, as_owner: Client, text: str) -> None:
    form = kept(built) | {"kept": text, "once": "k3"}
    answer = as_owner.post(f"/lists/{built.list_id}/edit/", form, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert ArmyList.objects.get(pk=built.list_id).revision == built.row.revision
