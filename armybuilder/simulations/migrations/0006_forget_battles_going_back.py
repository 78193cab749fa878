from typing import Any

from django.db import migrations


def forget_battles(apps: Any, schema_editor: Any) -> None:
    """Going back, questions of this kind cannot stay; their answers can be computed again at any time."""
    apps.get_model("simulations", "SimulationRun").objects.filter(computation__kind="battle").delete()
    apps.get_model("simulations", "Chunk").objects.filter(computation__kind="battle").delete()
    apps.get_model("simulations", "Computation").objects.filter(kind="battle").delete()


class Migration(migrations.Migration):
    dependencies = [("simulations", "0005_battle_questions")]

    operations = [migrations.RunPython(migrations.RunPython.noop, forget_battles)]
