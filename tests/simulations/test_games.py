"""The shipped sample lists of every game that can be fought, from stored lists to the page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.samples import load_sample, read_sample, samples
from armybuilder.engine.systems.game import LIST_RULES, battle_rules_of, has_matchups, matchup_rules_of, target_book_of
from armybuilder.simulations import targets
from armybuilder.simulations.models import SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import FIXTURES, shipped_game
from tests.breadth import share
from tests.simulations.test_matrices import answer

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GAMES = [system for system in LIST_RULES if has_matchups(system)]


@pytest.fixture
def links() -> Callable[[str], tuple[str, str]]:
    """Share tokens of the two legal samples of a game that cost most."""

    def made(system: str) -> tuple[str, str]:
        shipped_game(system)
        for path in sorted((FIXTURES.parent / system / "lists").glob("*.json")):
            load_sample(read_sample(path))
        legal = [sample for sample in samples(system) if "illegal" not in sample.army_list.verdict]
        found = sorted(legal, key=lambda sample: sample.army_list.points or 0, reverse=True)
        return found[0].link.token, found[1].link.token

    return made


def asked(tokens: tuple[str, str], **facts: Any) -> dict[str, Any]:
    return {"kind": "matrix", "attacker": {"share": tokens[0]}, "defender": {"share": tokens[1]}} | facts


@pytest.mark.parametrize("system", GAMES)
def test_every_attack_of_every_game_has_a_matrix(system: str, links: Callable[[str], tuple[str, str]]) -> None:
    tokens = links(system)
    for attack in share(matchup_rules_of(system).matrix, of=3):
        result = answer(Viewer(), asked(tokens, attack=attack, system=system))
        cells = [cell for row in (*result["forth"], *result["back"]) for cell in row if not cell.get("impossible")]
        assert result["attack"] == attack
        assert any(cell["points_destroyed"] > 0 for cell in cells), attack
        assert not {item["rule"] for item in result["approximated"]} & set(result["not_simulated"])
        assert len(result["approximated"]) == len(result["x-ru"]["approximated"])


@pytest.mark.parametrize("system", GAMES)
def test_from_the_form_to_a_pair_in_both_languages(
    system: str, links: Callable[[str], tuple[str, str]], client: Client
) -> None:
    mine, theirs = links(system)
    page = client.get(reverse("web:matchup-new"), {"attacker": mine, "defender": theirs}).content.decode()
    assert f'name="game" value="{system}"' in page, "the lists say which game it is"
    stated = {
        name: str(value)
        for name, value in zip(
            matchup_rules_of(system).conditions.__struct_fields__,
            matchup_rules_of(system).conditions.__struct_defaults__,
            strict=True,
        )
        if value is not None and value is not False
    }
    sent = client.post(
        reverse("web:matchup-new"), {"game": system, "attacker_link": mine, "defender_link": theirs, **stated}
    )
    assert sent.status_code == 302, sent.content.decode()
    run = SimulationRun.objects.get()
    perform_computation(str(run.computation_id))
    cell = client.get(sent.url).content.decode().partition('name="pair" value="')[2].partition('"')[0]
    assert cell
    pair = client.post(reverse("web:matchup-pairs", args=[run.pk]), {"pair": cell})
    perform_computation(str(SimulationRun.objects.exclude(pk=run.pk).get().computation_id))
    for language, words in (("en", "on average"), ("ru", "в среднем")):
        client.cookies["django_language"] = language
        shown = client.get(pair.url).content.decode()
        assert words in shown
        assert '<svg class="chart__drawing"' in shown or "chart" in shown


@pytest.mark.parametrize("system", [system for system in GAMES if battle_rules_of(system) is not None])
def test_whole_battles_of_the_samples(system: str, links: Callable[[str], tuple[str, str]]) -> None:
    result = answer(Viewer(), {**asked(links(system)), "kind": "battle", "trials": 300})
    metrics = result["metrics"]
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1)
    assert metrics["attacker_points_left"] < result["turns"][0]["attacker"]["points_left"]


@pytest.mark.parametrize("system", [system for system in GAMES if target_book_of(system) is not None])
def test_lists_meet_the_yardsticks(system: str, links: Callable[[str], tuple[str, str]]) -> None:
    tokens = links(system)
    key = targets.standard_targets(system)[0].key
    result = answer(Viewer(), asked(tokens, defender={"standard": f"{system}/{key}"}))
    assert len(result["defender"]["units"]) == 1
    assert any(not row[0].get("impossible") for row in result["forth"])


def test_a_form_of_another_game_is_refused(links: Callable[[str], tuple[str, str]], client: Client) -> None:
    mine, theirs = links("epic")
    shipped_game("wh40k-6th")
    sent = client.post(
        reverse("web:matchup-new"),
        {"game": "wh40k-6th", "attacker_link": mine, "defender_link": theirs, "distance": "12"},
    )
    assert sent.status_code == 422
    assert not SimulationRun.objects.exists()
