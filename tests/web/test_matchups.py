"""Two lists against each other, from the form to the charts."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.samples import Sample
from armybuilder.reference.names import AS_THEY_ARE
from armybuilder.simulations import queries
from armybuilder.simulations.models import SimulationRun
from armybuilder.simulations.tasks import perform_computation
from armybuilder.web.pages.matchup_answers import matrix_view, pair_view, units_of
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(built: Muster, as_owner: Client) -> str:
    """An open link to the owner's list."""
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0"})
    return f"http://testserver/s/{ShareLink.objects.get().token}/"


def ask(browser: Client, **fields: str) -> Any:
    return browser.post(reverse("web:matchup-new"), fields)


def finished(browser: Client, **fields: str) -> SimulationRun:
    """A question that was answered."""
    ask(browser, **fields)
    run = SimulationRun.objects.latest("created")
    perform(run)
    return SimulationRun.objects.get(pk=run.pk)


def perform(run: SimulationRun) -> None:
    if not run.is_finished:
        perform_computation(str(run.computation_id))


def test_from_the_form_to_the_matrix_and_a_pair(built: Muster, as_owner: Client, link: str) -> None:
    answer = ask(as_owner, attacker=str(built.list_id), defender_link=link)
    run = SimulationRun.objects.get()
    address = reverse("web:matchup", args=[run.pk])
    assert answer.url == address
    waiting = as_owner.get(address).content.decode()
    assert "<progress" in waiting
    assert 'http-equiv="refresh"' in waiting
    assert "<html" not in as_owner.get(address, headers={"HX-Request": "true"}).content.decode()
    perform(run)
    polled = as_owner.get(address, headers={"HX-Request": "true"})
    assert (polled.status_code, polled["HX-Redirect"]) == (204, address)
    page = as_owner.get(address).content.decode()
    assert '<table class="heat" ' in page
    assert "Tactical Squad" in page
    assert "What the figures rest on" in page
    assert "hx-trigger" not in page.split('id="run"')[1].split(">")[0]
    cell = re.search(r'name="pair" value="(\S+) (\S+)"', page)
    assert cell
    answer = as_owner.post(reverse("web:matchup-pairs", args=[run.pk]), {"pair": f"{cell[1]} {cell[2]}"})
    pair = SimulationRun.objects.exclude(pk=run.pk).get()
    assert answer.url == reverse("web:matchup", args=[pair.pk])
    perform(pair)
    page = as_owner.get(answer.url).content.decode()
    assert ": shooting at " in page
    assert ": assault on " in page
    assert '<svg class="chart__drawing"' in page
    assert re.search(r"<th scope=\"row\" class=\"number\">0</th>", page)
    assert re.search(r"In (\d|fewer|more).*fights", page)


def again(browser: Client, run: SimulationRun, **fields: str) -> Any:
    stated = {"stated": "1", "distance": "12", "facing": "front", **fields}
    return browser.post(reverse("web:matchup-again", args=[run.pk]), stated)


def test_circumstances_are_changed_beside_the_answer(
    built: Muster, as_owner: Client, as_stranger: Client, link: str
) -> None:
    run = finished(as_owner, attacker=str(built.list_id), defender_link=link)
    page = as_owner.get(reverse("web:matchup", args=[run.pk])).content.decode()
    assert 'id="id_distance"' in page and 'id="id_distance"' not in as_owner.get("/matchups/new/").content.decode()
    assert again(as_stranger, run, kind="matrix").status_code == 404
    refused = again(as_owner, run, kind="matrix", distance="5000")
    assert refused.status_code == 422 and '<table class="heat" ' in refused.content.decode()
    again(as_owner, run, kind="matrix", distance="30", attack="shooting")
    other = SimulationRun.objects.latest("created")
    perform(other)
    assert other.pk != run.pk and json.loads(other.asked)["conditions"]["distance"] == 30
    page = as_owner.get(reverse("web:matchup", args=[other.pk])).content.decode()
    assert "distance 30 inches" in page and re.search(r'name="distance" value="30"', page)


