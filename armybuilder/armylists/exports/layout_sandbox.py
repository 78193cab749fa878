"""What an organiser's layout may do, and how much: Liquid without anything that reads files or grows without end.

A program of its own: what a layout costs is bounded here by counting, but not what Liquid's patterns do with 5,000
blanks, nor what it compares. The process ends when it has had its second or its memory, and nobody else waits for it.
Read from its file by a bare Python, it imports nothing of the site; `organiser_layout` starts it.
"""

import json
import re
import resource
import sys
from collections.abc import Callable, Sized
from contextvars import ContextVar
from functools import wraps
from typing import Any, TextIO

from liquid import Environment, Node, RenderContext, TokenStream
from liquid.builtin.output import Output, OutputNode
from liquid.builtin.tags.case_tag import TAG_ENDCASE, CaseTag
from liquid.exceptions import LiquidError, LiquidSyntaxError, LiquidTypeError, ResourceLimitError

FILTERS = frozenset(
    {"abs", "capitalize", "ceil", "compact", "default", "downcase", "first", "floor", "has", "join", "last", "lstrip"}
    | {"minus", "plus", "reverse", "round", "rstrip", "size", "sort", "sort_natural", "strip", "strip_newlines"}
    | {"sum", "truncate", "truncatewords", "uniq", "upcase", "where"}
)
"""What may be done with a word; nothing that makes texts longer without end."""

TAGS = frozenset(
    {"#", "assign", "break", "case", "comment", "content", "continue", "cycle", "echo", "for", "if", "illegal"}
    | {"output", "unless"}
)


FILTERED = 500_000
"""Items, and hundreds of letters, that all filters of a layout together go through: half a second at most."""

_left = ContextVar("what filters may still go through", default=0)


class _Unfit(LiquidTypeError):
    """A filter that can do nothing with what it was given; Liquid adds where it stands."""


