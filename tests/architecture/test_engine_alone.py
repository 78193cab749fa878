"""The engine works without Django, DRF, Celery and Redis: all of it imports where they cannot be imported."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

_PROGRAM = """
import importlib, pkgutil, sys

BLOCKED = ("django", "rest_framework", "celery", "redis", "environ")


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ImportError(f"the engine asked for {name}")


sys.meta_path.insert(0, Refuse())
import armybuilder.engine

names = [module.name for module in pkgutil.walk_packages(armybuilder.engine.__path__, "armybuilder.engine.")]
for name in names:
    importlib.import_module(name)
assert not [name for name in sys.modules if name.partition(".")[0] in BLOCKED]
print(len(names))
"""


def _run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_whole_engine_imports_without_django_drf_and_celery() -> None:
    done = _run(_PROGRAM)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_the_block_itself_works() -> None:
    done = _run(_PROGRAM.replace("import armybuilder.engine\n", "import armybuilder.settings\n"))
    assert done.returncode != 0
    assert "the engine asked for" in done.stderr


def test_the_package_itself_stays_empty() -> None:
    assert (ROOT / "armybuilder" / "__init__.py").read_bytes() == b""
