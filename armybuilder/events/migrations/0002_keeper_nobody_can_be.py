"""The account that keeps handed-in lists gets a name that nobody can sign up with."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

BEFORE, AFTER = "events", "events (kept)"


def rename(apps: StateApps, before: str, after: str) -> None:
    """Only where it is the site's own: a player of that name, who can sign in, keeps the name."""
    users = apps.get_model("accounts", "User").objects
    users.filter(username=before, is_active=False, last_login=None).update(username=after)


def forwards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rename(apps, BEFORE, AFTER)


def backwards(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    rename(apps, AFTER, BEFORE)


class Migration(migrations.Migration):
    dependencies = [("events", "0001_events"), ("accounts", "0005_scopes_alone")]

    operations = [migrations.RunPython(forwards, backwards)]
