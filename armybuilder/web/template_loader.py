"""Reads templates that are laid out for the reader: their line breaks and indentation do not reach the page.

The rule, told to authors in `templates/README.md`:

* between words, and inside a tag between attributes, a line break with its indentation is one space, as everywhere;
* beside a tag, of HTML or of Django, it is nothing. A space that shall be seen there stands on the line of the tag.

It is applied once, when a template is compiled: pages are smaller than their sources and no slower. What stands in
`<pre>`, `<textarea>`, `<script>`, `<style>` and `{% blocktrans %}` stays as it is.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.template import Origin, Template, TemplateDoesNotExist
from django.template.base import DebugLexer, Lexer, NodeList, Parser, Token, TokenType
from django.template.engine import Engine
from django.template.loaders.filesystem import Loader as FilesystemLoader

_MARK = re.compile(r"<!--.*?-->|</?[a-zA-Z!][\w-]*|>|\s*\n\s*", re.DOTALL)
_AS_IT_IS = re.compile(r"pre|textarea|script|style")
_AS_IT_IS_BLOCKS = frozenset({"blocktrans", "blocktranslate"})


class Loader(FilesystemLoader):
    """The templates of `DIRS`, compiled without their layout and kept."""

    def __init__(self, engine: Engine, dirs: list[str | Path] | None = None) -> None:
        """Nothing is compiled yet."""
        super().__init__(engine, dirs)
        self._compiled: dict[str, Template] = {}

    def get_template(self, template_name: str, skip: list[Origin] | None = None) -> Template:
        """The first template of that name.

        Args:
            skip: origins that extend one another up to here, and so are not meant.

        Raises:
            TemplateDoesNotExist: there is none.
        """
        tried: list[tuple[Origin, str]] = []
        for origin in self.get_template_sources(template_name):
            if origin in (skip or ()):
                tried.append((origin, "Skipped to avoid recursion"))
                continue
            if origin.name not in self._compiled:
                try:
                    source = self.get_contents(origin)
                except TemplateDoesNotExist:
                    tried.append((origin, "Source does not exist"))
                    continue
                self._compiled[origin.name] = TemplateWithoutLayout(source, origin, template_name, self.engine)
            return self._compiled[origin.name]
        raise TemplateDoesNotExist(template_name, tried=tried)

    def reset(self) -> None:
        """Forget what was compiled: a file has changed."""
        self._compiled.clear()


class TemplateWithoutLayout(Template):
    """A template whose nodes lack the layout of its source; the source itself stays, for pages about errors."""

    def compile_nodelist(self) -> NodeList:
        """As Django does it, with the layout taken out between lexer and parser."""
        lexer = (DebugLexer if self.engine.debug else Lexer)(self.source)
        tokens = list(_without_layout(lexer.tokenize()))
        parser = Parser(tokens, self.engine.template_libraries, self.engine.template_builtins, self.origin)
        try:
            nodes = parser.parse()
        except Exception as mistake:
            if self.engine.debug:
                mistake.template_debug = self.get_exception_info(mistake, mistake.token)  # type: ignore[attr-defined]
            raise
        self.extra_data = parser.extra_data
        return nodes


def _without_layout(tokens: list[Any]) -> Iterator[Token]:
    """The tokens of a template, its texts without layout; texts that become empty are left out."""
    place = _Place()
    block = ""
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.token_type is TokenType.BLOCK:
            name = token.contents.split(None, 1)[0]
            if name in _AS_IT_IS_BLOCKS:
                block = name
            elif name == f"end{block}":
                block = ""
        if token.token_type is not TokenType.TEXT or block:
            yield token
            continue
        token.contents = place.read(token.contents, tag_before=_is_tag(before), tag_after=_is_tag(after))
        if token.contents:
            yield token


def _is_tag(token: Token | None) -> bool:
    """Whether nothing of the token itself is seen where it stands; so are both ends of the file."""
    return token is None or token.token_type in (TokenType.BLOCK, TokenType.COMMENT)


class _Place:
    """Where in the HTML the reading of a template has come to."""

    def __init__(self) -> None:
        """Outside of every tag."""
        self.in_tag = ""
        self.in_element = ""

    def read(self, text: str, *, tag_before: bool, tag_after: bool) -> str:
        """The text without its layout.

        Args:
            tag_before, tag_after: whether a tag of Django ends just before the text, or begins just after it.
        """
        parts: list[str] = []
        end = 0
        for mark in _MARK.finditer(text):
            found = mark.group()
            parts.append(text[end : mark.start()])
            end = mark.end()
            if found.isspace():
                parts.append(self._space(found, text, mark, tag_before=tag_before, tag_after=tag_after))
                continue
            parts.append(found)
            if found == ">":
                self._close()
            elif not found.startswith("<!--") and not self.in_tag:
                self._open(found)
        return "".join(parts) + text[end:]

    def _space(self, found: str, text: str, mark: "re.Match[str]", *, tag_before: bool, tag_after: bool) -> str:
        """What becomes of a line break with its indentation."""
        if self.in_element and not self.in_tag:
            return found
        if self.in_tag:
            return "" if text[mark.end() : mark.end() + 1] == ">" else " "
        beside_before = tag_before if mark.start() == 0 else text[mark.start() - 1] == ">"
        beside_after = tag_after if mark.end() == len(text) else text[mark.end()] == "<"
        return "" if beside_before or beside_after else " "

    def _open(self, found: str) -> None:
        name = found.lstrip("</").lower()
        self.in_tag = found
        if found.startswith("</"):
            self.in_element = "" if name == self.in_element else self.in_element
        elif not self.in_element and _AS_IT_IS.fullmatch(name):
            self.in_element = name

    def _close(self) -> None:
        self.in_tag = ""
