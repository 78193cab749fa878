"""Styles and scripts travel without comments and spaces, compressed as well as a browser understands."""

import gzip
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.test import Client

from armybuilder.web.smaller_files import CollectedFiles, minified

STATIC = Path(__file__).resolve().parents[2] / "armybuilder" / "web" / "static" / "web"
OURS = sorted(path for path in (*STATIC.glob("*.js"), *STATIC.glob("*.css")) if ".min." not in path.name)


def of(name: str) -> bytes:
    """A file as it lies."""
    return Path(str(finders.find(name))).read_bytes()


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_file_of_ours_loses_its_comments_and_at_least_an_eighth(path: Path) -> None:
    text = path.read_bytes()
    small = minified(f"web/{path.name}", text)
    assert b"/*" in text
    assert b"/*" not in small
    assert len(small) < len(text) * 7 / 8
    assert minified(f"web/{path.name}", small) == small


def test_a_theme_that_is_not_shown_stays_empty_and_is_not_left_out() -> None:
    small = minified("web/site.css", of("web/site.css"))
    assert b"--light:initial;--dark: ;" in small
    assert small.count(b"--light: ;--dark:initial") == 2


@pytest.mark.parametrize(
    "name", ["web/sortable.min.js", "web/icons.svg", "django_htmx/htmx-2.min.js", "admin/css/base.css"]
)
def test_files_of_others_stay_as_they_are(name: str) -> None:
    assert minified(name, of(name)) == of(name)


@pytest.mark.parametrize(
    ("understood", "coding", "unpack"),
    [("gzip, deflate, br, zstd", "br", brotli.decompress), ("gzip, deflate", "gzip", gzip.decompress)],
)
@pytest.mark.parametrize("name", ["web/site.js", "web/site.css", "web/icons.svg", "django_htmx/htmx-2.min.js"])
def test_where_files_lie_they_are_packed_on_their_way(name: str, understood: str, coding: str, unpack: Any) -> None:
    for _ in range(2):
        answer = Client().get(f"/static/{name}", headers={"Accept-Encoding": understood})
        body = b"".join(answer)
        assert (answer.status_code, answer["Content-Encoding"], answer["Content-Length"]) == (
            200,
            coding,
            str(len(body)),
        )
        assert unpack(body) == minified(name, of(name))
        assert "Accept-Encoding" in answer["Vary"]
        assert answer["ETag"].startswith('W/"')


@pytest.mark.parametrize("headers", [{}, {"Accept-Encoding": "identity"}, {"Range": "bytes=0-99"}])
def test_whoever_understands_no_compression_or_asks_for_a_part_is_sent_what_lies_there(headers: dict[str, str]) -> None:
    answer = Client().get("/static/web/site.js", headers=headers)
    assert "Content-Encoding" not in answer
    assert of("web/site.js").startswith(b"".join(answer))


def test_who_looks_after_the_scripts_sees_them_as_they_are_written(settings: Any) -> None:
    settings.DEBUG = True
    answer = Client().get("/static/web/site.js", headers={"Accept-Encoding": "gzip, br"})
    assert gzip.decompress(b"".join(answer)) == of("web/site.js")


def test_what_is_collected_is_small_hashed_and_compressed(settings: Any, tmp_path: Path) -> None:
    storage = CollectedFiles(location=str(tmp_path), base_url="/static/")
    names = ("web/site.js", "web/mark.svg")
    for name in names:
        storage.save(name, ContentFile(of(name)))
    settings.STATIC_ROOT = str(tmp_path)
    made: dict[str, str] = {}
    lying = {name: (FileSystemStorage(location=str(STATIC.parent)), name) for name in names}
    for name, hashed, _ in storage.post_process(lying):
        made.setdefault(name, hashed)  # what follows are its compressed forms
    script = tmp_path / made["web/site.js"]
    assert script.read_bytes() == minified("web/site.js", of("web/site.js"))
    assert brotli.decompress(script.with_name(script.name + ".br").read_bytes()) == script.read_bytes()
    assert (tmp_path / made["web/mark.svg"]).read_bytes() == of("web/mark.svg")


@pytest.mark.parametrize(
    ("address", "is_held"), [("/static/web/site.css", False), ("/static/nothing.css", True), ("/", True)]
)
def test_files_go_without_what_only_pages_are_held_to(db: None, address: str, is_held: bool) -> None:
    answer = Client().get(address)
    assert [name in answer.headers for name in ("Referrer-Policy", "Cross-Origin-Opener-Policy")] == [is_held] * 2
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
