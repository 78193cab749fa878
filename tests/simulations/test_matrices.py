"""Two stored lists against each other: every pair, one pair in depth, and nobody else's lists."""

from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services as lists
from armybuilder.armylists.errors import NotFound
from armybuilder.engine.errors import BadDocument, Cancelled, LimitExceeded
from armybuilder.simulations import list_requests, matrices, queries, services
from armybuilder.simulations.models import Computation, RunState, SimulationRun
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import Muster, heresy, muster, viewer

__all__ = ["heresy", "muster", "viewer"]

SHOOTERS = ("hh-la-tactical-squad", "hh-la-predator-squadron", "hh-la-praetor")


@pytest.fixture
def armies(muster: Callable[..., Muster]) -> tuple[Muster, Muster]:
    """Mine and theirs: eight shooting units, so that a direction has two chunks, against two."""
    mine, theirs = muster(name="Mine"), muster(name="Theirs")
    mine.units(*SHOOTERS, *["hh-la-rapier-battery"] * 5)
    theirs.units("hh-la-tactical-squad", "hh-la-predator-squadron")
    return mine, theirs


def asked(mine: Muster, theirs: Muster, **facts: Any) -> dict[str, Any]:
    return {
        "kind": "matrix",
        "attacker": {"list": str(mine.list_id)},
        "defender": {"list": str(theirs.list_id)},
        "conditions": {"distance": 10},
    } | facts


def answer(viewer: Viewer, request: dict[str, Any]) -> Any:
    """The result of a request, computed here and now."""
    run = services.request_simulation(viewer, request)
    if not run.is_finished:
        perform_computation(str(run.computation_id))
    run = queries.visible_run(run.pk, viewer)
    assert run.state == RunState.DONE, run.error
    return queries.result_of(run)


