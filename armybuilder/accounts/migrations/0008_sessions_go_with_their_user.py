"""Code that does not know sessions deletes accounts that have some."""

from django.db import migrations

from armybuilder.followed_keys import followed_by_the_database


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_browser_sessions")]

    operations = [followed_by_the_database("accounts_browsersession", "user_id")]
