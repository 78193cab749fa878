"""Whole battles from the form to the charts, and every chart as a picture by its address."""

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.armylists.models import ShareLink
from armybuilder.reference.names import AS_THEY_ARE
from armybuilder.simulations import queries
from armybuilder.simulations.chart_addresses import OF_A_MATRIX, charts_of
from armybuilder.simulations.models import SimulationRun
from armybuilder.simulations.tasks import perform_computation
from armybuilder.web.charts.timelines import segments, share_chart, timeline
from armybuilder.web.pages.battle_answers import battle_view
from armybuilder.web.pages.matchup_answers import MEASURES
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def link(built: Muster, as_owner: Client) -> str:
    """An open link to the owner's list."""
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0"})
    return f"http://testserver/s/{ShareLink.objects.get().token}/"


def asked(browser: Client, **fields: str) -> SimulationRun:
    """A question that was answered."""
    answer = browser.post(reverse("web:matchup-new"), fields)
    run = SimulationRun.objects.latest("created")
    assert answer.url == reverse("web:matchup", args=[run.pk])
    if not run.is_finished:
        perform_computation(str(run.computation_id))
    return run


def page_of(browser: Client, run: SimulationRun, **query: str) -> str:
    return browser.get(reverse("web:matchup", args=[run.pk]), query).content.decode()


def pictures_in(page: str) -> list[str]:
    return re.findall(r'href="(/pictures/[^"]+)"', page)


def test_two_lists_fight_whole_battles(built: Muster, as_owner: Client, link: str) -> None:
    form = as_owner.get(reverse("web:matchup-new")).content.decode()
    assert 'name="kind" value="battle"' in form
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="battle")
    assert (run.kind, run.computation.chunk_count) == ("battle", 1)
    page = page_of(as_owner, run)
    assert "An even battle" in page, "the list against itself"
    assert re.search(r"10,000 battles were fought with dice \(seed 0\)", page)
    assert page.count('<svg class="chart__drawing chart__drawing--wide"') == 3
    assert page.count("As a table") == 2
    for words in (
        "Who killed whom",
        "The course of the battle",
        "What is left at the end",
        "Approximated",
        "Objectives",
    ):
        assert words in page, words
    assert "Blood Feud" in page


def test_an_answer_kept_since_before_a_figure_was_worked_out(built: Muster, as_owner: Client, link: str) -> None:
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="battle")
    result = queries.result_of(SimulationRun.objects.get(pk=run.pk))
    assert result is not None
    older = {name: figure for name, figure in result["metrics"].items() if not name.startswith("p_win_going")}
    figures = dict(battle_view({**result, "metrics": older}, AS_THEY_ARE).figures)
    assert figures["I win, going first"] == "–"
    assert figures["turns played"] == "6.0"


def test_all_units_of_a_kind_are_named_with_what_is_not_known_of_them(
    built: Muster, as_owner: Client, link: str
) -> None:
    """Of two mobs of one kind only the last was."""
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="battle")
    result = queries.result_of(SimulationRun.objects.get(pk=run.pk))
    assert result is not None
    unit = result["attacker"]["units"][0]
    alike = [{**unit, "id": unit_id, "name": "Mob", "unknown": ["Klaws"]} for unit_id in ("a", "b")]
    seen = battle_view({**result, "attacker": {**result["attacker"], "units": alike}}, AS_THEY_ARE)
    told = [(one.name, one.unknown) for one in seen.units_with_unknown_rules if "Klaws" in one.unknown]
    assert told == [("Mob 1, Mob 2", ("Klaws",))]


def test_the_page_speaks_russian(built: Muster, as_owner: Client, link: str) -> None:
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="battle")
    as_owner.cookies["language"] = "ru"
    page = as_owner.get(reverse("web:matchup", args=[run.pk]), headers={"Accept-Language": "ru"}).content.decode()
    assert "Силы равны" in page
    assert "Ход сражения" in page
    assert "Кровавая вражда" in page
    assert all("/ru/" in address for address in pictures_in(page))


def test_the_same_lists_are_asked_another_question(built: Muster, as_owner: Client, link: str) -> None:
    matrix = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="matrix")
    assert matrix.kind == "matrix"
    assert reverse("web:matchup-again", args=[matrix.pk]) in page_of(as_owner, matrix)
    kinds = []
    for run, kind in ((matrix, "battle"), (matrix, "matrix")):
        as_owner.post(reverse("web:matchup-again", args=[run.pk]), {"kind": kind})
        kinds.append(SimulationRun.objects.latest("created").kind)
    assert kinds == ["battle", "matrix"]
    as_owner.post(reverse("web:matchup-again", args=[matrix.pk]), {"kind": "battle", "mission": "war_of_lies"})
    assert json.loads(SimulationRun.objects.latest("created").asked)["mission"] == "war_of_lies"
    before = SimulationRun.objects.count()
    assert as_owner.post(reverse("web:matchup-again", args=[matrix.pk]), {"kind": "pair"}).status_code == 404
    assert SimulationRun.objects.count() == before


