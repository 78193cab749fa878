"""Data sets of one game stand under it: imported data joins the game whose rules it is checked by."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def join_games(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Data that is checked by the rules of a game becomes a data set of the game, under its name."""
    systems = apps.get_model("datafiles", "PublishedSystem").objects.using(schema_editor.connection.alias)
    for game in systems.filter(pk=F("rule_pack")):
        systems.filter(rule_pack=game.pk, game=None).exclude(pk=game.pk).update(
            game=game, name=game.name, name_ru=game.name_ru, position=game.position
        )


class Migration(migrations.Migration):
    dependencies = [
        ("datafiles", "0004_conventions_are_a_switch"),
    ]

    operations = [
        migrations.AddField(
            model_name="publishedsystem",
            name="game",
            field=models.ForeignKey(
                blank=True,
                help_text="The game whose rules, alliance table and names it shares; empty: it is a game of its own.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="data_sets",
                to="datafiles.publishedsystem",
                verbose_name="game",
            ),
        ),
        migrations.AddConstraint(
            model_name="publishedsystem",
            constraint=models.CheckConstraint(condition=~models.Q(game=models.F("id")), name="game_is_another_row"),
        ),
        migrations.RunPython(join_games, migrations.RunPython.noop),
    ]
