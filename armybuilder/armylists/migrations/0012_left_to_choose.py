from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("armylists", "0011_bytes_kept"),
    ]

    operations = [
        migrations.AddField(
            model_name="armylist",
            name="left_to_choose",
            field=models.PositiveSmallIntegerField(
                db_default=0,
                default=0,
                help_text="How many things are still to be chosen where nothing else is wrong; otherwise 0.",
                verbose_name="still to choose",
            ),
        ),
    ]
