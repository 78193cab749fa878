"""The one scope of a token goes: its scopes say it all."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_older_tokens_keep_what_they_allowed")]

    operations = [
        migrations.RemoveConstraint(model_name="apitoken", name="token_scope_known"),
        migrations.RemoveField(model_name="apitoken", name="scope"),
    ]
