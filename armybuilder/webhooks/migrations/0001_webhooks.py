import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Seen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject", models.CharField(max_length=120, unique=True)),
                ("value", models.CharField(max_length=60)),
            ],
            options={
                "verbose_name": "last seen",
                "verbose_name_plural": "last seen",
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("url", models.CharField(max_length=500, verbose_name="address")),
                (
                    "happenings",
                    models.CharField(help_text="Separated by blanks.", max_length=200, verbose_name="told of"),
                ),
                ("sealed", models.CharField(editable=False, max_length=200)),
                ("sealed_before", models.CharField(blank=True, editable=False, max_length=200)),
                ("rotates_until", models.DateTimeField(editable=False, null=True)),
                (
                    "paused",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("owner", "Its owner has stopped it."),
                            ("gone", "The address answered that it is gone (410)."),
                            ("given-up", "Several messages in a row could not be delivered."),
                        ],
                        max_length=10,
                        verbose_name="paused",
                    ),
                ),
                ("failures", models.PositiveSmallIntegerField(default=0, verbose_name="given up in a row")),
                ("created", models.DateTimeField(default=django.utils.timezone.now, verbose_name="created")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
            ],
            options={
                "verbose_name": "webhook",
                "verbose_name_plural": "webhooks",
                "ordering": ["created"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("happening", models.CharField(max_length=30, verbose_name="what happened")),
                ("key", models.CharField(max_length=120)),
                ("body", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("delivered", "delivered"), ("given_up", "given up")],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("due", models.DateTimeField(default=django.utils.timezone.now, verbose_name="due")),
                ("leased_until", models.DateTimeField(null=True)),
                ("status", models.PositiveSmallIntegerField(null=True, verbose_name="status")),
                ("said", models.CharField(blank=True, max_length=300, verbose_name="answer")),
                ("created", models.DateTimeField(default=django.utils.timezone.now, verbose_name="created")),
                ("finished", models.DateTimeField(null=True, verbose_name="finished")),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="webhooks.webhook",
                        verbose_name="webhook",
                    ),
                ),
            ],
            options={
                "verbose_name": "delivery",
                "verbose_name_plural": "deliveries",
                "ordering": ["-created"],
                "indexes": [
                    models.Index(condition=models.Q(("state", "waiting")), fields=["due"], name="deliveries_due")
                ],
                "constraints": [models.UniqueConstraint(fields=("webhook", "key"), name="told_once")],
            },
        ),
    ]
