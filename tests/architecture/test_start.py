"""What a web process loads at its start: no large package that most requests and installations do without."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

WHEN_NEEDED = {
    "celery": "installations with Redis",
    "kombu": "installations with Redis",
    "numpy.random": "simulations, which have processes of their own",
    "babel": "layouts of organisers",
    "liquid": "layouts of organisers",
    "rapidfuzz": "the search of units",
    "redis": "installations with Redis",
    "typst": "paper",
}

PROGRAM = """
import json, sys
from armybuilder.wsgi import application
import armybuilder.urls
from armybuilder.reference import import_worker
from armybuilder.simulations import embedded
from armybuilder.webhooks import worker
print(json.dumps(sorted(sys.modules)))
"""


def test_a_web_process_loads_what_it_needs_when_it_needs_it(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    told = {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", PROGRAM], cwd=ROOT, env=kept | told))
    assert "numpy" in loaded
    assert WHEN_NEEDED.keys() & set(loaded) == set()
