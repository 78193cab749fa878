from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce, Length


def weigh(apps: Any, schema_editor: Any) -> None:
    """Lists that are stored already are weighed: characters of the document, bytes of the states."""
    army_lists, revisions = apps.get_model("armylists", "ArmyList"), apps.get_model("armylists", "Revision")
    states = revisions.objects.filter(army_list=OuterRef("pk")).order_by().values("army_list")
    of_states = Subquery(states.annotate(bytes=Sum(Length("packed_document"))).values("bytes"))
    army_lists.objects.update(kept_bytes=Length("document") + Coalesce(of_states, 0))


class Migration(migrations.Migration):
    dependencies = [
        ("armylists", "0010_collections"),
        ("datafiles", "0006_imports_on_the_queue"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="armylist",
            name="kept_bytes",
            field=models.BigIntegerField(
                db_default=0,
                default=0,
                help_text="Of the document and of its states as they are packed.",
                verbose_name="bytes kept",
            ),
        ),
        migrations.RunPython(weigh, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="armylist",
            index=models.Index(fields=["owner", "kept_bytes"], name="army_list_bytes_of_owner"),
        ),
        migrations.AddIndex(
            model_name="armylist",
            index=models.Index(fields=["guest_key", "kept_bytes"], name="army_list_bytes_of_guest"),
        ),
    ]
