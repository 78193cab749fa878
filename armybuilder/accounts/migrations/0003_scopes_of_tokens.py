"""A token names what it allows scope by scope, and may open one list alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_repeated_requests")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="scopes",
            field=models.CharField(default="", help_text="Separated by blanks.", max_length=120, verbose_name="scopes"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="apitoken",
            name="list_id",
            field=models.UUIDField(blank=True, null=True, verbose_name="only this list"),
        ),
    ]
