"""Libraries that others import at their start and few processes ever use, loaded when they are first used.

Passkeys and signed tokens take 20 MB of every process, and most processes see neither. What is looked up in such a
package is imported at that moment, by the import system and under its locks: nothing is replaced, and nothing done
twice.
"""

import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from armybuilder.engine.late_modules import LateModule

PACKAGES = ("webauthn", "webauthn.helpers", "oauth2_provider.views", "jinja2")
"""Packages whose own file says no more than where its names are to be found."""
MODULES = ("jwcrypto.jwk", "jwcrypto.jws", "jwcrypto.jwt")
"""Modules that others take out of their package by name."""
EXTRAS = ("requests", "pygments", "docutils")
"""What Django REST framework looks for, for a client in tests, a page that is not served and Django's own docs."""


class LatePackage(ModuleType):
    """A package each of whose names is imported when it is asked for, from where the package's file would import it."""

    _places: dict[str, tuple[str, str]]

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep what is set, but no module: importing one sets it, and the name means what is in it."""
        if not (isinstance(value, ModuleType) and name in vars(self).get("_places", {})):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        """The name as the package would have it."""
        if name not in self._places:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module, theirs = self._places[name]
        found = getattr(importlib.import_module(module, self.__name__), theirs)
        setattr(self, name, found)
        return found


def install() -> None:
    """Put the packages in place; what is loaded already, or not installed, stays as it is."""
    for name in PACKAGES:
        if name not in sys.modules and (spec := find_spec(name)):
            sys.modules[name] = _late_package(spec)
    for name in MODULES:
        package, _, module = name.rpartition(".")
        if name not in sys.modules and find_spec(package):
            setattr(importlib.import_module(package), module, LateModule(name))


def load_framework(*, postgresql: bool) -> None:
    """Load Django REST framework as where its extras are not installed; they are there for whoever needs them later.

    Args:
        postgresql: whether a database of this process is one; else its driver, 9 MB, is such an extra too.
    """
    with _absent(EXTRAS if postgresql else (*EXTRAS, "psycopg", "psycopg2")):
        for name in ("rest_framework.compat", "rest_framework.test", "django.contrib.admindocs.utils"):
            importlib.import_module(name)


@contextmanager
def _absent(names: tuple[str, ...]) -> Iterator[None]:
    """The packages that are not loaded yet cannot be, within."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def _late_package(spec: ModuleSpec) -> LatePackage:
    """The package without what its file imports; its plain values (`__version__`, `__all__`) are there.

    Raises:
        ImportError: if the file does more than import from its own modules and name values.
    """
    package = LatePackage(spec.name)
    for name, value in vars(module_from_spec(spec)).items():
        setattr(package, name, value)
    places: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(Path(str(spec.origin)).read_bytes()).body:
        match statement:
            case ast.ImportFrom(module=str(module), names=names, level=1):
                places |= {alias.asname or alias.name: (f".{module}", alias.name) for alias in names}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                setattr(package, name, ast.literal_eval(value))
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                raise ImportError(f"{spec.name} does more than name what is in it; take it out of PACKAGES")
    package._places = places
    return package
