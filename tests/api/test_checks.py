"""POST /api/v1/check/: what the engine says, whatever the verdict; bad input is refused with a pointer."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.systems.game import LIST_RULES

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/check/"


def document(**changes: Any) -> dict[str, Any]:
    """A small army document of Horus Heresy."""
    units = [
        {"id": "hq1", "name": "Praetor", "role": "hq", "points": 150, "warlord": True},
        {"id": "tr1", "name": "Tactical Squad", "role": "troops", "points": 130},
    ]
    detachments = [{"type": "primary", "faction": "Sons of Horus", "units": units}]
    return {
        "system": "horus-heresy",
        "allegiance": "traitor",
        "points_limit": 2500,
        "detachments": detachments,
    } | changes


def post(client: Client, body: object, **options: Any) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(ADDRESS, data=text, content_type="application/json", **options)


def test_an_illegal_army_is_answered_200_with_the_findings_of_the_engine(client: Client) -> None:
    army = document(points_limit=-1, id="mine")
    response = post(client, army)
    report = check(parse_army(army))
    body = response.json()
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert (body["system"], body["id"], body["legal"]) == ("horus-heresy", "mine", False)
    assert body["points"] == {"total": 280, "limit": -1}
    assert [(finding["rule"], finding["at"]) for finding in body["findings"]] == [
        (finding.rule, finding.at) for finding in report.findings
    ]
    assert "HH-04" in {finding["rule"] for finding in body["findings"]}
    assert all(finding["message"]["en"] and finding["message"]["ru"] for finding in body["findings"])


def test_an_unknown_role_is_a_finding_not_bad_input(client: Client) -> None:
    army = document()
    army["detachments"][0]["units"][1]["role"] = "jester"
    response = post(client, army)
    assert response.status_code == 200
    assert "HH-16" in {finding["rule"] for finding in response.json()["findings"]}


@pytest.mark.parametrize(
    ("case", "body", "at"),
    [
        ("an unknown field", document(colour="red"), "/colour"),
        (
            "text for points",
            document(
                detachments=[
                    {"type": "primary", "faction": "x", "units": [{"name": "a", "role": "hq", "points": "150"}]}
                ]
            ),
            "/detachments/0/units/0/points",
        ),
        ("a missing part", {"system": "horus-heresy"}, "/detachments"),
        ("an unknown system", {"system": "chess"}, "/system"),
        ("no system", {}, "/system"),
        ("a list", [], None),
        ("a number that is none", '{"system": "horus-heresy", "points_limit": NaN}', None),
        ("half a document", '{"system": "horus-heresy"', None),
        ("no UTF-8", b'{"system": "\xff"}', None),
        ("half of a surrogate pair", document(name="\ud800"), "/name"),
        ("a NUL", document(name="a\0b"), "/name"),
        ("a name that is no text", '{"system": "horus-heresy", "detachments": [], "\\ud800": 1}', ""),
        ("nested too deep", "[" * 100 + "]" * 100, "/0" * 65),
        ("nested far too deep", "[" * 100_000 + "]" * 100_000, None),
    ],
)
def test_bad_input_is_answered_400_with_its_pointer(client: Client, case: str, body: object, at: str | None) -> None:
    response = post(client, body)
    assert (response.status_code, response.headers["Content-Type"]) == (400, "application/problem+json"), case
    assert response.json()["error"]["at"] == at, case
    assert response.json()["error"]["message"], case


def test_extension_members_are_ignored(client: Client) -> None:
    plain, extended = document(), document(**{"x-colour": {"deep": 1}})
    assert post(client, extended).json() == post(client, plain).json()


def test_a_check_asks_nothing_of_the_database(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert post(client, document()).status_code == 200


@pytest.mark.shared
@pytest.mark.parametrize("system", ["horus-heresy", "wh40k-6th", "fantasy-8th", "epic", "relic"])
def test_the_example_cases_over_http(client: Client, shared: Path, system: str) -> None:
    if system not in LIST_RULES:
        pytest.skip(f"no rule pack for {system} yet")
    cases = (shared / "contracts" / "cases" / "check" / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(cases) > 10
    for line in cases:
        case = json.loads(line)
        body = post(client, case["document"]).json()
        only = set(case["expect"].get("only", ()))
        errors = {finding["rule"] for finding in body["findings"] if finding["severity"] == "error"}
        if "errors" in case["expect"]:
            expected = set(case["expect"]["errors"])
            heard = {rule for rule in errors if not rule.startswith(("WFX-", "EPL-"))}
            assert (heard & only if only else heard) == expected, case["id"]
        if "legal" in case["expect"]:
            assert body["legal"] == case["expect"]["legal"], case["id"]
