"""Signed verdicts: what is signed, that it is proved by the public key alone, and what changes afterwards."""

import json
import re
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils.html import escape
from django.utils.translation import override
from msgspec.structs import replace

from armybuilder.armylists import edits as e
from armybuilder.armylists import signed_verdicts
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import SignedVerdict
from armybuilder.armylists.services import check_army_list
from armybuilder.armylists.signed_verdicts import is_genuine, issue, judged, pem_of, printed, rotate_key
from armybuilder.web.pages.rule_names import rule_name
from tests.armylists.conftest import Muster

LINES = Path(__file__).parents[2] / "docs" / "verify_verdict.py"


def sign(muster: Muster) -> SignedVerdict:
    return issue(muster.row, check_army_list(muster.row))


def files_of(row: SignedVerdict, folder: Path) -> list[str]:
    (folder / "verdict.json").write_text(json.dumps({"payload": row.payload, "signature": row.signature}))
    (folder / "public.pem").write_text(pem_of(row.key))
    return [str(folder / "verdict.json"), str(folder / "public.pem")]


def test_what_is_signed(legal: Muster) -> None:
    row = sign(legal)
    facts = judged(row.code).facts
    assert (facts["verdict"], facts["system"], facts["revision"]) == ("legal", "horus-heresy", legal.row.revision)
    assert facts["release"] == {"number": legal.row.release.number, "content_hash": legal.row.release.content_hash}
    assert len(facts["roster_sha256"]) == 64
    assert (facts["code"], facts["key"], len(facts["rules_version"])) == (row.code, row.key_id, 16)
    assert all(finding["severity"] != "error" for finding in facts["findings"])
    assert is_genuine(row.payload, row.signature, pem_of(row.key))


def test_nothing_is_signed_twice(legal: Muster) -> None:
    first = sign(legal)
    assert sign(legal).pk == first.pk
    legal.edit(e.SetPointsLimit(points_limit=5000))
    assert sign(legal).pk != first.pk


def test_a_changed_text_is_not_genuine(legal: Muster) -> None:
    row = sign(legal)
    assert not is_genuine(row.payload.replace('"legal"', '"illegal"'), row.signature, pem_of(row.key))
    assert not is_genuine(row.payload, "bm90IGEgc2lnbmF0dXJl", pem_of(row.key))


def test_whether_the_list_has_changed_since(legal: Muster) -> None:
    code = sign(legal).code
    assert judged(printed(code).lower()).present == "unchanged"
    legal.edit(e.SetPointsLimit(points_limit=5000))
    assert judged(code).present == "changed"
    legal.row.delete()
    assert judged(code).present == "gone"


def test_an_unknown_code(db: None) -> None:
    with pytest.raises(NotFound):
        judged("ABCDE-FGHJK")


def test_a_new_key_takes_over_and_the_old_one_stays_good(legal: Muster) -> None:
    before = sign(legal)
    new = rotate_key()
    legal.edit(e.SetPointsLimit(points_limit=5000))
    after = sign(legal)
    assert (after.key_id, new.id != before.key_id) == (new.id, True)
    assert is_genuine(before.payload, before.signature, pem_of(before.key))
    assert not is_genuine(before.payload, before.signature, pem_of(new))
    assert [key.retired_at is None for key in signed_verdicts.known_keys()] == [True, False]


def test_another_secret_of_the_site_makes_another_key(legal: Muster) -> None:
    before = sign(legal)
    legal.edit(e.SetPointsLimit(points_limit=5000))
    with override_settings(SECRET_KEY="another"):
        assert sign(legal).key_id != before.key_id


def test_the_command_needs_the_public_key_alone(legal: Muster, tmp_path: Path) -> None:
    verdict, key = files_of(sign(legal), tmp_path)
    out = StringIO()
    call_command("verify", verdict, "--key", key, stdout=out)
    assert out.getvalue().startswith("genuine: legal, ")
    Path(verdict).write_text(Path(verdict).read_text().replace("horus-heresy", "horus-heresi"))
    with pytest.raises(CommandError, match="NOT GENUINE"):
        call_command("verify", verdict, "--key", key)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("verify", key, "--key", verdict)


def test_the_documented_lines_do_the_same(legal: Muster, tmp_path: Path) -> None:
    files = files_of(sign(legal), tmp_path)
    lines = [line for line in LINES.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 20
    done = subprocess.run([sys.executable, str(LINES), *files], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("legal ")
    Path(files[0]).write_text(Path(files[0]).read_text().replace("horus-heresy", "horus-heresi"))
    done = subprocess.run([sys.executable, str(LINES), *files], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "The list is today what was judged."), ("ru", "Ростер и сегодня таков, каким его проверяли.")],
)
def test_its_page_tells_everybody(legal: Muster, client: Client, language: str, word: str) -> None:
    code = printed(sign(legal).code)
    page = client.get(f"/v/{code}/", headers={"Accept-Language": language})
    text = page.content.decode()
    assert page.status_code == 200
    assert word in text
    assert code in text
    assert legal.row.name not in text
    assert client.get("/v/ABCDE-FGHJK/").status_code == 404


@pytest.mark.parametrize("language", ["en", "ru"])
def test_its_page_calls_rules_by_their_names(draft: Muster, client: Client, language: str) -> None:
    verdict = sign(draft)
    text = client.get(f"/v/{printed(verdict.code)}/", headers={"Accept-Language": language}).content.decode()
    found = Counter(one["rule"] for one in judged(verdict.code).facts["findings"])
    with override(language):
        named = {rule: rule_name("horus-heresy", rule) for rule in found}
    assert named
    assert all(named.values())
    for rule, name in named.items():
        assert f">{escape(name)}</a>" in text, rule
        assert f'</a> <span class="rule-id" translate="no">{rule}</span>' in text, "the number stands off the name"


def test_its_page_says_once_what_is_wrong_several_times(draft: Muster, client: Client) -> None:
    report = check_army_list(draft.row)
    finding = report.findings[0]
    code = printed(issue(draft.row, replace(report, findings=(finding,) * 3)).code)
    text = client.get(f"/v/{code}/").content.decode()
    assert re.findall(r'translate="no">([A-Z0-9-]+)</span>\s+(× \d)', text) == [(finding.rule, "× 3")]
    assert text.count(f">{finding.rule}</span>") == 1
