"""What `check` and `simulate` share: documents in, answers out, and an exit status that says how it went."""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from enum import IntEnum
from pathlib import Path
from typing import BinaryIO, NoReturn, TextIO

import msgspec

from armybuilder.engine.documents import MAX_DOCUMENT_BYTES, read_json
from armybuilder.engine.errors import BadDocument, GameError

STANDARD_INPUT = "-"


class Status(IntEnum):
    """Exit status of one document, and of many: the worst one decides."""

    DONE = 0
    NOT_LEGAL = 1
    BAD_INPUT = 2
    INTERNAL_ERROR = 70


Answer = Callable[[object], tuple[bytes, Status]]
"""A parsed document to its answer, one line of JSON, and what that means for the exit status."""


def leave_answering(source: str, answer: Answer, *, one_a_line: bool, out: TextIO, err: TextIO) -> NoReturn:
    """Answer one document or one a line, and end the program with the exit status.

    Args:
        source: a file, or `-` for standard input.
        out: takes the answers, nothing else.
        err: takes a line for people where a document is refused.
    """
    try:
        sys.exit(_answer_source(source, answer, one_a_line=one_a_line, out=out, err=err))
    except BrokenPipeError:  # nobody reads on: keep Python from complaining about it when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Status.INTERNAL_ERROR)


def _answer_source(source: str, answer: Answer, *, one_a_line: bool, out: TextIO, err: TextIO) -> Status:
    try:
        documents = _open(source)
    except (OSError, ValueError) as refusal:  # ValueError: a name no file can have
        reason = getattr(refusal, "strerror", None) or refusal
        return _refuse(BadDocument(f"Cannot read {source}: {reason}."), out=out, err=err)
    with documents as stream:
        if not one_a_line:  # one byte more than is allowed tells that there are too many
            return _answered(stream.read(MAX_DOCUMENT_BYTES + 1), answer, out=out, err=err)
        worst = Status.DONE
        for number, line in enumerate(stream, 1):
            if line.strip():
                worst = max(worst, _answered(line, answer, out=out, err=err, line=number))
        return worst


def _open(source: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if source == STANDARD_INPUT else Path(source).open("rb")


def _answered(data: bytes, answer: Answer, *, out: TextIO, err: TextIO, line: int | None = None) -> Status:
    try:
        reply, status = answer(read_json(data))
    except GameError as refusal:
        return _refuse(refusal, out=out, err=err, line=line)
    except Exception:
        traceback.print_exc(file=err)
        _write(out, msgspec.json.encode({"error": {"message": "Internal error; the document was not answered."}}))
        return Status.INTERNAL_ERROR
    _write(out, reply)
    return status


def _refuse(refusal: GameError, *, out: TextIO, err: TextIO, line: int | None = None) -> Status:
    """The error object for programs, and the same as a line for people."""
    at = getattr(refusal, "at", None)
    error = {"message": str(refusal), "at": at}
    _write(out, msgspec.json.encode({"error": error}))
    where = " ".join(part for part in (f"line {line}" if line else "", at or "") if part)
    message = f"error: {where}: {refusal}" if where else f"error: {refusal}"
    err.write(message.encode("utf-8", "replace").decode("utf-8") + "\n")
    return Status.BAD_INPUT


def _write(out: TextIO, line: bytes) -> None:
    """One line, in UTF-8 whatever the terminal says, at once: programs at the other end wait for it."""
    binary = getattr(out, "buffer", None)
    if binary is None:
        out.write(line.decode("utf-8") + "\n")
    else:
        binary.write(line + b"\n")
        binary.flush()
