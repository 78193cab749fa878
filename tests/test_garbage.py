"""A web process is not stopped by looks at what stays, and holds nothing of a request that is answered."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.test import RequestFactory

from armybuilder.garbage import YOUNG_OBJECTS

LEFT_ALONE = """
import gc, os
from armybuilder.wsgi import application
print(gc.get_freeze_count() > 20_000, gc.get_threshold()[0])
"""


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def test_the_server_leaves_alone_what_stays(tmp_path: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEFT_ALONE],
        env={"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "armybuilder.settings", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", str(YOUNG_OBJECTS)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/v1/check/", b'{"system": "epic", "formations": []}', 200),
        ("GET", "/api/v1/systems/", b"", 200),
        ("HEAD", "/api/v1/systems/", b"", 200),
    ],
)
def test_a_request_goes_when_it_is_answered(
    no_collector: None, rf: RequestFactory, method: str, path: str, body: bytes, status: int
) -> None:
    environ = rf.generic(method, path, body, content_type="application/json").environ | {"wsgi.input": BytesIO(body)}
    request = WSGIRequest(environ)
    answer = WSGIHandler().get_response(request)
    assert answer.status_code == status
    known = weakref.ref(request)
    del answer, request
    assert known() is None
