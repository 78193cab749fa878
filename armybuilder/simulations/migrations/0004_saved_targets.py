import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("simulations", "0003_forget_upgrades_going_back"),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedTarget",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("guest_key", models.UUIDField(blank=True, db_index=True, null=True, verbose_name="guest key")),
                ("rule_pack", models.CharField(max_length=40, verbose_name="rule pack")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("points", models.DecimalField(decimal_places=2, default=0, max_digits=8, verbose_name="points")),
                (
                    "side",
                    models.TextField(help_text="JSON: a side of the game's matchup documents.", verbose_name="unit"),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now, verbose_name="created")),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_targets",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
            ],
            options={
                "verbose_name": "saved target",
                "verbose_name_plural": "saved targets",
                "ordering": ["name", "created"],
                "indexes": [models.Index(fields=["owner", "rule_pack"], name="saved_target_of_owner")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("guest_key__isnull", False), ("owner__isnull", True)),
                            models.Q(("guest_key__isnull", True), ("owner__isnull", False)),
                            _connector="OR",
                        ),
                        name="saved_target_has_one_owner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("points__gte", 0)), name="saved_target_points_not_negative"
                    ),
                ],
            },
        ),
    ]
