"""Whether conventions outside the rules text are checked is chosen by game."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("datafiles", "0003_sources_are_addresses_too"),
    ]

    operations = [
        migrations.AddField(
            model_name="publishedsystem",
            name="conventions",
            field=models.BooleanField(
                default=True,
                help_text="Whether conventions that the rules text does not state (WFX) are checked in lists.",
                verbose_name="conventions",
            ),
        ),
    ]