def test_a_pair_leads_back_to_its_matrix_and_keeps_the_way(built: Muster, as_owner: Client, link: str) -> None:
    matrix = finished(as_owner, attacker=str(built.list_id), defender_link=link)
    page = as_owner.get(reverse("web:matchup", args=[matrix.pk])).content.decode()
    picked = re.search(r'name="pair" value="(\S+ \S+)"', page)
    assert picked
    as_owner.post(reverse("web:matchup-pairs", args=[matrix.pk]), {"pair": picked[1]})
    pair = SimulationRun.objects.latest("created")
    perform(pair)
    again(as_owner, pair, kind="pair", distance="6")
    closer = SimulationRun.objects.latest("created")
    perform(closer)
    assert closer.kind == "pair" and json.loads(closer.asked)["conditions"]["distance"] == 6
    for run in (pair, closer):
        page = as_owner.get(reverse("web:matchup", args=[run.pk])).content.decode()
        assert f'href="{reverse("web:matchup", args=[matrix.pk])}"' in page


def test_one_unit_is_shown_as_bars(built: Muster, as_owner: Client, link: str) -> None:
    run = finished(as_owner, attacker=str(built.list_id), defender_link=link)
    address = reverse("web:matchup", args=[run.pk])
    view = matrix_view(queries.result_of(run), AS_THEY_ARE, measure="slain", way="forth")
    assert len(view.rows) == 2
    second = view.rows[1]
    assert view.row_of(second.unit.id) == second and view.row_of("no such unit") == view.rows[0]
    shares = [cell.share for _target, cell in second.bars if not cell.impossible]
    assert shares == sorted(shares, reverse=True) and max(cell.share for row in view.rows for cell in row.cells) == 1000
    page = as_owner.get(address, {"unit": second.unit.id}).content.decode()
    bars = page.split('id="one-unit"')[1].split("</section>")[0]
    assert bars.count("bars__line") == len(view.columns) and "is-chosen" in page


def test_a_finished_run_is_read_by_its_link_until_that_is_taken_back(
    built: Muster, as_owner: Client, as_stranger: Client, link: str, client: Client
) -> None:
    ask(as_owner, attacker=str(built.list_id), defender_link=link)
    run = SimulationRun.objects.get()
    where = reverse("web:matchup-share", args=[run.pk])
    if not run.is_finished:
        assert as_owner.post(where).status_code == 422
    perform(run)
    assert as_stranger.post(where).status_code == 404
    as_owner.post(where)
    run.refresh_from_db()
    assert run.share_token
    address = reverse("web:matchup-shared", args=[run.share_token])
    assert address in as_owner.get(reverse("web:matchup", args=[run.pk])).content.decode()
    answer = client.get(address)
    page = answer.content.decode().split("<main")[1].split("</main")[0]
    assert answer.status_code == 200 and answer["X-Robots-Tag"] == "noindex"
    assert '<table class="heat" ' in page and "<form" not in page and "<button" not in page
    assert client.get(reverse("web:matchup", args=[run.pk])).status_code == 404
    as_owner.post(where, {"do": "revoke"})
    assert client.get(address).status_code == 404 and client.get("/m/none/").status_code == 404


def test_an_opponent_comes_as_a_file(built: Muster, as_owner: Client) -> None:
    text = as_owner.get(reverse("web:list-export", args=[built.list_id, "json"])).content
    file = SimpleUploadedFile("theirs.json", text)
    fields = {"attacker": str(built.list_id), "defender_file": file}
    answer = as_owner.post(reverse("web:matchup-new"), fields)
    assert answer.status_code == 302
    theirs = ArmyList.objects.exclude(pk=built.list_id).get()
    assert (theirs.folder, theirs.owner) == ("Opponents", built.viewer.user)
    assert json.loads(SimulationRun.objects.get().asked)["defender"] == {"list": str(theirs.pk)}
    fields["defender_file"] = SimpleUploadedFile("broken.ros", b"no roster")
    assert as_owner.post(reverse("web:matchup-new"), fields).status_code == 422
    assert SimulationRun.objects.count() == 1


