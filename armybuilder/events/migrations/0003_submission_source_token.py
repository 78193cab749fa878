"""A submission remembers the share link it was handed in by, so that a closed one shows nothing more of the list."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0002_keeper_nobody_can_be")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="source_token",
            field=models.CharField(blank=True, db_default="", default="", max_length=22),
        ),
    ]
