"""What a list begins with: a detachment that its army has units for."""

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from armybuilder.reference.models import Detachment
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, entry, game_system

pytestmark = pytest.mark.django_db

OWN_CHARTS = """<categoryEntries><categoryEntry id="titan" name="Titans" hidden="false"/></categoryEntries>
<forceEntries>
  <forceEntry id="garrison" name="Garrison" hidden="false"/>
  <forceEntry id="maniple" name="Maniple" hidden="false"><categoryLinks>
    <categoryLink id="m-t" name="Titans" targetId="titan" primary="false" hidden="false"><constraints>
      <constraint type="min" value="1" field="selections" scope="parent" id="m-t-min"/></constraints></categoryLink>
  </categoryLinks></forceEntry>
</forceEntries>"""
TITAN = entry("titan-unit", "Titan", category="titan", points=500)


def with_charts(file: IncomingFile) -> IncomingFile:
    text = file.content.decode()
    return IncomingFile(file.name, text.replace("<selectionEntries>", f"{OWN_CHARTS}<selectionEntries>", 1).encode())


@pytest.fixture
def game(db: None) -> PublishedSystem:
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    armies = (
        catalogue("red", "Red Host", CAPTAIN, SQUAD),
        with_charts(catalogue("titans", "Titans", TITAN)),
        with_charts(catalogue("knights", "Knights", CAPTAIN.replace("captain", "knight"))),
    )
    publishing.publish(system, (game_system(), *armies), origin="https://example.org/data.zip")
    return system


@pytest.mark.parametrize(
    ("army", "detachment"),
    [
        pytest.param("red", "primary", id="that of the chart"),
        pytest.param("titans", "maniple", id="one of its own, as it has no HQ and no Troops for that of the chart"),
        pytest.param("knights", "primary", id="that of the chart, as it has units for no other that asks for any"),
    ],
)
def test_a_list_begins_with_what_its_army_can_fill(
    game: PublishedSystem, viewer: Viewer, army: str, detachment: str
) -> None:
    made = services.create_army_list(viewer, system_id=game.pk, name="Host", catalogue_id=army)
    assert [force.entry_id for force in services.check_army_list(made).state.forces] == [detachment]


def test_an_army_that_there_is_not_is_refused(game: PublishedSystem, viewer: Viewer) -> None:
    with pytest.raises(EditRefused) as refused:
        services.create_army_list(viewer, system_id=game.pk, name="Host", catalogue_id="green")
    assert refused.value.at == "/catalogue_id"


def test_a_chart_that_names_what_the_data_does_not_have_is_refused(game: PublishedSystem, viewer: Viewer) -> None:
    Detachment.objects.filter(entry_id="primary").update(entry_id="of-old-data")
    with pytest.raises(EditRefused, match="of-old-data"):
        services.create_army_list(viewer, system_id=game.pk, name="Host", catalogue_id="red")


@pytest.mark.parametrize(("chart", "detachment"), [("", "maniple"), ("primary-detachment", "primary")])
def test_the_form_of_a_new_list_leaves_it_to_the_army_unless_a_chart_is_chosen(
    game: PublishedSystem, viewer: Viewer, chart: str, detachment: str
) -> None:
    browser = Client()
    browser.force_login(viewer.user)
    chosen = {"system": game.pk, "faction": "titans", "points_limit": 2000, "chart": chart}
    begun = browser.post("/lists/new/", chosen, follow=True)
    assert begun.status_code == 200
    (made,) = ArmyList.objects.all()
    assert [force.entry_id for force in services.check_army_list(made).state.forces] == [detachment]