def test_both_sides_are_filled_in_so_that_one_tap_runs_it(
    built: Muster, as_owner: Client, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = ShareLink.objects.get()
    offered = (Sample(shared.army_list, shared, "Spearhead"),)
    monkeypatch.setattr("armybuilder.web.views.matchups.samples", lambda: offered)
    page = as_owner.get(reverse("web:matchup-new")).content.decode()
    assert re.findall(r'<option value="([^"]+)" selected', page) == [str(built.list_id), shared.token]


def test_both_directions_and_all_measures(built: Muster, as_owner: Client, link: str) -> None:
    ask(as_owner, attacker=str(built.list_id), defender_link=link)
    run = SimulationRun.objects.get()
    perform(run)
    address = reverse("web:matchup", args=[run.pk])
    shown = {as_owner.get(address, {"show": show}).content for show in ("slain", "points", "chance")}
    assert len(shown) == 3
    assert "Their units shoot" in as_owner.get(address, {"way": "back"}).content.decode()
    assert as_owner.get(address, {"show": "x", "way": "x"}).status_code == 200


@pytest.mark.parametrize(
    ("case", "fields"),
    [
        ("no lists", {}),
        ("one list", {"attacker": "MINE"}),
        ("no link", {"attacker": "MINE", "defender_link": "https://elsewhere.example/"}),
        ("an unknown link", {"attacker": "MINE", "defender_link": "/s/AAAAAAAAAAAAAAAAAAAAAA/"}),
    ],
)
def test_what_cannot_be_asked_is_refused(built: Muster, as_owner: Client, case: str, fields: dict[str, str]) -> None:
    answer = ask(as_owner, **{k: v.replace("MINE", str(built.list_id)) for k, v in fields.items()})
    assert answer.status_code == 422, case
    assert not SimulationRun.objects.exists()


def test_lists_of_others_are_no_choice(built: Muster, as_stranger: Client) -> None:
    answer = ask(as_stranger, attacker=str(built.list_id), defender=str(built.list_id))
    assert answer.status_code == 422
    assert "First draft" not in answer.content.decode()
    assert not SimulationRun.objects.exists()


def test_runs_are_private_and_can_be_cancelled(built: Muster, as_owner: Client, as_stranger: Client, link: str) -> None:
    ask(as_owner, attacker=str(built.list_id), defender_link=link)
    run = SimulationRun.objects.get()
    address = reverse("web:matchup", args=[run.pk])
    cancel = reverse("web:matchup-cancel", args=[run.pk])
    assert as_stranger.get(address).status_code == 404
    assert as_stranger.post(cancel).status_code == 404
    run.refresh_from_db()
    assert run.cancelled is None
    assert as_owner.get(cancel).status_code == 405
    as_owner.post(cancel)
    assert "cancelled" in as_owner.get(address).content.decode()
    shown = run.title.replace(" – ", "\u00a0– ")
    assert shown in as_owner.get(reverse("web:matchups")).content.decode()


def test_a_pair_needs_a_matrix(built: Muster, as_owner: Client, link: str) -> None:
    ask(as_owner, attacker=str(built.list_id), defender_link=link)
    run = SimulationRun.objects.get()
    assert as_owner.post(reverse("web:matchup-pairs", args=[run.pk]), {"pair": "x"}).status_code == 404
    assert as_owner.get(reverse("web:matchup-pair", args=[run.pk, "a", "b"])).status_code == 200
    assert as_owner.post(reverse("web:matchup-pair", args=[run.pk, "a", "b"])).status_code == 404


UNIT = {"id": "u", "name": "Squad", "points": 100.0, "models": 10, "unknown": []}
SIDES = {
    "system": "horus-heresy",
    "attacker": {"name": "Mine", "units": [UNIT | {"id": "a"}]},
    "defender": {"name": "Theirs", "units": [UNIT | {"id": "b"}, UNIT | {"id": "c", "name": "Tank", "models": 1}]},
    "conditions": {"distance": 12.0},
}


def test_a_matrix_says_every_figure() -> None:
    result = SIDES | {
        "forth": [
            [
                {
                    "models_slain": 3.25,
                    "points_destroyed": 32.5,
                    "p_destroyed": 0.004,
                    "points_per_point": 0.65,
                    "not_simulated": ["fear"],
                },
                {"models_slain": 0.5, "hull_points_lost": 1.5, "points_destroyed": 50.0, "p_destroyed": 0.5},
            ]
        ],
        "back": [[{"impossible": "no weapon"}], [{"models_slain": 1.0}]],
    }
    view = matrix_view(result, AS_THEY_ARE, measure="slain", way="forth")
    assert [(cell.figure, cell.step, cell.marks) for cell in view.rows[0].cells] == [("3.2", 9, 1), ("1.5 HP", 1, 0)]
    assert "<1%" in view.rows[0].cells[0].small
    dear = matrix_view(result, AS_THEY_ARE, measure="return", way="forth")
    assert [(cell.figure, cell.step) for cell in dear.rows[0].cells] == [("0.65", 9), ("0.00", 0)]
    back = matrix_view(result, AS_THEY_ARE, measure="chance", way="back")
    assert [unit.name for unit in back.idle_attackers] == ["Squad"]
    assert [row.unit.name for row in back.rows] == ["Tank"]


def test_units_that_nobody_can_attack_have_no_column() -> None:
    result = SIDES | {"forth": [[{"models_slain": 1.0}, {"impossible": True}]], "back": [[{"impossible": True}]] * 2}
    view = matrix_view(result, AS_THEY_ARE, measure="slain", way="forth")
    assert [unit.id for unit in view.columns] == ["b"] and [unit.name for unit in view.untargetable] == ["Tank"]
    assert [len(row.cells) for row in view.rows] == [1]
    assert not matrix_view(result, AS_THEY_ARE, measure="slain", way="back").rows


def test_a_pair_speaks_in_words() -> None:
    attack = {
        "weapons": ["Bolter"],
        "metrics": {"models_slain": 4.1, "p_destroyed": 0.0},
        "distributions": {"models_slain": {"3": 0.3, "4": 0.3, "5": 0.4}},
        "not_simulated": ["fear"],
        "approximated": [{"rule": "blast", "how": "no scatter"}],
        "modelled": ["rending (6+)"],
        "assumptions": ["All in range."],
    }
    result = SIDES | {"forth": {"shooting": attack}, "back": {"shooting": {"impossible": "out of range"}}}
    shooting, back = pair_view(result, AS_THEY_ARE).parts
    assert shooting.title == "Squad (mine): shooting at Squad (theirs)"
    assert shooting.sentence == "In 7 of 10 fights at least 4 models die."
    assert shooting.typical == "At least 8 of 10 fights end between 3 and 5."
    assert ("points destroyed, on average", "41") in shooting.figures
    assert shooting.weapons == ("Bolter",)
    assert shooting.notes.not_simulated == ("Fear",)
    assert shooting.notes.approximated == (("Blast", "no scatter"),)
    assert back.impossible == "This attack cannot be made."
    assert back.chart is None


def test_why_an_attack_cannot_be_made_is_said_in_both_languages() -> None:
    reason = {"impossible": "no weapon reaches", "x-ru": {"impossible": "ни одно оружие не достаёт"}}
    attack = {"metrics": {"models_slain": 1.0}}
    result = SIDES | {"forth": {"assault": reason, "shooting": attack}, "back": {"shooting": attack}}
    view = pair_view(result, AS_THEY_ARE)
    assert view.parts[1].impossible == "This attack cannot be made: no weapon reaches."
    with override("ru"):
        assert pair_view(result, AS_THEY_ARE).parts[1].impossible.endswith(": ни одно оружие не достаёт.")
    assert [[part.key for part in direction] for direction in view.directions] == [
        ["forth-shooting", "forth-assault"],
        ["back-shooting"],
    ]


def test_what_a_volley_leaves_behind_has_words() -> None:
    """Every chance of a test that an attack may cause is told."""
    names = (
        "p_immobilised", "p_shocked", "p_flees", "p_pinned", "p_blinded", "p_concussed", "p_irradiated",
    )  # fmt: skip
    slain = {"p_slain:Sergeant": 0.5, "p_attacker_slain:Praetor": 0.75}
    attack = {"metrics": dict.fromkeys(names, 0.25) | slain, "distributions": {}}
    result = SIDES | {"forth": {"shooting": attack}, "back": {"shooting": {"impossible": "out of range"}}}
    figures = pair_view(result, AS_THEY_ARE).parts[0].figures
    assert len(figures) == len(names) + len(slain)
    assert ("target is pinned", "25%") in figures
    assert figures[-2:] == (("Sergeant is slain", "50%"), ("own Praetor is slain", "75%"))


def test_samples_can_be_chosen_on_both_sides(
    built: Muster, client: Client, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = ShareLink.objects.get()
    offered = (Sample(shared.army_list, shared, "Spearhead"),)
    monkeypatch.setattr("armybuilder.web.views.matchups.samples", lambda: offered)
    page = client.get(reverse("web:matchup-new")).content.decode()
    assert page.count('<optgroup label="Samples">') == 2
    answer = ask(client, attacker=shared.token, defender=shared.token)
    run = SimulationRun.objects.get()
    assert answer.url == reverse("web:matchup", args=[run.pk])
    perform(run)
    assert '<table class="heat" ' in client.get(answer.url).content.decode()
    assert ask(client, attacker="somebody-else", defender=shared.token).status_code == 422


def test_rules_without_a_part_and_those_already_told_are_not_called_not_modelled() -> None:
    unit = {"id": "a", "name": "Squad", "points": 100, "models": 4, "unknown": ["Guided Missiles"]}
    attack = {
        "metrics": {"units_destroyed": 0.0},
        "distributions": {"units_destroyed": {"0": 1.0}},
        "not_simulated": ["Scout", "Guided Missiles", "Skimmer", "Void Shields (2)"],
    }
    result = {
        "system": "epic",
        "attacker": {"name": "Reds", "units": [unit]},
        "defender": {"name": "Blues", "units": [unit | {"name": "Titan", "unknown": []}]},
        "conditions": {},
        "forth": {"shooting": attack},
        "back": {"shooting": attack},
    }
    part = pair_view(result, AS_THEY_ARE).parts[0]
    assert (part.notes.idle, part.notes.not_simulated) == (("Scout", "Skimmer"), ("Void Shields (2)",))
    assert (part.sentence, part.typical) == ("Nothing is lost in any fight.", "")


def test_units_of_the_same_name_are_numbered() -> None:
    unit = {"id": "a", "name": "Squad", "points": 100, "models": 4}
    side = {"units": [unit, unit | {"id": "b"}, unit | {"id": "c", "name": "Tank"}]}
    assert [unit.name for unit in units_of(side, AS_THEY_ARE)] == ["Squad 1", "Squad 2", "Tank"]


@pytest.mark.django_db
def test_the_list_of_matchups_says_what_each_is(built: Muster, as_owner: Client, link: str) -> None:
    run = finished(as_owner, attacker=str(built.list_id), defender_link=link)
    again(as_owner, run, kind="matrix", attack="assault")
    page = as_owner.get(reverse("web:matchups")).content.decode()
    assert "two lists: assault" in page


@pytest.mark.django_db
def test_refusals_are_told_in_the_language_of_the_page(built: Muster, as_owner: Client) -> None:
    as_owner.cookies["django_language"] = "ru"
    nowhere = "http://testserver/s/AAAABBBBCCCCDDDDEEEEFF/"
    answer = ask(as_owner, attacker=str(built.list_id), defender_link=nowhere)
    assert (answer.status_code, "Эта ссылка не ведёт к ростеру" in answer.content.decode()) == (422, True)
