"""How Sphinx builds these pages (`make docs`): the Markdown of this folder, in a theme that the policy allows."""

import re
from typing import Any

project = "Army Builder"
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_theme"]
myst_heading_anchors = 3

html_theme = "_theme"
html_theme_path = ["."]
html_title = "Army Builder"
html_copy_source = False
html_use_index = False
html_permalinks = False

OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?:clients/)?[\w/]+\.md)\)")
"""A link to a page of the repository that is none of the documentation."""


def name_what_is_outside(app: Any, docname: str, source: list[str]) -> None:
    """What is no page of the documentation is named by its path in the repository instead of linked."""
    if "/" not in docname:
        source[0] = OUTSIDE.sub(r"\1 (`\2`)", source[0])


RUSSIAN = "ru/"
"""The folder of pages in Russian, each under the name of the page it says in the other language."""


def in_the_other_language(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A page knows its language and, where there is one, the same page in the other."""
    is_russian = pagename.startswith(RUSSIAN)
    other = pagename.removeprefix(RUSSIAN) if is_russian else RUSSIAN + pagename
    context["language"] = "ru" if is_russian else language
    context["other_language"] = other if other in app.env.found_docs else None


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", in_the_other_language)
    app.connect("source-read", name_what_is_outside)
