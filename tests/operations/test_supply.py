"""What the site is made of: packages whose licences allow it, and no secret in the sources."""

import re
import subprocess
from importlib.metadata import PackageNotFoundError, distribution, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|0BSD|HPND|Unlicense|Zlib)\b", re.I
)
WITH_CONDITIONS = {"jwcrypto": "LGPL", "psycopg": "LGPL", "psycopg-binary": "LGPL", "resvg_py": ""}
"""Used and not changed: the LGPL asks for nothing more. The package of resvg says nothing: it is MPL-2.0."""

SECRETS = {
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    "a key of AWS": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36}\b"),
    "a token of the site": re.compile(r"\bab_[A-Za-z0-9_-]{43}\b"),
    "a key that is set": re.compile(r"^SECRET_KEY=[A-Za-z0-9_-]{40,}$", re.MULTILINE),
    "a password in an address": re.compile(r"\bpostgres(?:ql)?://\w+:(?!password@|secret@)[^@\s{$'\"]{6,}@(?!127)"),
}


def pinned() -> list[str]:
    """Names of the packages the server runs on."""
    return re.findall(r"^([\w.-]+)(?:\[\w+\])?==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)


def is_installed(name: str) -> bool:
    """Some are for other systems than this one."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def licence_of(name: str) -> str:
    """What a package says of its licence, in its metadata or, where that says nothing, in the text of the licence."""
    facts = metadata(name)
    classifiers = [line for line in facts.get_all("Classifier") or () if line.startswith("License")]
    said = [facts.get("License-Expression") or "", (facts.get("License") or "")[:200], *classifiers]
    files = [file for file in distribution(name).files or () if "LICEN" in file.name.upper()]
    return " ".join([*said, *(file.read_text()[:400] for file in files if not any(said))])


def test_the_licence_of_every_package_allows_its_use() -> None:
    said = {name: licence_of(name) for name in pinned() if is_installed(name)}
    assert len(said) > 40
    assert {
        name: words
        for name, words in said.items()
        if not (ALLOWED.search(words) or WITH_CONDITIONS.get(name, "no other") in words)
    } == {}


SCRIPTS_OF_OTHERS = sorted((ROOT / "armybuilder/web/static").rglob("*.min.js"))


@pytest.mark.parametrize("script", SCRIPTS_OF_OTHERS, ids=lambda path: path.name)
def test_a_script_of_others_says_whose_it_is(script: Path) -> None:
    first = script.read_text(encoding="utf-8").split("\n", 1)[0]
    assert re.search(r"\d+\.\d+\.\d+\b.*, https://github\.com/", first)
    assert re.search(ALLOWED, first)


def test_no_secret_stands_in_the_sources() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        found += [f"{name}: {what}" for what, pattern in SECRETS.items() if pattern.search(text)]
    assert found == []
