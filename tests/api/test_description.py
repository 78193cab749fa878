"""The OpenAPI description: complete, the same as the golden file, and shown on a page that the strict policy allows."""

import json
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from api import kept_description
from api.schema import DescriptionView
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import Scope
from armybuilder.engine.documents import parse_army
from armybuilder.engine.errors import BadDocument
from armybuilder.outbound import AddressRefused, Policy, permitted
from tests.api.conftest import caller_of

GOLDEN = Path(__file__).parents[1] / "golden" / "openapi.yaml"
REWRITE = "REWRITE_GOLDEN"
"""Set in the environment, the golden file becomes what the server says now (`make golden`)."""


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The description as plain values."""
    GENERATOR_STATS.reset()
    made = SchemaGenerator().get_schema(request=None, public=True)
    assert not GENERATOR_STATS, "the generator had to guess"
    plain: dict[str, Any] = _plain(made)
    return plain


def _plain(value: Any) -> Any:
    """Without lazy words and special classes."""
    match value:
        case dict():
            return {str(name): _plain(member) for name, member in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case bool() | int() | float() | None:
            return value
        case _:
            return str(value)


def test_it_is_the_golden_file(description: dict[str, Any]) -> None:
    if os.environ.get(REWRITE):
        text = yaml.safe_dump(description, sort_keys=True, allow_unicode=True, width=120)
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
    is_same = yaml.load(GOLDEN.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) == description
    assert is_same, "the API has changed; if that is meant: make golden, and look at the diff"


def test_documents_are_described_without_the_nulls_that_they_refuse(description: dict[str, Any]) -> None:
    components = description["components"]["schemas"]
    assert components["fantasy-8th.Unit"]["properties"]["magic_items_allowed"] == {"type": "boolean"}
    with pytest.raises(BadDocument, match="null is no value here"):
        unit = {"id": "a", "name": "Spearmen", "category": "core", "points": 100, "magic_items_allowed": None}
        parse_army({"system": "fantasy-8th", "points_limit": 2000, "units": [unit]})
    assert {"type": "null"} in components["horus-heresy.Unit"]["properties"]["dedicated_transport_for"]["anyOf"]
    assert {"type": "null"} in components["Asset"]["properties"]["charges"]["anyOf"], "an answer says null"


@pytest.mark.long
def test_it_is_valid_openapi(description: dict[str, Any]) -> None:
    assert description["openapi"] == "3.1.0"
    validate_schema(description)


def test_every_address_is_described(description: dict[str, Any]) -> None:
    def addresses(patterns: list[Any], before: str = "/api/") -> list[str]:
        found = []
        for pattern in patterns:
            path = before + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
            if isinstance(pattern, URLResolver):
                found += addresses(pattern.url_patterns, path)
            elif isinstance(pattern, URLPattern):
                found.append(path)
        return found

    (api,) = (one for one in get_resolver().url_patterns if str(one.pattern) == "api/")
    undescribed = {
        "/api/",
        "/api/v1/schema/",
        "/api/v1/docs/",
        "/api/v1/reference/",
    }  # the catch-all, and the description itself
    assert set(addresses(api.url_patterns)) - undescribed == set(description["paths"])


def test_every_operation_has_a_name_a_sentence_and_its_problems(description: dict[str, Any]) -> None:
    names = []
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            names.append(operation["operationId"])
            assert operation["description"].strip().endswith("."), where
            assert operation["tags"], where
            assert operation["summary"].strip(), where
            assert "RateLimit-Limit" in operation["responses"]["429"]["headers"], where
            assert "429" in operation["responses"], where
            if "{" in path:
                assert "404" in operation["responses"], where
            if "requestBody" in operation:
                assert operation["requestBody"]["required"], where
                contents = operation["requestBody"]["content"].values()
                assert all(content["schema"] for content in contents) and contents, where
                assert {"400", "413", "415"} <= set(operation["responses"]), where
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    problem = response["content"]["application/problem+json"]["schema"]
                    assert problem == {"$ref": "#/components/schemas/Problem"}, where
    assert len(names) == len(set(names))


def test_requests_of_two_lists_are_described(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    alternatives = str(schemas["SimulationRequest"])
    assert "horus-heresy.MatrixRequest" in alternatives
    assert "horus-heresy.PairRequest" in alternatives
    assert {"attacker", "defender", "conditions"} <= set(schemas["horus-heresy.MatrixRequest"]["properties"])
    assert schemas["horus-heresy.Circumstances"]["properties"]["distance"]["description"]
    assert {"forth", "back"} <= set(schemas["MatrixResult"]["properties"])


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json", "*/*"])
@pytest.mark.long
def test_the_server_hands_it_out(client: Client, accept: str) -> None:
    response = client.get("/api/v1/schema/", headers={"Accept": accept})
    assert response.status_code == 200
    assert yaml.load(response.content, Loader=yaml.CSafeLoader)["info"]["title"] == "Army Builder"


def test_a_number_that_is_sent_says_how_large_it_may_be(description: dict[str, Any]) -> None:
    """Documents take none of 2**64 and more, and whoever makes requests of the description was refused unwarned."""
    schemas = description["components"]["schemas"]
    assert schemas["EventPack"]["properties"]["releases"]["items"]["maximum"] == 2**64 - 1
    for name in ("horus-heresy.matchup.HeresyMatchup", "lists.BattleRequest", "wh40k-6th.matchup.Engagement"):
        assert "maximum" in schemas[name]["properties"]["trials"], name
    points = schemas["horus-heresy.facts.OpponentFacts"]["properties"]["points_limit"]["anyOf"]
    assert {one["type"]: one.get("maximum") for one in points if one["type"] != "null"} == {
        "integer": 2**64 - 1,
        "number": 10**15 - 1,
    }


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("https://bot.example.org", True),
        ("https://bot.example.org/hooks?list=1#top", True),
        ("https://bot.example.org:443/", True),
        ("https://bot.example.org:8443/", False),
        ("http://bot.example.org/", False),
        ("ftp://bot.example.org/", False),
        ("https://name:secret@bot.example.org/", False),
        ("https://bot.example.org/a b", False),
        ("https://", False),
        ("bot.example.org", False),
    ],
)
def test_an_address_is_described_as_it_is_taken(description: dict[str, Any], url: str, is_taken: bool) -> None:
    for name in ("NewWebhook", "WebhookChange"):
        told = description["components"]["schemas"][name]["properties"]["url"]
        assert bool(re.fullmatch(told["pattern"], url)) == is_taken, name
    try:
        permitted(url, allowed=Policy(hosts=(), setting="WEBHOOK_ALLOWED_HOSTS"))
    except AddressRefused:
        assert not is_taken
    else:
        assert is_taken


def test_what_no_type_can_say_is_said_in_words(description: dict[str, Any]) -> None:
    """Moments that have gone by, and texts that no database keeps: they were refused (400) unwarned."""
    schemas = description["components"]["schemas"]
    for name, member in (("NewToken", "expires_at"), ("NewShareLink", "expires_at"), ("NewEvent", "reveal_at")):
        assert "refused (400)" in schemas[name]["properties"][member]["description"], name
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and "requestBody" in operation:
                assert "surrogate" in operation["responses"]["400"]["description"], (method, path)


@pytest.mark.django_db
def test_an_address_alone_says_which_form_is_meant(client: Client) -> None:
    """A generator or a browser that is given an address sends no header for it."""
    as_json = client.get("/api/v1/schema/?format=json")
    assert as_json.headers["Content-Type"] == "application/json"
    assert json.loads(as_json.content)["openapi"] == "3.1.0"
    as_yaml = client.get("/api/v1/schema/?format=yaml", headers={"Accept": "application/json"})
    assert as_yaml.headers["Content-Type"] == "application/yaml"
    assert as_yaml.content.startswith(b"openapi: 3.1.0")


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["format=xml", "form=json", "lang=fr"])
def test_what_the_description_is_not_made_in_is_refused_and_named(client: Client, query: str) -> None:
    refused = client.get(f"/api/v1/schema/?{query}")
    assert refused.status_code == 400
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert query.partition("=")[2 if "lang" in query or "xml" in query else 0] in refused.json()["detail"]


@pytest.mark.django_db
def test_it_is_written_once_and_asked_for_again_by_its_tag(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/api/v1/schema/")

    def again(*_: object, **__: object) -> None:
        raise AssertionError("the description is made anew")

    monkeypatch.setattr(SchemaGenerator, "get_schema", again)
    second = client.get("/api/v1/schema/?x-version=7")
    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert second.headers["Content-Type"] == first.headers["Content-Type"] == "application/vnd.oai.openapi"
    known = client.get("/api/v1/schema/", headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.fixture
def as_after_a_start(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Has this process know of no description that it wrote; what is kept lies in a folder of the test."""
    settings.COMPILED_CACHE_DIR = tmp_path

    def forget() -> None:
        monkeypatch.setattr(DescriptionView, "_kept", {})

    forget()
    return forget