def test_a_stranger_asks_nothing_about_somebody_elses_run(
    built: Muster, as_owner: Client, as_stranger: Client, link: str
) -> None:
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="matrix")
    answer = as_stranger.post(reverse("web:matchup-again", args=[run.pk]), {"kind": "battle"})
    assert answer.status_code == 404
    assert SimulationRun.objects.count() == 1


@pytest.mark.parametrize("kind", ["battle", "matrix", "pair"])
@pytest.mark.long
def test_every_chart_is_a_picture_for_whoever_has_its_address(
    kind: str, built: Muster, as_owner: Client, link: str, client: Client
) -> None:
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="matrix" if kind == "pair" else kind)
    if kind == "pair":
        cell = re.search(r'name="pair" value="(\S+) (\S+)"', page_of(as_owner, run))
        assert cell
        as_owner.post(reverse("web:matchup-pairs", args=[run.pk]), {"pair": f"{cell[1]} {cell[2]}"})
        run = SimulationRun.objects.latest("created")
        perform_computation(str(run.computation_id))
    addresses = pictures_in(page_of(as_owner, run))
    assert {address.rpartition(".")[2] for address in addresses} == {"png", "svg"}
    assert len(addresses) >= {"battle": 6, "matrix": 2, "pair": 16}[kind]
    run = SimulationRun.objects.get(pk=run.pk)
    shown = {address.rpartition("/")[2] for address in addresses}
    named = {f"{name}.{ending}" for name in charts_of(run, queries.result_of(run)) for ending in ("png", "svg")}
    assert shown <= named if kind == "matrix" else shown == named, "the API names what the page shows"
    for address in addresses:
        answer = client.get(address)  # not signed in
        assert answer.status_code == 200, address
        assert "public" in answer["Cache-Control"]
        if address.endswith("png"):
            assert (answer["Content-Type"], answer.content[:8]) == ("image/png", PNG)
        else:
            assert answer["Content-Type"] == "image/svg+xml"
            assert "'unsafe-inline'" in answer["Content-Security-Policy"]
            assert "script" not in answer["Content-Security-Policy"]
            drawing = ElementTree.fromstring(answer.content)
            assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    if kind == "matrix":
        assert tuple(MEASURES) == OF_A_MATRIX
        for measure in MEASURES:
            seen = pictures_in(page_of(as_owner, run, show=measure, way="back"))
            assert all("/back-" in address for address in seen)


def test_an_address_that_was_not_signed_shows_nothing(
    built: Muster, as_owner: Client, link: str, client: Client
) -> None:
    run = asked(as_owner, attacker=str(built.list_id), defender_link=link, kind="battle")
    address = next(address for address in pictures_in(page_of(as_owner, run)) if address.endswith("timeline.svg"))
    signature = address.split("/")[3]
    forged = address.replace(signature, signature[::-1])
    others = [
        address.replace("timeline", "forth-slain"),
        address.replace(".svg", ".pdf"),
        address.replace("/en/", "/fr/"),
    ]
    for wrong in (forged, *others):
        assert client.get(wrong).status_code == 404, wrong
    assert client.get(address).status_code == 200
    SimulationRun.objects.filter(pk=run.pk).delete()
    assert client.get(address).status_code == 404


def _side(points: float) -> dict[str, Any]:
    return {"points_left": points, "low": points * 0.8, "high": points * 1.1}


def test_a_timeline_goes_from_left_to_right_and_down() -> None:
    turns = [{"attacker": _side(p), "defender": _side(q)} for p, q in ((1000, 900), (800, 500), (700, 0))]
    chart = timeline(("A", "B"), turns)
    for series in chart.series:
        assert [x for x, _, _ in series.dots] == sorted(x for x, _, _ in series.dots)
        heights = [y for _, y, _ in series.dots]
        assert heights == sorted(heights), "less is further down"
    assert chart.series[1].dots[-1][1] == chart.ticks[0].y, "nothing left lies on the axis"
    assert chart.ticks[-1].chance >= 1100


def test_bars_are_in_proportion() -> None:
    parts = segments({"win": 0.7, "draw": 0.0, "lose": 0.3}, {"win": "70%", "draw": "0%", "lose": "30%"}, width=100)
    assert [(part.key, part.width) for part in parts] == [("win", 70.0), ("lose", 30.0)]
    chart = share_chart({"0": 0.25, "100": 0.75}, {"50": 1.0})
    assert sum(mine for _, mine, _ in chart.rows) == sum(theirs for _, _, theirs in chart.rows) == 1.0
    assert max(bar.height for bar in chart.bars) == max(b.height for b in chart.bars if b.side == "theirs")
