"""The OpenAPI 3.1 description: Structs as components, problem answers for every operation, and its browsable page."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from inspect import cleandoc
from threading import Lock
from typing import Annotated, Any, ClassVar

import msgspec
from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.utils.encoding import force_bytes
from django.utils.translation import get_language
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer2
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularRedocView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api import kept_description, schema_details, schema_examples, schema_scopes
from api.authentication import ApiTokenAuthentication, SiteAuthentication
from api.parameters import refuse_unknown
from api.problems import MEDIA_TYPE, Problem
from api.reading import one_of
from api.schema_details import objects
from armybuilder.engine.systems.game import GAMES

Schema = dict[str, Any]

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A point in time, with its offset."""

FutureMoment = Annotated[datetime, msgspec.Meta(tz=True, description="A moment to come, with its offset.")]
"""What is to end: one that has ended already is refused (400)."""

_structs: dict[str, Any] = {}
_later: dict[str, Callable[[], Sequence["Alternative"]]] = {}

IDEMPOTENCY_HEADER = "Idempotency-Key"

PUBLIC: Any = [{"apiToken": []}, {"session": []}, {}]
"""Anybody may ask; whoever signs in is counted as a user instead of an address."""

IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,9}(-[0-9a-f]{1,8})?")$'},
    OpenApiParameter.HEADER,
    required=True,
    description='ETag of the state the change is meant for, or its revision number alone, e.g. `"7"`; `*` takes any.'
    " A stale one is answered 409.",
)


def ref(kind: Any, name: str = "") -> Schema:
    """A Struct, or a union of Structs under a name, as a component of the description, for `extend_schema`."""
    name = name or kind.__name__
    _structs[name] = kind
    return {"$ref": f"#/components/schemas/{name}"}


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the types of a document.

    Attributes:
        prefix: keeps the words of the games apart, e.g. the system id.
        words: member names with the words they may hold here, where the type itself takes any text.
    """

    kind: Any
    prefix: str
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)


def ref_any_of(name: str, alternatives: Callable[[], Sequence[Alternative]]) -> Schema:
    """A component that is one of several types, which are looked up only when the description is made."""
    _later[name] = alternatives
    return {"$ref": f"#/components/schemas/{name}"}


def problem(status: int) -> dict[tuple[int, str], Schema]:
    """A problem that only this operation may answer; those of its kind are added to all of them."""
    return {(status, MEDIA_TYPE): ref(Problem)}


def body(schema: Schema) -> Schema:
    """A request body of that schema."""
    return {"application/json": schema}


def array(items: Schema) -> Schema:
    """A JSON array of such items."""
    return {"type": "array", "items": items}


def complete_description(result: Schema, generator: object, request: object, public: bool) -> Schema:
    """Postprocessing hook: adds the Structs' components, and to every operation the problems it may answer."""
    components = result.setdefault("components", {}).setdefault("schemas", {})
    ref(Problem)
    schemas, definitions = _definitions(_structs.values(), "")
    components |= dict(zip(_structs, schemas, strict=True)) | definitions
    for name, alternatives in _later.items():
        components[name] = {"anyOf": []}
        for one in alternatives():
            schemas, definitions = _definitions([one.kind], f"{one.prefix}.")
            narrowed = definitions[schemas[0]["$ref"].rpartition("/")[2]]["properties"]
            for member, words in one.words.items():
                narrowed[member] = {"type": "string", "enum": list(words)}
            components[name]["anyOf"] += schemas
            components |= definitions
    _describe_facts(components)
    for component in components.values():
        _describe_members(component)
    _numbers(components)
    _in_order(components)
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            _add_problems(path, method, operation)
    result["components"]["schemas"] = dict(sorted(components.items()))
    schema_scopes.describe_oauth(result)
    schema_details.complete(result)
    schema_examples.illustrate(result)
    return result


def _describe_facts(components: Schema) -> None:
    """The edits that state facts take those of every game: each by its name, null takes it back."""
    of_list: list[Schema] = []
    of_unit: list[Schema] = []
    for system, game in GAMES.items():
        if game.roster is None:
            continue
        schemas, definitions = _definitions([game.roster.facts], f"{system}.facts.")
        components |= definitions
        stated = definitions[schemas[0]["$ref"].rpartition("/")[2]]["properties"]
        units = stated.pop("units")
        of_list += schemas
        of_unit += [units["additionalProperties"]]
        for definition in definitions.values():
            for name, member in definition.get("properties", {}).items():
                definition["properties"][name] = member if "anyOf" in member else {"anyOf": [member, {"type": "null"}]}
    for edit, facts in (("SetFacts", of_list), ("SetUnitFacts", of_unit)):
        if edit in components:
            components[edit]["properties"]["facts"] = {"anyOf": [*facts, {"type": "object"}]}


