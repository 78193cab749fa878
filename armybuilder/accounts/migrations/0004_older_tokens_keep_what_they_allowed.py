"""`read` and `write` of older tokens become the scopes that allow the same."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

MEANT = {"read": "lists:read check", "write": "lists:read lists:write check simulate events data"}


def forwards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for scope, scopes in MEANT.items():
        apps.get_model("accounts", "ApiToken").objects.filter(scope=scope).update(scopes=scopes)


def backwards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A token that changes something becomes one that may change everything, as there was nothing between."""
    tokens = apps.get_model("accounts", "ApiToken").objects
    tokens.update(scope="read")
    tokens.filter(scopes__contains="lists:write", list_id=None).update(scope="write")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_scopes_of_tokens")]

    operations = [migrations.RunPython(forwards, backwards)]