def _bounded(name: str, known: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is counted: Liquid counts the rounds of a loop, but not what filters go through and make."""

    @wraps(known)
    def answer(value: Any, *arguments: Any, **options: Any) -> Any:
        left = _left.get() - _work_on(value, arguments)
        _left.set(left)
        if left < 0 or (isinstance(value, range) and len(value) > _Sandbox.loop_iteration_limit):
            raise ResourceLimitError("filters have too much to do", token=None)
        try:
            return known(value, *arguments, **options)
        except (ResourceLimitError, MemoryError):
            raise
        except Exception as failure:
            raise _Unfit(name, token=None) from failure

    return answer


def _work_on(value: Any, arguments: tuple[Any, ...]) -> int:
    """What a filter has to do with a value; what stands between joined items is written as often as there are items."""
    letters = sum(len(word) for word in (value, *arguments) if isinstance(word, str))
    items = len(value) if isinstance(value, Sized) and not isinstance(value, str) else 1
    return 1 + items * (1 + letters // 100)


class Thing(dict[str, Any]):
    """A unit, a role, a finding: what has words of its own, of which a layout says one."""

    def __str__(self) -> str:
        """Python's way to write it is nothing for a list."""
        raise LiquidTypeError("is made of several words", token=None)

    __repr__ = __str__


class _Written(OutputNode):
    """A word in brackets, which says where it stands when it cannot be written."""

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        """Liquid's own; in a loop it would name the line of the loop."""
        try:
            return super().render_to_output(context, buffer)
        except LiquidTypeError as refusal:
            refusal.token = refusal.token or self.token
            raise


class _Output(Output):
    node_class = _Written


class _Case(CaseTag):
    """A choice, which Liquid would look for the end of for ever."""

    def parse(self, stream: TokenStream) -> Node:
        """Liquid's own, once it is known that there is an end."""
        token = stream.current
        unclosed = LiquidSyntaxError("case tag was never closed", token=token)
        if not any(ahead.is_tag(TAG_ENDCASE) for ahead in stream.tokens[stream.pos :]):
            raise unclosed
        try:
            return super().parse(stream)
        except LiquidSyntaxError:
            if stream.current is stream.eof:  # an end there was, but of another choice inside
                raise unclosed from None
            raise


class _Sandbox(Environment):
    context_depth_limit = 8
    loop_iteration_limit = 5_000
    local_namespace_limit = 20_000
    output_stream_limit = 200_000

    def __init__(self) -> None:
        super().__init__(extra=False)
        self.filters = {name: _bounded(name, known) for name, known in self.filters.items() if name in FILTERS}
        self.tags = {name: known for name, known in self.tags.items() if name in TAGS}
        self.add_tag(_Case)
        self.add_tag(_Output)


_SANDBOX = _Sandbox()

SECONDS = 1
"""Of the processor, from the start of Python on, which takes a fifth of it."""

MEMORY = 150 * 2**20


_REASONS = (
    (re.compile(r"unknown filter '(.*)'"), "no-filter"),
    (re.compile(r"unexpected tag '(.*)'"), "no-tag"),
    (re.compile(r"expected tag (\w+)"), "missing"),
    (re.compile(r"expected '(}}|%})', found end of file"), "missing"),
    (re.compile(r"(\w+) tag was never closed"), "open"),
    (re.compile(r"missing (?:expression|tag name)()"), "empty"),
    (re.compile(r"unexpected '(.*)'"), "out-of-place"),
    (re.compile(r"unexpected \"(.*)\""), "out-of-place"),
    (re.compile(r"is made of several words()"), "several-words"),
    (re.compile(r"are not supported between()"), "not-comparable"),
    (re.compile(r"(?:expected an integer|islice)()"), "no-number"),
    (re.compile(r"unexpected liquid parsing error()"), "unreadable"),
)
"""What Liquid says in the words of its parser or of Python, and what an organiser is told instead."""

_MARKUP = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def answer_to(source: str, words: dict[str, Any]) -> dict[str, Any]:
    """The `text` of a layout with these words in it, the `reason` of a refusal, or that it is `too_much`.

    Beside a reason stand the `word` it is about, which may be none, and the `line`, where that is known.
    """
    begun = _left.set(FILTERED)
    try:
        return {"text": _SANDBOX.from_string(source).render(**words)}
    except (ResourceLimitError, MemoryError):
        return {"too_much": True}
    except Exception as refusal:  # Liquid lets whatever Python raises pass
        reason, word = _reason_of(refusal)
        return {"reason": reason, "word": word, "line": _line_of(refusal, source)}
    finally:
        _left.reset(begun)


def _reason_of(refusal: Exception) -> tuple[str, str]:
    said = str(refusal.message if isinstance(refusal, LiquidError) else refusal)
    if isinstance(refusal, _Unfit):
        return "unfit", said
    for pattern, reason in _REASONS:
        if found := pattern.search(said):
            return reason, found[1][:40]
    return ("unreadable" if isinstance(refusal, LiquidSyntaxError) else "impossible"), ""


def _line_of(refusal: Exception, source: str) -> int | None:
    """The line a refusal speaks of; None where nobody knows."""
    start = getattr(getattr(refusal, "token", None), "start_index", None)
    if not isinstance(start, int) or start < 0:  # at the end of what stands in brackets, Liquid loses the place
        start = next((part.start() for part in _MARKUP.finditer(source) if _is_said_of(part[0], refusal)), -1)
    return source.count("\n", 0, start) + 1 if start >= 0 else None


def _is_said_of(markup: str, refusal: Exception) -> bool:
    """Whether a pair of brackets is refused so when it stands alone; any opening tag is, for want of its end."""
    said = getattr(refusal, "message", "")
    if not isinstance(refusal, LiquidSyntaxError) or "expected tag" in said:
        return False
    try:
        _SANDBOX.from_string(markup)
    except LiquidError as alone:
        return bool(alone.message == said)
    return False


def main() -> None:
    """Read a layout and its words, both in one JSON document, and write the answer."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    asked = json.load(sys.stdin, object_hook=Thing)
    json.dump(answer_to(asked["source"], asked["words"]), sys.stdout)


if __name__ == "__main__":
    main()
