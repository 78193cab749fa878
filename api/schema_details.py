"""What client generators and linters ask of the description: titles, summaries, tags, headers, and plain references."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from armybuilder.engine.documents import MAX_INTEGER, MAX_NUMBER

Schema = dict[str, Any]

TAGS: Mapping[str, str] = {
    "account": "The account behind a token: its tokens, and a copy of everything.",
    "check": "Check army documents by the rulebook alone; nothing is stored.",
    "entrance": "Where everything is.",
    "events": "Events and blind swaps: described, handed in to by link, locked, revealed, paired.",
    "game data": "Releases of game data, for administrators.",
    "lists": "Stored lists: build, repair, check, export, go back and forth.",
    "problems": "The kinds of problems that answers may name.",
    "rules": "The rules that lists are checked by, with their sources.",
    "sharing": "Lists behind secret addresses that need no account.",
    "simulations": "Questions to the simulator, and their answers.",
    "systems": "Published game data: systems, factions, units, charts, rules.",
    "webhooks": "Addresses that are told of what happens, and what they were told.",
    "verdicts": "Verdicts that anybody can check with a public key alone.",
    "targets": "Units to shoot at: the games' yardsticks and one's own.",
}
"""What each group of operations is about."""

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 0}

RATE_HEADERS: Mapping[str, Schema] = {
    "RateLimit-Limit": {"description": "Requests allowed in the present window.", "schema": _NUMBER},
    "RateLimit-Remaining": {"description": "Requests left in the present window.", "schema": _NUMBER},
    "RateLimit-Reset": {"description": "Seconds until the next window begins.", "schema": _NUMBER},
}
LINK: Schema = {
    "description": "Where the part before (`prev`) and the next one (`next`) are, where there are such (RFC 8288).",
    "schema": _TEXT,
}
RETRY_AFTER: Schema = {"description": "Seconds after which asking again makes sense.", "schema": _NUMBER}
ETAG: Schema = {"description": "Tag of this state, for If-None-Match and If-Match.", "schema": _TEXT}
DEPRECATION: Mapping[str, Schema] = {
    "Deprecation": {"description": "Since when it should not be used any more (RFC 9745).", "schema": _TEXT},
    "Sunset": {"description": "From when it may be gone (RFC 8594).", "schema": _TEXT},
    "Link": {
        "description": "Where it says what to use instead (`deprecation`); of pages also their neighbours.",
        "schema": _TEXT,
    },
}
LOCATION: Schema = {
    "description": "Where what was made is read.",
    "schema": {"type": "string", "format": "uri-reference"},
}
DISPOSITION: Schema = {"description": "Name of the file.", "schema": _TEXT}


def complete(result: Schema) -> None:
    """Add to a whole description what generators and linters ask for; called when all components stand in it."""
    result["info"] |= {"license": {"name": "MIT", "identifier": "MIT"}, "contact": {"name": "Army Builder"}}
    result["info"].pop("identifier", None)
    result["servers"] = [{"url": "/", "description": "The server that this description comes from."}]
    _title(result["components"]["schemas"])
    _unburden_references(result)
    _plain_tuples(result)
    _bound(result)
    used = set()
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            _narrow(operation, result["components"]["schemas"])
            used |= set(operation["tags"])
            operation["summary"] = summary_of(operation["description"])
            for status, response in operation["responses"].items():
                headers = dict(_headers(path, method, operation, status, response))
                response["headers"] = {**headers, **response.get("headers", {})}
    result["tags"] = [{"name": name, "description": TAGS[name]} for name in sorted(used)]


def summary_of(description: str) -> str:
    """The first clause of a description, without a full stop."""
    first = re.split(r"(?<=[^.])\.(?:\s|$)|; |: |\n", description.strip(), maxsplit=1)[0]
    return first.strip().rstrip(".")


def _title(components: Schema) -> None:
    """Every component gets a title of its own: generators name classes by it, and games share names of Structs."""
    for name, component in components.items():
        component["title"] = "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", name))
        for node in objects(list(component.values())):
            if isinstance(node.get("title"), str) and ("type" in node or "enum" in node):
                del node["title"]


def _unburden_references(result: Schema) -> None:
    """A reference with a whole object as its default stands alone: the object's own members have theirs."""
    for node in objects(result):
        if "$ref" in node and isinstance(node.get("default"), dict):
            del node["default"]


