"""The Russian catalogue: complete, fresh, compiled, and with the same placeholders as the English texts."""

import re

import pytest

polib = pytest.importorskip("polib", reason="polib is a test package: pip install -r requirements-dev.txt")

from armybuilder.web import translations  # noqa: E402

_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w+\}")


def test_every_text_is_translated_and_none_is_left_over() -> None:
    committed = {(entry.msgctxt, entry.msgid) for entry in polib.pofile(str(translations.CATALOGUE))}
    wanted = set(translations.collected())
    assert committed == wanted, "run: python -m armybuilder.web.translations"
    assert translations.untranslated(translations.synchronised()) == []


def test_the_compiled_file_is_fresh() -> None:
    catalogue = polib.pofile(str(translations.CATALOGUE))
    compiled = polib.mofile(str(translations.COMPILED))
    said = {(e.msgctxt, e.msgid): (e.msgstr, dict(e.msgstr_plural or {})) for e in catalogue}
    read = {(e.msgctxt, e.msgid): (e.msgstr, dict(e.msgstr_plural or {})) for e in compiled}
    assert read == said, "run: python -m armybuilder.web.translations"


def test_placeholders_are_the_same_in_both_languages() -> None:
    for entry in polib.pofile(str(translations.CATALOGUE)):
        forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        wanted = set(_PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        for form in forms:
            assert set(_PLACEHOLDER.findall(form)) == wanted, entry.msgid


def test_texts_are_found_in_templates_and_code() -> None:
    texts = translations.collected()
    assert (None, "My lists") in texts
    assert texts[(None, "%(count)s unit")].plural == "%(count)s units"
    assert any(place.endswith("problems.py") for place in texts[(None, "Nothing here")].places)
