from django.db import migrations, models

KINDS = [
    ("matchup", "matchup document"),
    ("matrix", "two lists"),
    ("pair", "one unit against one"),
    ("upgrade", "what an option buys"),
    ("battle", "whole battle"),
]


class Migration(migrations.Migration):
    dependencies = [("simulations", "0004_saved_targets")]

    operations = [
        migrations.RemoveConstraint(model_name="computation", name="computation_kind_known"),
        migrations.AlterField(
            model_name="computation",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=10, verbose_name="kind"),
        ),
        migrations.AddConstraint(
            model_name="computation",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", [key for key, _ in KINDS])), name="computation_kind_known"
            ),
        ),
    ]
