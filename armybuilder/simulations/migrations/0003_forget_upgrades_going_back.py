from typing import Any

from django.db import migrations


def forget_upgrades(apps: Any, schema_editor: Any) -> None:
    """Going back, questions of this kind cannot stay; their answers can be computed again at any time."""
    apps.get_model("simulations", "SimulationRun").objects.filter(computation__kind="upgrade").delete()
    apps.get_model("simulations", "Chunk").objects.filter(computation__kind="upgrade").delete()
    apps.get_model("simulations", "Computation").objects.filter(kind="upgrade").delete()


class Migration(migrations.Migration):
    dependencies = [("simulations", "0002_upgrade_questions")]

    operations = [migrations.RunPython(migrations.RunPython.noop, forget_upgrades)]
