"""Examples of requests and answers in the description: real ones, which `make examples` writes into examples.json."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from api.problems import MEDIA_TYPE

PATH = Path(__file__).with_name("examples.json")

Schema = dict[str, Any]


class Operation(msgspec.Struct, frozen=True):
    """Of one operation.

    Attributes:
        request: an example by media type.
        responses: by status, an example by media type, or the code of the problem that was answered.
    """

    request: dict[str, Any] = {}
    responses: dict[str, dict[str, Any] | str] = {}


class Examples(msgspec.Struct, frozen=True):
    """What examples.json holds: operations by their id, and problems by code."""

    operations: dict[str, Operation] = {}
    problems: dict[str, dict[str, Any]] = {}


@cache
def kept() -> Examples:
    """The examples, read once a process."""
    return msgspec.json.decode(PATH.read_bytes(), type=Examples)


def illustrate(result: Schema) -> None:
    """Put the examples into a whole description; problems stand among its components, once each."""
    examples = kept()
    usual: dict[int, str] = {}
    shown = result["components"].setdefault("examples", {})
    for code, problem in examples.problems.items():
        shown[code] = {"summary": problem["title"], "value": problem}
        usual.setdefault(problem["status"], code)
    for path, operations in result["paths"].items():
        for operation in operations.values():
            _show_the_call(path, operation)
            own = examples.operations.get(operation["operationId"], Operation())
            _add(operation.get("requestBody", {}), own.request)
            for status, response in operation["responses"].items():
                answered = own.responses.get(status, usual.get(int(status), ""))
                if isinstance(answered, dict):
                    _add(response, answered)
                elif answered and MEDIA_TYPE in response.get("content", {}):
                    named = {answered: {"$ref": f"#/components/examples/{answered}"}}
                    shared = response["content"]  # by all answers of the operation
                    response["content"] = {**shared, MEDIA_TYPE: {**shared[MEDIA_TYPE], "examples": named}}


def _add(holder: Schema, examples: dict[str, Any]) -> None:
    for media_type, content in holder.get("content", {}).items():
        if media_type in examples:
            content["example"] = examples[media_type]


FORMATS = {"application/pdf": "pdf", "application/zip": "rosz", "image/png": "png"}
"""An export of a list of each media type that an example cannot show."""


def _show_the_call(path: str, operation: Schema) -> None:
    """Where the answer is bytes, which no example can show: the calls that keep each kind of it as a file."""
    content = operation["responses"].get("200", {}).get("content", {})
    kinds = [kind for kind, held in content.items() if kind in FORMATS and held["schema"].get("format") == "binary"]
    if not kinds:
        return
    calls = []
    for kind in kinds:
        content[kind]["schema"] = content[kind]["schema"] | {"contentMediaType": kind}
        ending = "zip" if "{export_format}" not in path and not path.endswith("/file/") else FORMATS[kind]
        address = path.replace("/api/v1", "$API").replace("{export_format}", ending)
        address = address.replace("{", "$").replace("}", "") + ("?zipped=true" if path.endswith("/file/") else "")
        calls.append(f'curl -s "{address}" -H "Authorization: Bearer $TOKEN" -o answer.{ending}')
    operation["x-codeSamples"] = [{"lang": "Shell", "label": "curl", "source": "\n".join(calls)}]
