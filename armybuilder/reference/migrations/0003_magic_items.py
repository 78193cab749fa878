"""Magic items as rows."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("datafiles", "0003_sources_are_addresses_too"),
        ("reference", "0002_charts_outlive_releases"),
    ]

    operations = [
        migrations.CreateModel(
            name="MagicItem",
            fields=[
                ("name", models.CharField(max_length=200, verbose_name="name")),
                ("name_ru", models.CharField(blank=True, max_length=200, verbose_name="name in Russian")),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("key", models.SlugField(max_length=60, verbose_name="key")),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("weapon", "magic weapons"),
                            ("armour", "magic armour"),
                            ("talisman", "talismans"),
                            ("banner", "magic banners"),
                            ("arcane", "arcane items"),
                            ("enchanted", "enchanted items"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("points", models.PositiveSmallIntegerField(verbose_name="points")),
                ("one_use", models.BooleanField(default=False, verbose_name="one use only")),
                ("bearers", models.CharField(max_length=200, verbose_name="who may carry it")),
                (
                    "bearers_ru",
                    models.CharField(blank=True, max_length=200, verbose_name="who may carry it, in Russian"),
                ),
                (
                    "source",
                    models.CharField(
                        blank=True, help_text="Lines of the rules text.", max_length=60, verbose_name="source"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(default=0, verbose_name="position")),
                ("search_text", models.CharField(editable=False, max_length=500)),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="magic_items",
                        to="datafiles.publishedsystem",
                        verbose_name="game system",
                    ),
                ),
            ],
            options={
                "verbose_name": "magic item",
                "verbose_name_plural": "magic items",
                "ordering": ["system", "position", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("system", "key"), name="magic_item_key_once_per_system"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("category__in", ["weapon", "armour", "talisman", "banner", "arcane", "enchanted"])
                        ),
                        name="magic_item_category_known",
                    ),
                ],
            },
        ),
    ]
