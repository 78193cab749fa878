"""`manage.py export_list` and `import_list`: out of one account and into another, with the same verdict."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from armybuilder.accounts.models import User
from armybuilder.armylists.models import ArmyList
from tests.armylists.conftest import Muster, heresy, legal, muster, viewer

__all__ = ["heresy", "legal", "muster", "viewer"]


def test_a_list_goes_from_one_account_to_another(legal: Muster, friend: User, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    call_command("export_list", str(legal.list_id), "json", output=str(file))
    out = StringIO()
    call_command("import_list", str(file), user=friend.username, stdout=out)
    made = ArmyList.objects.get(owner=friend)
    assert out.getvalue() == f"{made.pk}: First draft, legal\n"
    assert (made.verdict, made.points) == (legal.row.verdict, legal.row.points)


def test_a_text_is_written_in_the_language_asked_for(legal: Muster) -> None:
    out = StringIO()
    call_command("export_list", str(legal.list_id), "plain", language="ru", stdout=out)
    assert "Вердикт: соответствует правилам" in out.getvalue()


@pytest.mark.parametrize(
    ("public", "site"), [("https://lists.example.org", "https://lists.example.org"), ("", "http://localhost:8123")]
)
def test_the_address_of_the_verdict_is_whole(legal: Muster, settings: Any, public: str, site: str) -> None:
    """A text that leaves the site said "/v/…/", which nobody can open."""
    settings.PUBLIC_URL, settings.PORT = public, 8123
    out = StringIO()
    call_command("export_list", str(legal.list_id), "plain", stdout=out)
    assert f" {site}/v/" in out.getvalue()


@pytest.mark.parametrize("content", ["", "{}", "<roster/>", "nothing"])
def test_a_bad_file_is_refused_by_name(legal: Muster, friend: User, tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    with pytest.raises(CommandError, match=r"bad\.json"):
        call_command("import_list", str(file), user=friend.username)
    assert not ArmyList.objects.filter(owner=friend).exists()


def test_what_is_not_there_is_refused(legal: Muster, muster: Callable[..., Muster]) -> None:
    with pytest.raises(CommandError, match="no such list"):
        call_command("export_list", str(uuid4()), "json")
    with pytest.raises(CommandError, match="no account nobody"):
        call_command("import_list", "x.json", user="nobody")