PUBLISHED_NAMES = {
    "EpicConditions": "Circumstances",
    "EpicMatchup": "Clash",
    "FantasyConditions": "Circumstances",
    "FantasyMatchup": "Clash",
    "HeresyConditions": "Circumstances",
    "Wh40kConditions": "Circumstances",
    "Wh40kMatchup": "Engagement",
    "AttackConditions": "Meeting",
    "FormationSide": "Formation",
    "MatchupOptions": "Options",
    "Statline": "Profile",
    "UnitGroup": "Unit",
}
"""Components keep the name they were published under, whatever their Struct is called today."""


def _definitions(types: Iterable[Any], prefix: str) -> tuple[list[Schema], Schema]:
    """Schemas of msgspec types, and the components they need with the prefix before their names."""
    address = f"#/components/schemas/{prefix}"
    found, definitions = msgspec.json.schema_components(list(types), ref_template=f"{address}{{name}}")
    schemas = list(found)
    if prefix:  # documents of a game; other Structs are answers as well, and those say null
        for kind in _structs_within(types):
            _without_refused_nulls(kind, definitions)
    for node in objects([schemas, definitions]):
        for member, start in (("$ref", address), ("title", "")):
            name = str(node.get(member, "")).removeprefix(start)
            if name in PUBLISHED_NAMES and node[member] == start + name:
                node[member] = start + PUBLISHED_NAMES[name]
    return schemas, {f"{prefix}{PUBLISHED_NAMES.get(name, name)}": schema for name, schema in definitions.items()}


