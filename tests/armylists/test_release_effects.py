"""Before a release is published, administrators see how many lists it would change."""

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.edits import AddUnit
from armybuilder.armylists.release_effects import effects_of
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import release

pytestmark = pytest.mark.django_db


def test_lists_that_change_are_counted_before_publishing(owner: User, admin_client: Client) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="a test")
    for name, unit in (("With a captain", "captain"), ("With a squad", "squad")):
        row = services.create_army_list(Viewer(user=owner), system_id=system.pk, name=name, catalogue_id="red")
        force = services.check_army_list(row).state.forces[0].id
        services.apply_edit(
            Viewer(user=owner), row.pk, AddUnit(force_id=force, entry_id=unit), expected_revision=row.revision
        )
    dearer = tuple(IncomingFile(file.name, file.content.replace(b'value="100"', b'value="110"')) for file in release())
    waiting = publishing.submit(system, dearer, origin="a test")
    effects = effects_of(waiting)
    assert (effects.lists, effects.repriced, effects.verdicts, effects.more) == (2, 1, 0, 0)
    page = admin_client.get(reverse("admin:datafiles_datarelease_change", args=[waiting.pk])).content.decode()
    address = reverse("admin:armylists_armylist_effects", args=[waiting.pk])
    assert address in page
    assert "2 lists stand on other data" in admin_client.get(address).content.decode()
    assert Client().get(address).status_code == 302
