"""What an organiser's layout may do, and how much: Liquid without anything that reads files or grows without end.

A program of its own: what a layout costs is bounded here by counting, but not what Liquid's patterns do with 5,000
blanks, nor what it compares. The process ends when it has had its second or its memory, and nobody else waits for it.
Read from its file by a bare Python, it imports nothing of the site; `organiser_layout` starts it.
"""

import json
import resource
import sys
from collections.abc import Callable, Sized
from contextvars import ContextVar
from functools import wraps
from typing import Any

from liquid import Environment
from liquid.exceptions import LiquidError, ResourceLimitError

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


def _bounded(known: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is counted: Liquid counts the rounds of a loop, but not what filters go through and make."""

    @wraps(known)
    def answer(value: Any, *arguments: Any, **options: Any) -> Any:
        left = _left.get() - _work_on(value, arguments)
        _left.set(left)
        if left < 0 or (isinstance(value, range) and len(value) > _Sandbox.loop_iteration_limit):
            raise ResourceLimitError("filters have too much to do", token=None)
        return known(value, *arguments, **options)

    return answer


def _work_on(value: Any, arguments: tuple[Any, ...]) -> int:
    """What a filter has to do with a value; what stands between joined items is written as often as there are items."""
    letters = sum(len(word) for word in (value, *arguments) if isinstance(word, str))
    items = len(value) if isinstance(value, Sized) and not isinstance(value, str) else 1
    return 1 + items * (1 + letters // 100)


class _Sandbox(Environment):
    context_depth_limit = 8
    loop_iteration_limit = 5_000
    local_namespace_limit = 20_000
    output_stream_limit = 200_000

    def __init__(self) -> None:
        super().__init__(extra=False)
        self.filters = {name: _bounded(known) for name, known in self.filters.items() if name in FILTERS}
        self.tags = {name: known for name, known in self.tags.items() if name in TAGS}


_SANDBOX = _Sandbox()

SECONDS = 1
"""Of the processor, from the start of Python on, which takes a fifth of it."""

MEMORY = 150 * 2**20


def answer_to(source: str, words: dict[str, Any]) -> dict[str, Any]:
    """The `text` of a layout with these words in it, the `line` and what is `said` of it, or that it is `too_much`."""
    begun = _left.set(FILTERED)
    try:
        return {"text": _SANDBOX.from_string(source).render(**words)}
    except (ResourceLimitError, MemoryError):
        return {"too_much": True}
    except (LiquidError, ArithmeticError, TypeError, ValueError, RecursionError) as refusal:
        return {"line": _place(refusal, source), "said": str(getattr(refusal, "message", refusal))[:200]}
    finally:
        _left.reset(begun)


def _place(refusal: Exception, source: str) -> int:
    """The line a refusal speaks of; 1 where it does not say."""
    token = getattr(refusal, "token", None)
    start = getattr(token, "start_index", None)
    return source.count("\n", 0, start) + 1 if isinstance(start, int) and start >= 0 else 1


def main() -> None:
    """Read a layout and its words, both in one JSON document, and write the answer."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    asked = json.load(sys.stdin)
    json.dump(answer_to(asked["source"], asked["words"]), sys.stdout)


if __name__ == "__main__":
    main()
