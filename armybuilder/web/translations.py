"""Keeps the Russian texts in step with templates and code: `python -m armybuilder.web.translations [--check]`.

Collects every text marked for translation, adds new ones to locale/ru/LC_MESSAGES/django.po, drops those no longer
used, and compiles django.mo, which is committed: a fresh machine has no msgfmt. Needs polib (requirements-dev.txt).
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "armybuilder" / "web" / "locale" / "ru" / "LC_MESSAGES" / "django.po"
COMPILED = CATALOGUE.with_suffix(".mo")

_PLAIN = {"_", "gettext", "gettext_lazy", "gettext_noop"}
_PLURAL = {"ngettext", "ngettext_lazy"}
_CONTEXT = {"pgettext", "pgettext_lazy"}
_STRING = r"""u?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
_IN_TEMPLATE = re.compile(rf"\b(_|gettext|ngettext|pgettext)\(\s*{_STRING}(?:\s*,\s*{_STRING})?")

HEADER = {
    "Project-Id-Version": "Army Builder",
    "Language": "ru",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 :"
    " n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14)? 2 : 3);",
}
"""Four forms, as Django's own Russian catalogue has: with another number Django could not merge the two."""


@dataclass
class Text:
    """One text marked for translation."""

    message: str
    plural: str = ""
    context: str | None = None
    places: list[str] = field(default_factory=list)


@cache
def collected() -> dict[tuple[str | None, str], Text]:
    """Every marked text of templates and code, by context and message; read once a process."""
    texts: dict[tuple[str | None, str], Text] = {}
    for place, found in _everywhere():
        known = texts.setdefault((found.context, found.message), found)
        known.plural = known.plural or found.plural
        if place not in known.places:
            known.places.append(place)
    return texts


def _everywhere() -> Iterator[tuple[str, Text]]:
    for path in sorted((ROOT / "templates").rglob("*.[ht]*")):
        for text in _in_template(path.read_text(encoding="utf-8")):
            yield str(path.relative_to(ROOT)), text
    for folder in ("armybuilder", "api"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if (
                "engine" not in path.parts and "migrations" not in path.parts
            ):  # findings carry both languages themselves
                for text in _in_code(path.read_text(encoding="utf-8")):
                    yield str(path.relative_to(ROOT)), text


def _in_template(source: str) -> Iterator[Text]:
    for name, first, second in _IN_TEMPLATE.findall(templatize(source)):
        message = ast.literal_eval(first)
        other = ast.literal_eval(second) if second else ""
        if name == "ngettext":
            yield Text(message, plural=other)
        elif name == "pgettext":
            yield Text(other, context=message)
        else:
            yield Text(message)


def _in_code(source: str) -> Iterator[Text]:
    if not any(f"{name}(" in source for name in _PLAIN | _PLURAL | _CONTEXT):
        return  # to take a file apart costs a hundred times more
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        words = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if node.func.id in _PLAIN and len(words) >= 1:
            yield Text(words[0])
        elif node.func.id in _PLURAL and len(words) >= 2:
            yield Text(words[0], plural=words[1])
        elif node.func.id in _CONTEXT and len(words) >= 2:
            yield Text(words[1], context=words[0])


def synchronised() -> polib.POFile:
    """The Russian catalogue with exactly the texts in use: translations kept, new ones empty."""
    old = polib.pofile(str(CATALOGUE)) if CATALOGUE.exists() else polib.POFile()
    known = {(entry.msgctxt, entry.msgid): entry for entry in old}
    new = polib.POFile(wrapwidth=110)
    new.metadata = dict(HEADER)
    for key, text in sorted(collected().items(), key=lambda item: (item[1].places[0], item[0][1])):
        entry = polib.POEntry(
            msgctxt=text.context,
            msgid=text.message,
            msgid_plural=text.plural,
            occurrences=[(p, "") for p in text.places],
        )
        before = known.get(key)
        if text.plural:
            forms = before.msgstr_plural if before is not None else {}
            entry.msgstr_plural = {number: forms.get(number, "") for number in range(4)}
        elif before is not None:
            entry.msgstr = before.msgstr
        if "%(" in text.message or "%(" in text.plural:
            entry.flags = ["python-format"]
        new.append(entry)
    return new


def untranslated(catalogue: polib.POFile) -> list[str]:
    """Texts that still lack a Russian form."""
    return [
        entry.msgid
        for entry in catalogue
        if not (all(entry.msgstr_plural.values()) if entry.msgid_plural else entry.msgstr)
    ]


def main(arguments: list[str]) -> int:
    """Write both files, or with --check only say whether they are fresh and complete."""
    catalogue = synchronised()
    missing = untranslated(catalogue)
    for message in missing:
        sys.stderr.write(f"not translated: {message!r}\n")
    if "--check" in arguments:
        fresh = (
            CATALOGUE.read_text(encoding="utf-8") == str(catalogue) + "\n"
            and COMPILED.read_bytes() == catalogue.to_binary()
        )
        if not fresh:
            sys.stderr.write("the committed catalogue is not what templates and code say; run it without --check\n")
        return 0 if fresh and not missing else 1
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    CATALOGUE.write_text(str(catalogue) + "\n", encoding="utf-8")
    COMPILED.write_bytes(catalogue.to_binary())
    return 0


if __name__ == "__main__":
    if not settings.configured:
        settings.configure(USE_I18N=True)
    sys.exit(main(sys.argv[1:]))
