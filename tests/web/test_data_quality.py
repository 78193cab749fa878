"""How good a data set is, for everybody; mistakes in it are reported from a unit and handed on as issues."""

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import data_reports, publishing
from armybuilder.reference.errors import TooManyReports
from armybuilder.reference.models import DataReport, UnitEntry
from tests.gamedata_files import release

pytestmark = pytest.mark.django_db


@pytest.fixture
def published(db: None) -> PublishedSystem:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(), origin="/srv/data/invented, https://example.org/data.zip")
    return system


def test_everybody_sees_what_is_understood_and_where_it_is_from(published: PublishedSystem) -> None:
    page = Client().get(reverse("web:data-quality", args=[published.pk])).content.decode()
    for expected in ("Red Host", "Understood constructs", "https://example.org/data.zip", "the limits of its data"):
        assert expected in page
    assert "/srv/data" not in page
    assert (
        reverse("web:data-quality", args=[published.pk]) in Client().get(f"/systems/{published.pk}/").content.decode()
    )


def test_problems_are_told_by_what_is_wrong_in_the_readers_language(db: None) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    files = list(release())
    text = files[1].content.decode()
    holed = text.replace(
        "</catalogue>",
        '<novelty/><catalogueLinks><catalogueLink id="l" name="Gone" targetId="gone"/></catalogueLinks></catalogue>',
    )
    files[1] = IncomingFile(files[1].name, holed.encode())
    publishing.publish(system, files, origin="/srv/data/invented")
    address = reverse("web:data-quality", args=["invented"])
    page = Client().get(address, headers={"Accept-Language": "ru"}).content.decode()
    links, elements = page.index("Ссылки, которые никуда не ведут"), page.index("Незнакомые элементы")
    assert links < page.index("is not in the set") < elements < page.index("The element novelty")
    assert "Links that lead nowhere" in Client().get(address).content.decode()


def test_army_lists_are_called_as_readers_know_them(db: None) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    codes = [
        IncomingFile(
            file.name, file.content.replace(b'name="2022 - Red Host"', b'name="Red Host - ArmyBook (2013) V8.7"')
        )
        for file in release()
    ]
    publishing.publish(system, codes, origin="/srv/data/invented")
    page = Client().get(reverse("web:data-quality", args=["invented"])).content.decode()
    assert "Red Host" in page
    assert "V8.7" not in page


def test_what_is_read_without_effect_and_whom_to_ask_is_told(db: None) -> None:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    files = list(release())
    text = files[0].content.decode().replace("<forceEntry ", '<forceEntry defaultValue="1" exportable="false" ', 1)
    files[0] = IncomingFile(
        files[0].name, text.replace("<gameSystem ", '<gameSystem authorContact="The Keeper" ', 1).encode()
    )
    files[1] = IncomingFile(
        files[1].name, files[1].content.replace(b"<selectionEntry ", b'<selectionEntry collapsible="true" ')
    )
    publishing.publish(system, files, origin="/srv/data/invented")
    address = reverse("web:data-quality", args=["invented"])
    page = " ".join(Client().get(address).content.decode().split())
    often = files[1].content.count(b"collapsible")
    assert f"<code>collapsible</code> {often}, <code>defaultValue</code> 1, <code>exportable</code> 1</p>" in page
    assert "The Keeper" in page
    assert "Читается и ни на что не влияет" in Client().get(address, headers={"accept-language": "ru"}).content.decode()


def test_a_set_without_such_says_nothing_of_them(published: PublishedSystem) -> None:
    page = Client().get(reverse("web:data-quality", args=[published.pk])).content.decode()
    assert "Read and without effect" not in page
    assert "Who keeps the data" not in page


def test_a_mistake_is_reported_from_its_unit_and_becomes_an_issue(
    published: PublishedSystem, admin_client: Client
) -> None:
    unit = UnitEntry.objects.get(name="Captain")
    page = Client().get(reverse("web:unit", args=[unit.pk])).content.decode()
    address = f"{reverse('web:data-report', args=[published.pk])}?unit=Captain&amp;entry={unit.entry_id}"
    assert address in page
    form = Client().get(address.replace("&amp;", "&")).content.decode()
    assert 'value="Captain"' in form
    fields = {"unit": "Captain", "entry": unit.entry_id, "text": "It costs 90 points.\nPage 12."}
    answer = Client().post(reverse("web:data-report", args=[published.pk]), fields, follow=True)
    assert "The report is kept" in answer.content.decode()
    kept = DataReport.objects.get()
    assert (kept.unit, kept.entry_id, kept.release, kept.reported_by) == (
        "Captain", unit.entry_id, published.current_release, ""
    )  # fmt: skip
    chosen = {"action": "as_issues", "_selected_action": [str(kept.pk)]}
    issue = admin_client.post(reverse("admin:reference_datareport_changelist"), chosen).content.decode()
    for expected in ("# Captain: It costs 90 points.", "Page 12.", f"Entry id: `{unit.entry_id}`", "revision 1"):
        assert expected in issue


def test_an_empty_report_is_refused_and_too_many_too(
    published: PublishedSystem, monkeypatch: pytest.MonkeyPatch, owner: User
) -> None:
    address = reverse("web:data-report", args=[published.pk])
    assert Client().post(address, {"unit": "Captain", "text": " "}).status_code == 422
    monkeypatch.setattr(data_reports, "MOST_OPEN", 1)
    data_reports.report_mistake(published, unit="", entry_id="", text="First", by=owner.username)
    with pytest.raises(TooManyReports):
        data_reports.report_mistake(published, unit="", entry_id="", text="Second", by="")
    assert Client().post(address, {"text": "Second"}).status_code == 422
    assert DataReport.objects.count() == 1
