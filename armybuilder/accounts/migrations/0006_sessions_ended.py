"""All other browsers of a user can be signed out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_scopes_alone")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="sessions_ended",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