def _structs_within(types: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Every Struct that is written in one of the types."""
    found: set[type[msgspec.Struct]] = set()
    open_: list[object] = list(msgspec.inspect.multi_type_info(types))
    while open_:
        match open_.pop():
            case msgspec.inspect.StructType() as struct:
                if struct.cls not in found:
                    found.add(struct.cls)
                    open_ += [member.type for member in struct.fields]
            case msgspec.inspect.Type() as other:
                parts = [getattr(other, name) for name in other.__struct_fields__]
                open_ += [part for part in parts if isinstance(part, msgspec.inspect.Type)]
                open_ += [item for part in parts if isinstance(part, tuple) for item in part]
    return found


def _without_refused_nulls(kind: type[msgspec.Struct], definitions: Schema) -> None:
    """Of a part of a document only the members in its `nulls` may be null; the others are left out instead."""
    nulls = getattr(kind, "nulls", None)
    component = definitions.get(kind.__name__) or definitions.get(f"{kind.__module__}.{kind.__qualname__}")
    if nulls is None or component is None:
        return
    for name, member in component["properties"].items():
        choices = [one for one in member.get("anyOf", ()) if one != {"type": "null"}]
        if name in nulls or len(choices) == len(member.get("anyOf", ())):
            continue
        rest = {key: value for key, value in member.items() if key not in ("anyOf", "default")}
        component["properties"][name] = rest | (choices[0] if len(choices) == 1 else {"anyOf": choices})


def _add_problems(path: str, method: str, operation: Schema) -> None:
    """The statuses that the table of problems gives to this kind of operation."""
    headers = {item["name"] for item in operation.get("parameters", ()) if item["in"] == "header"}
    queries = [item for item in operation.get("parameters", ()) if item["in"] == "query"]
    statuses = {429: "Too many requests.", 406: "Only JSON is spoken here."}
    if method != "get" or queries:
        statuses[400] = (
            "What was sent cannot be read, or holds U+0000 or half of a surrogate pair; `error.at` points to the place."
        )
    if operation.get("security"):
        statuses[401] = "A token that is not accepted, or none where one is needed."
    if method != "get" or schema_scopes.asks_for_one(operation):
        statuses[403] = "The token lacks the scope, or the CSRF token is missing."
    if "{" in path or any(item["name"] == "page" for item in queries):
        statuses[404] = "Nothing here, or nothing that you may see."
    if "requestBody" in operation:
        operation["requestBody"]["required"] = True
        statuses[400] += " No member may stand twice in an object."
        statuses |= {413: "The body is too large.", 415: "The body is not application/json."}
        statuses[422] = (
            "Understood, but beyond the limits, as a number of 2^64 and more is anywhere, or not to be carried out."
        )
    elif method == "post":
        statuses[422] = "Understood, but not to be carried out."
    if "If-Match" in headers:
        statuses |= {409: "The list has changed meanwhile; `current_revision` says to what.", 428: "No If-Match."}
    problem = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    responses = operation["responses"]
    if method == "get":
        responses.setdefault("304", {"description": "Nothing has changed since the tag of If-None-Match."})
    if IDEMPOTENCY_HEADER in headers:
        statuses[409] = "A request with the same key is being carried out."
    for status, words in statuses.items():
        responses.setdefault(str(status), {**problem, "description": words})
    operation["responses"] = dict(sorted(responses.items()))


_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.*(?:\n {5,}.*)*)", re.MULTILINE)


def _describe_members(component: Schema) -> None:
    """Move the `Attributes:` of a Struct's docstring to the members they describe."""
    text, found, attributes = cleandoc(component.get("description", "")).partition("Attributes:\n")
    if not found:
        return
    component["description"] = text.strip()
    for names, words in _ATTRIBUTE.findall(attributes):
        for name in names.split(", "):
            if (member := component.get("properties", {}).get(name)) is not None:
                described = {**member, "description": " ".join(words.split())}
                component["properties"][name] = described


def _numbers(schema: Any) -> None:
    """Exact decimals are written as JSON numbers, wherever the description took them for texts."""
    for node in objects(schema):
        if node.get("format") == "decimal":
            node["type"] = "number"
            del node["format"]


def _in_order(schema: Any) -> None:
    """Alternatives in one order: Python keeps equal unions once, in the order of whoever was imported first."""
    for node in objects(schema):
        if isinstance(alternatives := node.get("anyOf"), list):
            alternatives.sort(key=lambda one: msgspec.json.encode(one, order="sorted"))


class DescriptionView(SpectacularAPIView):
    """The description itself, as YAML or JSON (`Accept: application/vnd.oai.openapi+json`, or `?format=json`).

    It is the same until the next release, so each form is written once and kept (`kept_description`): it takes seconds.
    """

    FORMATS: ClassVar[dict[str, type[BaseRenderer]]] = {"json": OpenApiJsonRenderer2, "yaml": OpenApiYamlRenderer2}
    """What `?format=` names, for who cannot send a header: a browser, a generator that is given an address."""

    PARAMETERS = ("format", "lang")
    """It is not among the operations that it describes, so it says itself what it takes."""

    _kept: ClassVar[dict[str, tuple[bytes, str]]] = {}
    _writing: ClassVar[Lock] = Lock()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """The form that `?format=` names, otherwise the one that `Accept` does."""
        if (named := self.FORMATS.get(request.query_params.get("format", ""))) is not None:
            return named(), named.media_type
        return super().perform_content_negotiation(request, force)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before the answer. Raises ValidationError for parameters that it does not take, as every other address."""
        super().initial(request, *args, **kwargs)
        refuse_unknown(request, self.PARAMETERS)
        one_of(request, "format", lambda: list(self.FORMATS))
        one_of(request, "lang", lambda: list(dict(settings.LANGUAGES)))

    def _get_schema_response(self, request: Request) -> HttpResponse:
        renderer = request.accepted_renderer
        form = f"{'ru' if get_language() == 'ru' else 'en'}.{renderer.format}"
        with self._writing:
            if form not in self._kept:
                content = kept_description.kept(form)
                if content is None:
                    made = super()._get_schema_response(request)  # type: ignore[no-untyped-call]
                    content = force_bytes(renderer.render(made.data, renderer.media_type, {}))
                    kept_description.keep(form, content)
                self._kept[form] = (content, _tag_of(content))
        content, tag = self._kept[form]
        disposition = f'inline; filename="{self._get_filename(request, None)}"'  # type: ignore[no-untyped-call]
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-cache", "ETag": tag}
        if headers["ETag"] in request.headers.get("If-None-Match", ""):
            return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        return HttpResponse(content, content_type=renderer.media_type, headers=headers)

    def _get_version_parameter(self, request: Request) -> None:
        """There is one description; nobody's `?version=` makes another."""


def _tag_of(content: bytes) -> str:
    return f'"{sha256(content).hexdigest()[:32]}"'


class DocumentationView(SpectacularSwaggerSplitView):
    """The page on which the description is browsed and tried out; its script comes from an address of its own."""

    template_name = "api/docs.html"
    url_name = "api:schema"

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The page, or its script when asked with `?script`."""
        return super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]


@method_decorator(csp_update({"style-src": [UNSAFE_INLINE], "worker-src": ["blob:"]}), name="dispatch")
class ReferenceView(SpectacularRedocView):
    """The description as one long page to read."""

    template_name = "api/reference.html"
    url_name = "api:schema"

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The page."""
        return super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]


class ApiTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI description names tokens."""

    target_class = ApiTokenAuthentication
    name = "apiToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """HTTP bearer authentication."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token made under /accounts/tokens/, with the scopes that the request needs.",
        }


class SiteScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI description names the session of the site."""

    target_class = SiteAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The session cookie."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "For scripts of the site itself; changes need the header X-CSRFToken.",
        }