def _plain_tuples(result: Schema) -> None:
    """A fixed number of items, each of the same kind or of one of a few, as an array that every generator reads."""
    for node in objects(result):
        if isinstance(items := node.get("prefixItems"), list):
            kinds = [item for index, item in enumerate(items) if item not in items[:index]]
            del node["prefixItems"]
            node["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _bound(result: Schema) -> None:
    """Numbers that are sent have the bound of every document where nothing else bounds them."""
    components = result["components"]["schemas"]
    waiting: list[Any] = [
        operation["requestBody"]
        for operations in result["paths"].values()
        for operation in operations.values()
        if "requestBody" in operation
    ]
    met: set[str] = set()
    while waiting:
        for node in objects(waiting.pop()):
            name = str(node.get("$ref", "")).rpartition("/")[2]
            if name and name not in met:
                met.add(name)
                waiting.append(components[name])
            if (most := _MOST.get(str(node.get("type")))) and not {"maximum", "exclusiveMaximum"} & node.keys():
                node["maximum"] = most


_MOST: Mapping[str, int] = {"integer": MAX_INTEGER - 1, "number": int(MAX_NUMBER) - 1}


def _narrow(operation: Schema, components: Schema) -> None:
    """Where an operation takes `fields`, any part of the answer, or of each of its items, is an answer too."""
    taken = {parameter["name"] for parameter in operation.get("parameters", ())}
    if "fields" not in taken:
        return
    answer = operation["responses"]["200"]["content"]["application/json"]
    if "page" not in taken:
        answer["schema"] = _partly(answer["schema"])
        return
    if "$ref" in answer["schema"]:
        rows = components[answer["schema"]["$ref"].rpartition("/")[2]]
    else:
        rows = answer["schema"] = deepcopy(answer["schema"])  # the view's own, of which more descriptions are made
    rows = rows if rows["type"] == "array" else rows["properties"]["results"]
    rows["items"] = _partly(rows["items"])


def _partly(shape: Schema) -> Schema:
    return {"anyOf": [shape, {"type": "object", "minProperties": 1, "additionalProperties": True}]}


def _headers(path: str, method: str, operation: Schema, status: str, response: Schema) -> Iterator[tuple[str, Schema]]:
    yield from RATE_HEADERS.items()
    if operation.get("deprecated"):
        yield from DEPRECATION.items()
    if status in ("202", "429", "503"):
        yield "Retry-After", RETRY_AFTER
    if status in ("201", "202"):
        yield "Location", LOCATION
    answered = {parameter["name"] for parameter in operation.get("parameters", ())}
    if status in ("200", "201", "304") and ("304" in operation["responses"] or "If-Match" in answered):
        yield "ETag", ETAG
    if status == "200" and "page" in answered and _answer_is_array(response) and not operation.get("deprecated"):
        yield "Link", LINK
    if "exports" in path or path.endswith("/file/"):
        kinds = set(response.get("content", {})) - {"application/problem+json"}
        if status == "200" and kinds - {"application/json"}:
            yield "Content-Disposition", DISPOSITION


def _answer_is_array(response: Schema) -> bool:
    kinds = response.get("content", {}).values()
    return any(kind.get("schema", {}).get("type") == "array" for kind in kinds)


def objects(schema: Any) -> Iterator[Schema]:
    """Every object in a schema, the outermost first."""
    if isinstance(schema, dict):
        yield schema
        for member in schema.values():
            yield from objects(member)
    elif isinstance(schema, list):
        for item in schema:
            yield from objects(item)
