"""Parts of a page that an answer to an edit leaves out where the browser has them already."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from django import template
from django.template import Context, NodeList
from django.template.base import FilterExpression, Node, Parser, Token
from django.utils.html import format_html
from django.utils.translation import get_language

register = template.Library()

STAMP_BYTES = 5


class Part(Node):
    """`{% part "div" id key… %}<div id="{{ id }}" data-stamp="{{ stamp }}">…</div>{% endpart %}`."""

    def __init__(self, nodelist: NodeList, words: list[FilterExpression]) -> None:
        """What stands inside, and the words of the tag: element, id, and everything the part depends on."""
        self.nodelist = nodelist
        self.words = words

    def render(self, context: Context) -> str:
        """The part; or an empty element in its place that `edits.js` leaves as it is on the page."""
        element, part_id, *key = [word.resolve(context) for word in self.words]
        stamp = stamp_of(str(part_id), key)
        if stamp in getattr(context.get("page"), "have", ()):
            oob = context.get("oob") and part_id in OUT_OF_BAND
            mark = ' hx-swap-oob="morph"' if oob else ""
            return format_html('<{0} id="{1}"' + mark + " data-same></{0}>", element, part_id)
        with context.push(stamp=stamp):
            return str(self.nodelist.render(context))


OUT_OF_BAND = frozenset({"army", "findings"})
"""Parts that stand at the top of an answer, beside the pane it is about."""


def stamp_of(part_id: str, key: list[Any]) -> str:
    """What tells two states of a part apart, in ten letters."""
    whole = repr((part_id, get_language(), *(getattr(item, "shows", item) for item in key)))
    return blake2b(whole.encode(), digest_size=STAMP_BYTES).hexdigest()


def stamps_in(text: str) -> frozenset[str]:
    """The stamps a browser sends with an edit: of every part it shows."""
    return frozenset(_stamps(text))


def _stamps(text: str) -> Iterator[str]:
    length = 2 * STAMP_BYTES
    for start in range(0, len(text) - length + 1, length):
        yield text[start : start + length]


@register.tag
def part(parser: Parser, token: Token) -> Part:
    """Begin a part: the name of its element, its id, then everything that it depends on but the language."""
    words = [parser.compile_filter(word) for word in token.split_contents()[1:]]
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return Part(nodelist, words)
