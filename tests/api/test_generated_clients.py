"""What generators make of the description: clients with every operation, one of which is used against a live server."""

import hashlib
import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from army_builder_client import RetryingTransport
from django.core.management import call_command

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import WRITING
from armybuilder.accounts.services import issue_token
from tests.api.test_description import GOLDEN
from tests.breadth import is_whole

ROOT = Path(__file__).parents[2]
PACKAGE = "generated_army_builder"

pytestmark = pytest.mark.long


def operations() -> set[str]:
    """The operation ids of the description."""
    paths = yaml.load(GOLDEN.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["paths"]
    return {operation["operationId"] for path in paths.values() for operation in path.values()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The Python client, and what the generator said."""
    folder = tmp_path_factory.mktemp("client")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate"),
            *("--path", str(GOLDEN), "--meta", "none", "--output-path", str(folder / PACKAGE)),
            *("--config", str(ROOT / "clients/python/generator.yaml")),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={"PATH": str(Path(sys.executable).parent), "HOME": str(folder)},
    )
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE, done.stdout + done.stderr
    sys.path.remove(str(folder))


def test_the_python_generator_makes_every_operation(made: tuple[Path, str]) -> None:
    package, said = made
    written = {path.stem for path in package.glob("api/*/*.py")} - {"__init__"}
    assert written == operations()
    assert "will not be generated" not in said
    assert "Unable to" not in said


@pytest.mark.django_db(transaction=True)
def test_its_client_builds_reads_and_shares_a_list(made: tuple[Path, str], live_server: Any, owner: User) -> None:
    def module(name: str) -> ModuleType:
        return importlib.import_module(f"{PACKAGE}.{name}")

    call_command("seed", stdout=StringIO())
    secret = issue_token(owner, name="generated", scopes=WRITING).secret
    client = module("client").AuthenticatedClient(
        live_server.url, secret, raise_on_unexpected_status=True, httpx_args={"transport": RetryingTransport()}
    )
    models = module("models")
    factions = module("api.systems.list_factions").sync("horus-heresy", client=client)
    sons = next(one for one in factions if one.key == "sons-of-horus")
    assert sons.name.en == "Sons of Horus"
    new = models.NewList(system="horus-heresy", name="Speartip", catalogue_id=sons.catalogue_id, points_limit=2000)
    mine = module("api.lists.create_list").sync(client=client, body=new)
    force = mine.document["roster"]["forces"][0]["id"]
    offers = module("api.lists.list_offers").sync(mine.id, client=client, under=force)
    praetor = next(one for one in offers if one.role == "hq")
    add = models.AddUnit.from_dict({"edit": "add_unit", "force_id": force, "entry_id": praetor.entry_id})
    edited = module("api.lists.edit_list").sync(mine.id, client=client, body=add, if_match='"1"')
    assert edited.list_.points == praetor.points
    read = module("api.lists.read_list").sync(mine.id, client=client, expand=[models.ReadListExpandItem.SHEET])
    assert [unit.name for role in read.sheet.detachments[0].roles for unit in role.units] == [praetor.name.en]
    link = module("api.sharing.create_share_link").sync(mine.id, client=client, body=models.NewShareLink())
    shared = module("api.sharing.read_shared_list").sync(link.token, client=client)
    assert (shared.name, shared.verdict) == ("Speartip", "illegal")


@pytest.mark.skipif(shutil.which("npx") is None, reason="node is not installed")
def test_the_typescript_generator_makes_every_operation(tmp_path: Path) -> None:
    out = tmp_path / "army-builder.ts"
    command = ["npx", "--yes", "--loglevel=error", "openapi-typescript@7.13.0", str(GOLDEN), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode and "ENOTFOUND" in done.stderr + done.stdout:
        pytest.skip("the generator cannot be fetched here")
    assert done.returncode == 0, done.stderr
    text = out.read_text(encoding="utf-8")
    assert {name for name in operations() if f'operations["{name}"]' in text} == operations()


LINTERS = {
    "clients/redocly.yaml": ("@redocly/cli@2.12.0", "lint", "--config"),
    "clients/spectral.yaml": ("@stoplight/spectral-cli@6.16.3", "lint", "-F", "warn", "--ruleset"),
}
"""What reads the description, by the file of its rules."""


@pytest.mark.skipif(shutil.which("npx") is None, reason="node is not installed")
@pytest.mark.parametrize("rules", LINTERS)
def test_the_linters_rules_hold(rules: str, request: pytest.FixtureRequest) -> None:
    """A description that has passed is remembered from run to run, unless walks go everywhere."""
    passed = hashlib.sha256(
        repr(LINTERS[rules]).encode() + (ROOT / rules).read_bytes() + GOLDEN.read_bytes()
    ).hexdigest()
    memory: pytest.Cache | None = getattr(request.config, "cache", None)
    if memory is not None and memory.get(f"armybuilder/{rules}", None) == passed and not is_whole():
        return
    done = subprocess.run(
        ["npx", "--yes", "--loglevel=error", *LINTERS[rules], rules, str(GOLDEN)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
    )
    if done.returncode and "ENOTFOUND" in done.stderr + done.stdout:
        pytest.skip("the linter cannot be fetched here")
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    if memory is not None:
        memory.set(f"armybuilder/{rules}", passed)