@pytest.mark.django_db
@pytest.mark.parametrize(
    "damage", [None, lambda data: data[:-1], lambda data: data[:40] + b"!" + data[41:], lambda _: b""]
)
def test_it_is_kept_for_the_next_start(
    client: Client,
    tmp_path: Path,
    as_after_a_start: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    damage: Callable[[bytes], bytes] | None,
) -> None:
    made = []

    def small(self: SchemaGenerator, **_: object) -> dict[str, object]:
        made.append(self)
        return {"openapi": "3.1.0", "info": {"title": "made"}}

    monkeypatch.setattr(SchemaGenerator, "get_schema", small)
    first = client.get("/api/v1/schema/?format=json")
    [file] = (tmp_path / "description").iterdir()
    if damage is not None:
        file.write_bytes(damage(file.read_bytes()))
    as_after_a_start()
    second = client.get("/api/v1/schema/?format=json")
    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert json.loads(second.content)["info"]["title"] == "made"
    assert len(made) == (1 if damage is None else 2)
    assert second.headers["Content-Disposition"] == 'inline; filename="Army Builder.json"'


@pytest.mark.django_db
def test_another_release_keeps_its_own_and_a_language_too(
    client: Client, tmp_path: Path, as_after_a_start: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda self, **_: {"openapi": "3.1.0", "n": made.append(0)})
    for language in ("en", "ru", "en"):
        assert client.get(f"/api/v1/schema/?format=json&lang={language}").status_code == 200
    assert (len(made), len(list((tmp_path / "description").iterdir()))) == (2, 2)
    monkeypatch.setattr(kept_description, "_release", lambda: "another")
    as_after_a_start()
    assert client.get("/api/v1/schema/?format=json").status_code == 200
    assert [path.name for path in (tmp_path / "description").iterdir()] == ["another-en.json"]
    assert len(made) == 3


