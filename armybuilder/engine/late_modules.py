"""Modules of libraries that most processes never use, loaded with the first question to them.

lxml alone takes 5 MB of every process, and most only ever read compiled data.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


class LateModule(ModuleType):
    """Stands where a module would; the import system loads it, under its locks, when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        """What the module has under the name."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


__all__ = ["LateModule", "etree", "html"]

if TYPE_CHECKING:
    from lxml import etree, html
else:
    etree = LateModule("lxml.etree")
    html = LateModule("lxml.html")
