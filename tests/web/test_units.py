"""A unit's page: who may take it, and adding it to a list of one's own, with scripts and without."""

from collections.abc import Callable

import pytest
from django.test import Client

from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference.models import Detachment, Slot, UnitEntry
from tests.armylists.conftest import AUXILIA, PRIMARY, Muster

pytestmark = pytest.mark.django_db


@pytest.fixture
def praetor(game: PublishedSystem) -> UnitEntry:
    """A leader of the Sons of Horus whom the data of lists has."""
    unit = UnitEntry.objects.select_related("role").get(faction__key="sons-of-horus")
    unit.entry_id, unit.name_ru = "hh-la-praetor", "Претор"
    unit.save()
    assert unit.role is not None
    Slot.objects.create(detachment=Detachment.objects.get(entry_id=PRIMARY), role=unit.role, minimum=1, maximum=3)
    return unit


def test_its_page_tells_who_may_take_it(praetor: UnitEntry) -> None:
    UnitEntry.objects.filter(faction__key="imperial-army").update(name=praetor.name)
    page = Client().get(f"/units/{praetor.pk}/").content.decode()
    assert "Who may take it" in page
    assert "Imperial Army</a>" in page
    assert "HQ: slots in 1 detachment" in page
    assert "<dd>1–3</dd>" in page
    reader = Client(headers={"Accept-Language": "ru"})
    in_russian = reader.get(f"/units/{praetor.pk}/").content.decode()
    assert "Кто может взять" in in_russian
    assert "Командные войска: места в 1 подразделении" in in_russian


def test_it_is_added_to_a_list_by_one_press(
    as_owner: Client, praetor: UnitEntry, muster: Callable[..., Muster]
) -> None:
    address = f"/units/{praetor.pk}/add/"
    assert address in as_owner.get("/units/").content.decode()
    assert "None of your lists" in as_owner.get(address).content.decode()
    army = muster(name="Second army")
    muster(name="Auxilia", catalogue_id=AUXILIA)
    offered = as_owner.get(address).content.decode()
    assert "Second army" in offered
    assert "Auxilia" not in offered
    answer = as_owner.post(address, {"to": f"{army.list_id} {army.force_id}"}, follow=True)
    assert "Added to “Second army”." in answer.content.decode()
    assert [one.name for one in army.document.roster.forces[0].selections] == ["Praetor"]
    dialog = as_owner.post(
        address, {"to": str(army.list_id)}, headers={"HX-Request": "true", "HX-Target": "add-to-list"}
    ).content.decode()
    assert "Open it there" in dialog
    assert "<html" not in dialog
    for wrong in ("", f"{army.list_id} nowhere"):
        assert as_owner.post(address, {"to": wrong}).status_code == 422
    assert army.row.revision == 3


def test_nobody_adds_to_a_list_of_somebody_else(
    as_stranger: Client, praetor: UnitEntry, muster: Callable[..., Muster]
) -> None:
    army = muster()
    for browser in (as_stranger, Client()):
        assert "First draft" not in browser.get(f"/units/{praetor.pk}/add/").content.decode()
        assert browser.post(f"/units/{praetor.pk}/add/", {"to": str(army.list_id)}).status_code in (404, 422)
    assert army.row.revision == 1
