"""Page, API, command and queued run see the same list and come to the same verdict."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.findings import Origin
from armybuilder.simulations import queries as simulations
from armybuilder.simulations import services
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import Muster, heresy, legal, muster, viewer
from tests.armylists.test_verdicts import FIRED

__all__ = ["heresy", "legal", "muster", "viewer"]

CASES = {"legal": None, "a warning": "HH-31", "a warlord without trait": "HH-39", "over the limit": "HH-05"}
STILL_TO_CHOOSE = "a warlord without trait"
"""What lacks nothing but a choice is started for who builds it, and illegal for everybody else."""


def stated(value: object) -> object:
    """Plain values without the members that say nothing."""
    if isinstance(value, dict):
        return {name: stated(member) for name, member in value.items() if member is not None}
    return [stated(item) for item in value] if isinstance(value, list | tuple) else value


def by_command(army: object, folder: Path) -> tuple[bool | None, list[str]]:
    """What `manage.py check` says of the army document."""
    path = folder / "army.json"
    path.write_text(json.dumps(stated(msgspec.to_builtins(army))))
    out = io.StringIO()
    try:
        call_command("check", str(path), stdout=out)
    except SystemExit as end:
        assert end.code in (0, 1)
    answer = json.loads(out.getvalue())
    return answer["legal"], [finding["rule"] for finding in answer["findings"]]


@pytest.mark.parametrize("case", CASES)
def test_the_doors_agree(case: str, legal: Muster, client: Client, owner: User, tmp_path: Path) -> None:
    rule = CASES[case]
    if rule is not None:
        FIRED[rule](legal)
    report = legal.report
    rules = [finding.rule for finding in report.findings]
    assert (rule is None and rules == []) or rule in rules
    client.force_login(owner)

    page = client.get(f"/lists/{legal.list_id}/").content.decode()
    assert f"verdict--{'started' if case == STILL_TO_CHOOSE else report.verdict}" in page
    assert all(rule in page for rule in rules)

    answer = client.post(f"/api/v1/lists/{legal.list_id}/check/").json()
    assert (answer["verdict"], answer["legal"]) == (report.verdict, report.legal)
    assert [finding["rule"] for finding in answer["findings"]] == rules
    assert answer["points"]["total"] == report.points.total

    of_the_book = [finding.rule for finding in report.findings if finding.origin is Origin.RULEBOOK]
    assert by_command(report.army, tmp_path) == (report.legal, of_the_book)
    assert legal.row.verdict == report.verdict


def test_a_queued_run_fights_with_the_same_list(
    legal: Muster, client: Client, owner: User, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    reference = {"list": str(legal.list_id)}
    run = services.request_simulation(
        Viewer(user=owner), {"kind": "matrix", "attacker": reference, "defender": reference}
    )
    perform_computation(str(run.computation_id))
    result = simulations.result_of(simulations.visible_run(run.pk, Viewer(user=owner)))
    priced = {unit.id: unit.points for detachment in legal.report.army.detachments for unit in detachment.units}
    assert {unit["id"]: unit["points"] for unit in result["attacker"]["units"]} == priced
    client.force_login(owner)
    assert client.get(f"/api/v1/simulations/{run.pk}/").json()["state"] == "done"
    assert "Praetor" in client.get(f"/matchups/{run.pk}/").content.decode()
