"""What may be added below a detachment stands under the heading that its data gives it."""

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, release

pytestmark = pytest.mark.django_db

REGIMENT = '</categoryLinks><forceEntries><forceEntry id="regiment" name="Regiment"/></forceEntries></forceEntry>'


@pytest.mark.parametrize("label", ["Regiments and Auxiliaries", ""])
def test_forces_below_are_headed_as_the_data_calls_them(as_owner: Client, viewer: Viewer, label: str) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    game, *others = release(catalogue("red", "Red Host", CAPTAIN, SQUAD))
    text = game.content.decode().replace("</categoryLinks></forceEntry>", REGIMENT, 1)
    text = text.replace('<forceEntry id="primary"', f'<forceEntry childForcesLabel="{label}" id="primary"')
    publishing.publish(system, (IncomingFile(game.name, text.encode()), *others), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    assert "force_entry_id=regiment" in page
    assert (f">{label or 'Regiments'}</h3>" in page) is bool(label)
    assert '<h3 class="small muted"></h3>' not in page