@pytest.mark.django_db
def test_a_folder_that_cannot_be_written_to_keeps_nothing(
    client: Client, tmp_path: Path, as_after_a_start: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda self, **_: {"openapi": "3.1.0"})
    (tmp_path / "description").write_text("a file where the folder should be")
    assert client.get("/api/v1/schema/?format=json").status_code == 200


@pytest.mark.django_db
def test_the_page_needs_no_inline_script(client: Client) -> None:
    response = client.get("/api/v1/docs/")
    page = response.content.decode()
    policy = response.headers["Content-Security-Policy"]
    assert response.status_code == 200
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert "<style" not in page
    assert " style=" not in page
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses
    for address in addresses:
        if address.startswith("/static/"):
            assert finders.find(address.removeprefix("/static/")), address
        else:
            assert client.get(address.replace("&amp;", "&")).status_code == 200, address


@pytest.mark.long
def test_every_operation_names_the_scopes_that_its_tokens_need(description: dict[str, Any], owner: User) -> None:
    with_scopes = cache(lambda scopes: caller_of(owner, scopes))
    given = description["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]["scopes"]
    assert set(given) == set(Scope) - {Scope.ADMIN}
    for path, operations in description["paths"].items():
        address = re.sub(r"\{(\w+)\}", lambda name: str(UUID(int=0)) if name[1].endswith("_id") else "1", path)
        for method, operation in operations.items():
            named = set(operation.get("x-scopes", ()))
            programs = {scope for way in operation["security"] for scope in way.get("oauth2", ())}
            assert programs == named & set(given), f"{method} {path}"
            others = with_scopes(frozenset(Scope) - named)(method.upper(), address)
            asked = others.get("WWW-Authenticate", "").partition("scope=")[2].strip('"').split()
            assert asked == operation.get("x-scopes", []), f"{method} {path}"
            for scope in named:
                one = with_scopes(frozenset([scope]))(method.upper(), address)
                assert "WWW-Authenticate" not in one, f"{method} {path} {scope}"


def test_what_is_answered_in_bytes_has_the_call_that_keeps_it(description: dict[str, Any]) -> None:
    samples = {
        operation["operationId"]: operation["x-codeSamples"][0]["source"]
        for path in description["paths"].values()
        for operation in path.values()
        for content in operation["responses"].get("200", {}).get("content", {}).values()
        if content.get("schema", {}).get("format") == "binary"
    }
    assert samples["export_list"] == (
        'curl -s "$API/lists/$list_id/file/?zipped=true" -H "Authorization: Bearer $TOKEN" -o answer.rosz'
    )
    assert "/exports/pdf/" in samples["export_shared_list_as"]
    assert "answer.png" in samples["export_list_as"]
    assert samples["export_event"].endswith("-o answer.zip")
