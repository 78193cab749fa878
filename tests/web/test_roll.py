"""What the row of a unit on the roll tells of it."""

import re

import pytest
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, release

pytestmark = pytest.mark.django_db

MOB = """<selectionEntry id="mob" name="Mob" hidden="false" type="unit"><costs>
<cost typeId="pts" name="pts" value="40"/></costs><categoryLinks>
<categoryLink id="mob-t" targetId="troops" primary="true" hidden="false"/></categoryLinks>
<selectionEntries><selectionEntry id="ten" name="One Herder and ten" hidden="false" type="upgrade">
<constraints><constraint id="ten-min" type="min" value="1" field="selections" scope="parent"/></constraints>
<selectionEntries>{herd}{herder}</selectionEntries></selectionEntry>
<selectionEntry id="flag" name="Flag" hidden="false" type="upgrade"><constraints>
<constraint id="flag-min" type="min" value="1" field="selections" scope="parent"/></constraints></selectionEntry>
</selectionEntries></selectionEntry>"""
MODEL = """<selectionEntry id="{id}" name="{name}" hidden="false" type="model"><constraints>
<constraint id="{id}-min" type="min" value="{number}" field="selections" scope="parent"/></constraints>
</selectionEntry>"""


def test_models_in_a_free_choice_are_told_and_free_gear_is_not(as_owner: Client, viewer: Viewer) -> None:
    herd, herder = (
        MODEL.format(id=name.casefold(), name=name, number=number) for name, number in (("Beast", 10), ("Herder", 1))
    )
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    files = release(catalogue("red", "Red Host", MOB.format(herd=herd, herder=herder)))
    publishing.publish(system, files, origin="a test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    force = services.check_army_list(made).state.forces[0].id
    edit = e.AddUnit(force_id=force, entry_id="mob")
    services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision)
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    (told,) = re.findall(r'<span class="unit__more">(.*?)</span>', page, re.DOTALL)
    assert " ".join(told.split()) == "10 × Beast, 1 × Herder"
    offers = as_owner.get(f"/lists/{made.pk}/", {"add": force}).content.decode()
    (told,) = re.findall(r'offer__figures[^"]*">(.*?)</p>', offers, re.DOTALL)
    assert told.strip() == "11 models"  # "11×" alone would begin a line of figures that does not come


def test_a_dozen_switches_that_the_data_begins_with_take_one_line(as_owner: Client, viewer: Viewer) -> None:
    switches = "".join(
        f"""<selectionEntry id="{name}" name="{name} are shown" hidden="false" type="upgrade"><constraints>
        <constraint id="{name}-min" type="min" value="1" field="selections" scope="parent"/></constraints>
        <modifiers><modifier type="set" field="{name}-min" value="0"/></modifiers></selectionEntry>"""
        for name in ("Allies", "Forts", "Legends", "Titans", "Veterans")
    )
    shown = f"""<selectionEntry id="show" name="Show" hidden="false" type="upgrade"><constraints>
    <constraint id="show-min" type="min" value="1" field="selections" scope="parent"/></constraints>
    <selectionEntries>{switches}</selectionEntries></selectionEntry>"""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(catalogue("red", "Red Host", shown)), origin="a test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    assert [one.name for one in services.check_army_list(made).state.forces[0].selections[0].selections][3:] == [
        "Titans are shown",
        "Veterans are shown",
    ]
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    (told,) = re.findall(r'<span class="unit__more">(.*?)</span>', page, re.DOTALL)
    assert " ".join(told.split()) == "Allies are shown, Forts are shown, Legends are shown and 2 more"


def test_a_rule_without_a_name_is_called_as_what_has_it(as_owner: Client, viewer: Viewer) -> None:
    switch = """<selectionEntry id="hide" name="Hide abilities" hidden="false" type="upgrade"><rules>
    <rule id="hides" hidden="false"><description>They are not printed.</description></rule></rules></selectionEntry>"""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(catalogue("red", "Red Host", switch)), origin="a test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    force = services.check_army_list(made).state.forces[0].id
    edit = e.AddUnit(force_id=force, entry_id="hide")
    made = services.apply_edit(viewer, made.pk, edit, expected_revision=made.revision).army_list
    (unit,) = services.check_army_list(made).state.forces[0].selections
    page = as_owner.get(f"/lists/{made.pk}/", {"unit": unit.id}).content.decode()
    assert '<summary class="chip">Hide abilities</summary>' in page


def test_a_unit_whose_models_are_still_to_be_chosen_stands_in_its_role(as_owner: Client, viewer: Viewer) -> None:
    """Free and without a model as it comes, it stood among the rules of the army, where nobody looked for it."""
    bikes = SQUAD.replace('type="unit"', 'type="upgrade"').replace('type="min" value="2"', 'type="min" value="0"')
    free = re.sub(r"<profiles>.*?</profiles>", "", bikes.replace('value="50"', 'value="0"'), flags=re.DOTALL)
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    others = SQUAD.replace("squad", "others").replace("Line Squad", "Others")
    publishing.publish(system, release(catalogue("red", "Red Host", CAPTAIN, others, free)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    (force,) = services.check_army_list(made).state.forces
    services.apply_edit(viewer, made.pk, e.AddUnit(force_id=force.id, entry_id="squad"), expected_revision=1)
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    assert "Line Squad" in page and "<h3>Army rules</h3>" not in page
