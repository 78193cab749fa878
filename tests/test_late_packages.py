"""What few processes ever use is not in the memory of a web process, and is there when it is asked for."""

import importlib
import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from armybuilder import late_packages
from armybuilder.engine.late_modules import LateModule

ROOT = Path(__file__).resolve().parent.parent
HEAVY = (
    "cryptography",
    "OpenSSL",
    "pyasn1",
    "lxml",
    "requests",
    "docutils",
    "pygments",
    "jinja2.environment",
    "psycopg",
)

STARTED = """
import json, sys
from armybuilder.wsgi import application
import armybuilder.urls
asked = {"REQUEST_METHOD": "GET", "PATH_INFO": "/api/v1/", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
    "HTTP_HOST": "localhost", "wsgi.input": sys.stdin.buffer, "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http"}
status = []
b"".join(application(asked, lambda line, headers: status.append(line)))
at_start = sorted(sys.modules)
import requests, docutils.core
from django.contrib.postgres.fields import ArrayField
from webauthn import verify_registration_response
from jwcrypto import jwt
from armybuilder.web.oauth_urls import _loaded
views = [_loaded(f"oauth2_provider.views.{name}").view_class.__name__ for name in ("TokenView", "RevokeTokenView")]
key = jwt.JWT(header={"alg": "HS256"}, claims={"a": 1})
print(json.dumps([status, at_start, views, verify_registration_response.__module__]))
"""


@pytest.mark.long
def test_a_web_process_starts_without_them_and_finds_them_later(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {
        "VAR_DIR": str(tmp_path),
        "SECRET_KEY": secrets.token_urlsafe(64),
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", STARTED], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    status, at_start, views, place = json.loads(done.stdout.splitlines()[-1])
    assert status == ["200 OK"]
    assert [name for name in HEAVY if name in at_start] == []
    assert views == ["TokenView", "RevokeTokenView"]
    assert place == "webauthn.registration.verify_registration_response"


@pytest.mark.parametrize("name", late_packages.PACKAGES)
def test_every_name_of_a_late_package_is_what_the_package_has_under_it(name: str) -> None:
    package = sys.modules[name]
    assert isinstance(package, late_packages.LatePackage)
    assert package._places
    for known, (module, theirs) in package._places.items():
        found = getattr(package, known)
        assert found is getattr(importlib.import_module(module, name), theirs)
        assert not isinstance(found, ModuleType)
    assert set(getattr(package, "__all__", [])) <= set(package._places)
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing_of_the_kind'"):
        package.nothing_of_the_kind  # noqa: B018 - asking is what is tried


def test_a_package_that_does_more_than_name_its_parts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "busy_package").mkdir()
    (tmp_path / "busy_package" / "__init__.py").write_text("from .a import b\nb.register()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(late_packages, "PACKAGES", ("busy_package",))
    with pytest.raises(ImportError, match="busy_package does more than name what is in it"):
        late_packages.install()
    assert "busy_package" not in sys.modules


def test_a_late_module_is_the_module() -> None:
    late = LateModule("lxml.etree")
    from lxml import etree  # noqa: PLC0415 - loaded after it was named

    assert late.fromstring is etree.fromstring
    with pytest.raises(AttributeError):
        late.nothing_of_the_kind  # noqa: B018 - asking is what is tried