@pytest.mark.both_databases
def test_every_unit_shoots_at_every_unit_both_ways(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    mine, theirs = armies
    result = answer(viewer, asked(mine, theirs))
    assert [result["attacker"]["name"], result["defender"]["name"]] == ["Mine", "Theirs"]
    attackers, defenders = result["attacker"]["units"], result["defender"]["units"]
    assert {unit["id"] for unit in attackers} == {unit.id for unit in mine.document.roster.forces[0].selections}
    assert [len(result["forth"]), len(result["forth"][0])] == [8, 2] == [len(attackers), len(defenders)]
    assert [len(result["back"]), len(result["back"][0])] == [2, 8]
    assert Computation.objects.get().chunk_count == 3
    squads = (
        {unit["name"]: number for number, unit in enumerate(attackers)},
        {unit["name"]: number for number, unit in enumerate(defenders)},
    )
    cell = result["forth"][squads[0]["Tactical Squad"]][squads[1]["Tactical Squad"]]
    target = defenders[squads[1]["Tactical Squad"]]
    assert cell["models_slain"] > 1
    assert cell["points_destroyed"] == pytest.approx(cell["models_slain"] * target["points"] / target["models"])
    assert cell["weapons"] == ["Bolter"]
    assert cell["points_per_point"] == pytest.approx(
        cell["points_destroyed"] / attackers[squads[0]["Tactical Squad"]]["points"]
    )
    at_tank = result["forth"][squads[0]["Predator Squadron"]][squads[1]["Predator Squadron"]]
    assert at_tank["hull_points_lost"] > at_tank["p_destroyed"] > 0
    assert "Heart of the Legion" in cell["not_simulated"]
    assert set(cell["not_simulated"]) <= set(result["not_simulated"])
    assert "Twin-linked" in result["modelled"]
    assert len(result["assumptions"]) == len(result["x-ru"]["assumptions"])


def test_a_weapon_that_does_not_reach_is_no_attack(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    result = answer(viewer, asked(*armies, conditions={"distance": 300}))
    assert {cell.get("impossible") for row in (*result["forth"], *result["back"]) for cell in row} == {True}


def test_what_cannot_be_shot_does_not_spoil_the_rest(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    """A Defence Line has neither armour nor Toughness."""
    mine, theirs = armies
    before = answer(viewer, asked(mine, theirs))
    line = theirs.unit("hh-fort-defence-line")
    after = answer(viewer, asked(mine, theirs))
    column = [unit["id"] for unit in after["defender"]["units"]].index(line)
    assert all(row[column] == {"impossible": True} for row in after["forth"])
    assert [[cell for index, cell in enumerate(row) if index != column] for row in after["forth"]] == before["forth"]
    pair = answer(
        viewer,
        asked(mine, theirs, kind="pair", attacker_unit=after["attacker"]["units"][0]["id"], defender_unit=line),
    )
    assert "impossible" in pair["forth"]["shooting"]
    assert "impossible" in pair["forth"]["assault"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "worse", "better", "way"),
    [
        ("cover of the target", {"cover": "2+"}, {}, "forth"),
        ("my own cover", {"attacker_cover": "2+"}, {}, "back"),
        ("moving with heavy weapons", {"moved": True}, {}, "forth"),
        ("their moving", {"defender_moved": True}, {}, "back"),
        ("night", {"night_fighting": True}, {}, "forth"),
        ("half range", {"distance": 20}, {"distance": 6}, "forth"),
    ],
)
def test_circumstances_change_the_numbers(
    case: str, worse: dict[str, Any], better: dict[str, Any], way: str, armies: tuple[Muster, Muster], viewer: Viewer
) -> None:
    mine, theirs = armies
    for army in armies:
        army.unit("hh-la-heavy-support-squad")

    def total(conditions: dict[str, Any]) -> float:
        result = answer(viewer, asked(mine, theirs, conditions=conditions))
        return sum(cell.get("points_destroyed", 0.0) for row in result[way] for cell in row)

    assert total(worse) < total(better) * 0.999, case


def test_a_pair_agrees_with_its_cell_and_has_distributions(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    mine, theirs = armies
    matrix = answer(viewer, asked(mine, theirs))
    for row, attacker in enumerate(matrix["attacker"]["units"][:3]):
        for column, defender in enumerate(matrix["defender"]["units"]):
            pair = answer(
                viewer,
                asked(mine, theirs, kind="pair", attacker_unit=attacker["id"], defender_unit=defender["id"]),
            )
            cell, shooting = matrix["forth"][row][column], pair["forth"]["shooting"]
            if cell.get("impossible"):
                assert "impossible" in shooting or shooting["metrics"].get("models_slain", 0.0) == 0.0
                continue
            assert shooting["metrics"]["p_destroyed"] == pytest.approx(cell["p_destroyed"], abs=1e-6)
            assert shooting["weapons"] == cell["weapons"]
            assert "weapons" not in pair["forth"]["assault"]
            name = "hull_points_lost" if "hull_points_lost" in cell else "models_slain"
            assert shooting["metrics"][name] == pytest.approx(cell[name], abs=1e-6)
            assert sum(shooting["distributions"][name].values()) == pytest.approx(1.0)
            assert pair["forth"]["assault"]["kind"] == "combat_round"
            back = matrix["back"][column][row]
            assert pair["back"]["shooting"]["metrics"]["p_destroyed"] == pytest.approx(back["p_destroyed"], abs=1e-6)


def test_every_unit_assaults_every_unit_both_ways(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    mine, theirs = armies
    matrix = answer(viewer, asked(mine, theirs, attack="assault"))
    names = [unit["name"] for unit in matrix["attacker"]["units"]]
    row = matrix["forth"][names.index("Tactical Squad")]
    for column, defender in enumerate(matrix["defender"]["units"]):
        attacker = matrix["attacker"]["units"][names.index("Tactical Squad")]
        ids = {"attacker_unit": attacker["id"], "defender_unit": defender["id"]}
        metrics = answer(viewer, asked(mine, theirs, kind="pair", **ids))["forth"]["assault"]["metrics"]
        assert row[column]["models_slain"] == pytest.approx(metrics["models_slain"]) and metrics["models_slain"] > 0
        assert row[column]["p_broken"] == pytest.approx(metrics["p_defender_breaks"])
    assert all(cell == {"impossible": True} for cell in matrix["forth"][names.index("Predator Squadron")])


def test_charging_helps_in_an_assault(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    mine, theirs = armies
    matrix = answer(viewer, asked(mine, theirs))
    unit = {u["name"]: u["id"] for u in matrix["attacker"]["units"]}["Tactical Squad"]
    target = {u["name"]: u["id"] for u in matrix["defender"]["units"]}["Tactical Squad"]

    def slain(*, charge: bool) -> float:
        pair = answer(
            viewer,
            asked(mine, theirs, kind="pair", attacker_unit=unit, defender_unit=target, conditions={"charge": charge}),
        )
        return float(pair["forth"]["assault"]["metrics"]["models_slain"])

    assert slain(charge=True) > slain(charge=False)


@pytest.mark.both_databases
def test_a_shared_list_may_be_the_opponent(armies: tuple[Muster, Muster], friend: User) -> None:
    _, theirs = armies
    link = lists.publish_share_link(theirs.viewer, theirs.list_id)
    reader = Viewer(user=friend)
    his = Muster(reader, lists.copy_shared(reader, link.token))
    for share in (link.token, f"https://lists.example.org/s/{link.token}/print/"):
        result = answer(reader, asked(his, theirs, defender={"share": share}))
        assert result["defender"]["name"] == "Theirs"
    lists.revoke_share_link(theirs.viewer, theirs.list_id, link.token)
    with pytest.raises(NotFound):
        services.request_simulation(reader, asked(his, theirs, defender={"share": link.token}))


@pytest.mark.both_databases
def test_a_stranger_cannot_use_a_list(armies: tuple[Muster, Muster], stranger: User, guest: Viewer) -> None:
    mine, theirs = armies
    for other in (Viewer(user=stranger), guest):
        for request in (
            asked(mine, theirs),
            asked(mine, theirs, kind="pair", attacker_unit="a", defender_unit="b"),
            asked(mine, theirs, attacker={"share": "x" * 22}),
        ):
            with pytest.raises(NotFound):
                services.request_simulation(other, request)
    assert (SimulationRun.objects.count(), Computation.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("case", "facts", "at"),
    [
        ("neither list nor link", {"attacker": {}}, "/attacker"),
        ("no address of ours", {"defender": {"share": "https://example.org/"}}, "/defender/share"),
        ("no id", {"attacker": {"list": "mine"}}, "/attacker/list"),
        ("unknown circumstance", {"conditions": {"weather": "rain"}}, "/conditions/weather"),
        ("a distance below nothing", {"conditions": {"distance": -1}}, "/conditions/distance"),
        ("a cover save that is none", {"conditions": {"cover": "7+"}}, "/conditions/cover"),
        ("the circumstances of another game", {"system": "epic"}, "/system"),
        ("an attack no matrix shows", {"attack": "hammer_of_wrath"}, "/attack"),
        ("a pair without units", {"kind": "pair"}, "/attacker_unit"),
    ],
)
def test_what_cannot_be_read_is_refused(
    case: str, facts: dict[str, Any], at: str, armies: tuple[Muster, Muster], viewer: Viewer
) -> None:
    with pytest.raises(BadDocument) as refused:
        services.request_simulation(viewer, asked(*armies, **facts))
    assert refused.value.at == at, case
    assert not SimulationRun.objects.exists()


def test_a_list_without_fighters_and_one_with_too_many(
    muster: Callable[..., Muster], armies: tuple[Muster, Muster], viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, _ = armies
    with pytest.raises(BadDocument, match="no unit that fights"):
        services.request_simulation(viewer, asked(mine, muster(name="Empty")))
    monkeypatch.setattr(list_requests, "UNITS_OF_A_SIDE", 7)
    with pytest.raises(LimitExceeded, match="8 units; the limit is 7"):
        services.request_simulation(viewer, asked(*armies))
    assert not SimulationRun.objects.exists()


@pytest.mark.both_databases
def test_the_same_matchup_is_computed_once_until_a_list_changes(
    armies: tuple[Muster, Muster], viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, theirs = armies
    first = services.request_simulation(viewer, asked(mine, theirs, name="Tuesday"))
    assert first.title == "Tuesday"
    again = services.request_simulation(viewer, asked(mine, theirs))
    assert (again.title, again.computation_id) == ("Mine – Theirs", first.computation_id)
    theirs.edit(e.SetNotes(notes="The same army."))
    assert services.request_simulation(viewer, asked(mine, theirs)).computation_id == first.computation_id
    theirs.unit("hh-la-praetor")
    assert services.request_simulation(viewer, asked(mine, theirs)).computation_id != first.computation_id


@pytest.mark.both_databases
def test_chunks_are_cut_by_the_question_alone(armies: tuple[Muster, Muster], viewer: Viewer) -> None:
    mine, theirs = armies
    attacker = list_requests.army_of(viewer, list_requests.ListReference(list=mine.list_id), at="")
    defender = list_requests.army_of(viewer, list_requests.ListReference(list=theirs.list_id), at="")
    question = matrices.list_matchup(
        attacker, defender, list_requests.conditions_of("horus-heresy", {}, at=""), attack="shooting"
    )
    pieces = [
        matrices.rows(question, index, progress=lambda share: None, should_stop=lambda: False)
        for index in range(matrices.chunks_of(question))
    ]
    assert [(len(piece.outgoing), len(piece.incoming)) for piece in pieces] == [(6, 0), (2, 0), (0, 2)]
    seen: list[float] = []
    matrices.rows(question, 1, progress=seen.append, should_stop=lambda: False)
    assert seen == [0.5, 1.0], "told after every row"
    with pytest.raises(Cancelled):
        matrices.rows(question, 1, progress=seen.append, should_stop=lambda: len(seen) > 2)
    assert len(seen) == 3, "stopped between two rows"
