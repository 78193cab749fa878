"""The register of what is kept about whom names every table that does, and an account's copy and end keep to it."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from armybuilder.accounts.models import User
from armybuilder.accounts.programs import register_program
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.layouts import keep_layout
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.operations.personal_data import delete_account, everything_of
from armybuilder.reference.data_reports import report_mistake
from armybuilder.reference.models import DataReport
from armybuilder.webhooks.models import Webhook
from tests.conftest import PASSWORD

REGISTER = Path(__file__).resolve().parents[2] / "docs" / "security" / "data.md"
OF_A_PERSON = {"guest_key", "address", "asked_from", "player", "author", "reported_by", "session_key", "email"}
COOKIES = {"django_language"}
NO_PERSON = {"datafiles_datasource"}
"""Its address is of a folder or a site."""


def test_every_table_that_names_somebody_is_in_the_register() -> None:
    named = set(re.findall(r"`([a-z0-9]+_\w+)`", REGISTER.read_text()))
    found = {
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.local_fields
        if field.related_model is User or field.name in OF_A_PERSON
    }
    assert found - named - NO_PERSON - {"accounts_user_groups", "accounts_user_user_permissions"} == set()
    assert named - COOKIES <= {model._meta.db_table for model in apps.get_models()}


@pytest.mark.django_db
def test_a_copy_has_all_of_it_and_the_end_of_an_account_leaves_no_name(owner: User) -> None:
    viewer = Viewer(user=owner)
    system = PublishedSystem.objects.create(id="game", name="Game")
    keep_layout(viewer, name="Mine", source="{{ name }}")
    register_program(viewer, name="Bot", addresses=["https://bot.example/back"])
    Webhook.objects.create(owner=owner, url="https://told.example/", happenings="run.finished", sealed="secret-of-it")
    report_mistake(system, unit="", entry_id="", text="Costs too little", by=owner.get_username())
    report_mistake(system, unit="", entry_id="", text="By somebody else", by="other")
    data = everything_of(viewer)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}
    told = {name: json.loads(part) for name, part in parts.items()}
    assert told["layouts.json"][0]["name"] == "Mine"
    assert told["webhooks.json"][0]["url"] == "https://told.example/"
    assert told["programs_made.json"] == [{"name": "Bot", "addresses": ["https://bot.example/back"]}]
    assert [one["text"] for one in told["reported_mistakes.json"]] == ["Costs too little"]
    assert told["second_factor.json"] == {"codes": False, "passkeys": []}
    assert not any(b"secret-of-it" in part for part in parts.values())
    delete_account(viewer, password=PASSWORD)
    assert sorted(DataReport.objects.values_list("reported_by", flat=True)) == ["", "other"]


def test_keys_to_users_are_deleted_or_emptied() -> None:
    held = [
        str(field)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if field.related_model is User and field.remote_field.on_delete not in (models.CASCADE, models.SET_NULL)
    ]
    assert held == []
