"""What data and rulebook both ask is asked once: settings of the army, the allegiance, the warlord, the size."""

import re
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.edits import AddUnit, Deselect, Select, SetFacts, SetPointsLimit, SetWarlord
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.exports.phrases import objections
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.repairs import repairs_of
from armybuilder.datafiles.bundles import IncomingFile
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.findings import Severity
from armybuilder.reference import publishing
from tests.gamedata_files import CAPTAIN, catalogue, game_system

pytestmark = pytest.mark.django_db

ONE = """<constraints><constraint type="max" value="1" field="selections" scope="parent" id="{key}-max"/>
<constraint type="min" value="1" field="selections" scope="parent" id="{key}-min"/></constraints>"""


def setting(key: str, name: str, *choices: str) -> str:
    """An entry that every detachment has once, with one choice in it."""
    rows = "".join(
        f'<selectionEntry id="{key}-{at}" name="{choice}" type="upgrade" hidden="false"/>'
        for at, choice in enumerate(choices)
    )
    return f"""<selectionEntry id="{key}" name="{name}" type="upgrade" hidden="false">{ONE.format(key=key)}
    <selectionEntryGroups><selectionEntryGroup id="{key}-g" name="Choose:" hidden="false">{ONE.format(key=f"{key}-g")}
    <selectionEntries>{rows}</selectionEntries></selectionEntryGroup></selectionEntryGroups></selectionEntry>"""


@pytest.fixture
def army(db: None, owner: User) -> ArmyList:
    """A list of 1,500 points, of Loyalists, from data that asks for allegiance and size itself."""
    system = PublishedSystem.objects.create(id="settings", name="Settings", rule_pack="horus-heresy")
    badge = '<selectionEntries><selectionEntry id="badge" name="Warlord:" type="upgrade" hidden="false"/>'
    captain = CAPTAIN.replace("<selectionEntries>", badge, 1)
    settings = setting("side", "Allegiance", "Loyalist:", "Traitor:") + setting(
        "size", "Battle Size", "1. Incursion (1000 Point limit)", "2. Strike Force (2000 Point limit)"
    )
    settings += setting("kind", "Army Size", "Grand Army (3000+ points)", "Army (0-2999 points)")
    files: tuple[IncomingFile, ...] = (game_system(), catalogue("red", "Red Host", settings, captain))
    publishing.publish(system, files, origin="a test")
    return services.create_army_list(
        Viewer(user=owner),
        system_id=system.pk,
        name="Asked once",
        catalogue_id="red",
        points_limit=1500,
        allegiance="loyalist",
    )


def chosen(army: ArmyList) -> dict[str, Any]:
    """What is chosen in the data, by the setting, and the facts that are stated."""
    army.refresh_from_db()
    document = services.check_army_list(army)
    found = {
        selection.name: [inner.name for inner in selection.selections]
        for force in document.state.all_forces()
        for selection in force.selections
        if selection.type == "upgrade"
    }
    return found | {"facts": dict(document.facts)}


def edit(army: ArmyList, owner: User, change: Any) -> ArmyList:
    army.refresh_from_db()
    return services.apply_edit(Viewer(user=owner), army.pk, change, expected_revision=army.revision).army_list


def node_of(army: ArmyList, name: str) -> str:
    army.refresh_from_db()
    state = services.check_army_list(army).state
    return next(part.id for part in state.all_selections() if part.name == name)


def test_what_a_new_list_states_is_chosen_in_its_data(army: ArmyList) -> None:
    assert chosen(army) == {
        "Allegiance": ["Loyalist:"],
        "Battle Size": ["2. Strike Force (2000 Point limit)"],
        "Army Size": ["Army (0-2999 points)"],
        "facts": {"allegiance": "loyalist"},
    }


def test_a_fact_changes_the_data_and_the_data_the_fact(army: ArmyList, owner: User) -> None:
    edit(army, owner, SetFacts(facts={"allegiance": "traitor"}))
    assert chosen(army)["Allegiance"] == ["Traitor:"]
    edit(army, owner, Select(parent_id=node_of(army, "Allegiance"), entry_id="side-0"))
    assert chosen(army)["facts"] == {"allegiance": "loyalist"}


def test_the_size_follows_the_limit(army: ArmyList, owner: User) -> None:
    edit(army, owner, SetPointsLimit(points_limit=1000))
    assert chosen(army)["Battle Size"] == ["1. Incursion (1000 Point limit)"]
    edit(army, owner, SetPointsLimit(points_limit=9000))
    assert chosen(army)["Battle Size"] == ["1. Incursion (1000 Point limit)"]  # nothing fits: the player decides


def test_a_size_without_an_end_follows_the_limit(army: ArmyList, owner: User) -> None:
    edit(army, owner, SetPointsLimit(points_limit=3000))
    assert chosen(army)["Army Size"] == ["Grand Army (3000+ points)"]
    edit(army, owner, SetPointsLimit(points_limit=2999))
    assert chosen(army)["Army Size"] == ["Army (0-2999 points)"]


def test_settings_are_gathered_and_no_units(army: ArmyList, owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    page = browser.get(reverse("web:list", args=[army.pk])).content.decode()
    assert page.count("<h3>Army rules</h3>") == 1
    assert "Loyalist" in page
    assert "Choose:" not in page
    text = browser.get(reverse("web:list-export", args=[army.pk, "plain"])).content.decode()
    assert "Army rules" in text


def test_a_setting_is_neither_doubled_nor_copied(army: ArmyList, owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    pane = browser.get(reverse("web:list", args=[army.pk]), {"unit": node_of(army, "Allegiance")}).content.decode()
    assert 'id="b-unit-remove"' in pane
    for told in ('id="b-unit-duplicate"', "Copy to another list", "Compare options", 'id="unit-facts"'):
        assert told not in pane


def test_a_choice_that_is_left_is_told_as_one(army: ArmyList, owner: User) -> None:
    edit(army, owner, Deselect(selection_id=node_of(army, "Loyalist:")))
    browser = Client()
    browser.force_login(owner)
    page = browser.get(reverse("web:list", args=[army.pk])).content.decode()
    assert "Still to choose" in page
    assert "choose 1 more: Choose" in page
    assert "at least 1 needed" not in page
    found = re.search(r"Started, \d+ things? to do", page)
    assert found
    assert found[0] in browser.get(reverse("web:lists")).content.decode()
    assert "sign sign--started unit__signs" in page
    assert "sign sign--error unit__signs" not in page


def test_a_text_names_what_is_to_be_chosen_as_pages_do(army: ArmyList, owner: User) -> None:
    edit(army, owner, Deselect(selection_id=node_of(army, "Loyalist:")))
    browser = Client()
    browser.force_login(owner)
    text = browser.get(reverse("web:list-export", args=[army.pk, "plain"])).content.decode()
    assert "Choose – 0 taken" in text
    assert "Choose:" not in text


def test_errors_and_open_choices_are_counted_alike_everywhere(army: ArmyList, owner: User) -> None:
    """The builder told of some errors and of choices besides, all other pages of as many errors as both."""
    force = services.check_army_list(army).state.forces[0].id
    for _ in range(3):
        edit(army, owner, AddUnit(force_id=force, entry_id="captain"))
    edit(army, owner, SetPointsLimit(points_limit=100))
    for name in ("Loyalist:", "1. Incursion (1000 Point limit)"):
        edit(army, owner, Deselect(selection_id=node_of(army, name)))
    browser = Client()
    browser.force_login(owner)
    page = browser.get(reverse("web:list", args=[army.pk])).content.decode()
    found = re.search(r"(\d+) errors? left, 2 still to choose", page)
    assert found
    errors = int(found[1])
    army.refresh_from_db()
    assert errors + 2 == services.check_army_list(army).count(Severity.ERROR)
    assert page.count("choose 1 more: Choose") == 2
    told = f"{errors} error{'s' * (errors > 1)}, 2 still to choose"
    for name in ("list-print", "list-typed"):
        sheet = browser.get(reverse(f"web:{name}", args=[army.pk])).content.decode()
        assert told in sheet, name
        assert (sheet.count('class="sign sign--error"'), sheet.count('class="sign sign--started"')) == (errors, 2), name
    text = browser.get(reverse("web:list-export", args=[army.pk, "plain"])).content.decode()
    assert (text.count("\nError "), text.count("\nStill to choose BS-01: ")) == (errors, 2)


def test_a_finding_that_is_said_of_several_parts_stands_once_on_sheets(army: ArmyList, owner: User) -> None:
    edit(army, owner, Deselect(selection_id=node_of(army, "Loyalist:")))
    army.refresh_from_db()
    sheet = plain_sheet_of(army)
    choice = next(finding for finding in sheet.findings if finding.is_choice)
    thrice = msgspec.structs.replace(sheet, findings=(*sheet.findings, choice, choice))
    assert dict(thrice.findings_once)[choice] == 3
    assert thrice.choice_count == sheet.choice_count + 2
    told = [line for line in objections(thrice) if choice.message in line]
    assert told == [f"Still to choose {choice.rule}: {choice.message} (3x)"]


def test_what_is_offered_for_a_choice_stays_with_it(army: ArmyList, owner: User) -> None:
    """Or the next choice stood where this one was, with what had been offered for this one."""
    browser = Client()
    browser.force_login(owner)

    def lines() -> dict[str, str]:
        page = browser.get(reverse("web:list", args=[army.pk])).content.decode()
        found = re.findall(r'<li id="(c\w+)">.*?<strong>(.*?)</strong>', page, re.DOTALL)
        return {unit: key for key, unit in found}

    for name in ("Loyalist:", "2. Strike Force (2000 Point limit)"):
        edit(army, owner, Deselect(selection_id=node_of(army, name)))
    both = lines()
    assert len(both) == len(set(both.values())) == 2
    edit(army, owner, Select(parent_id=node_of(army, "Allegiance"), entry_id="side-0"))
    assert lines() == {"Battle Size": both["Battle Size"]}


def test_the_warlord_is_named_once(army: ArmyList, owner: User) -> None:
    force = services.check_army_list(army).state.forces[0].id
    for _ in range(2):
        edit(army, owner, AddUnit(force_id=force, entry_id="captain"))
    army.refresh_from_db()
    state = services.check_army_list(army).state
    first, second = (part.id for part in state.all_selections() if part.name == "Captain")
    edit(army, owner, SetWarlord(node_id=first))
    assert badges(army) == [first]
    edit(army, owner, Select(parent_id=second, entry_id="badge"))
    assert badges(army) == [second]
    assert chosen(army)["facts"]["warlord"] == second


def badges(army: ArmyList) -> list[str]:
    """Who wears the badge of the warlord."""
    army.refresh_from_db()
    state = services.check_army_list(army).state
    return [part.id for part in state.all_selections() if any(child.name == "Warlord:" for child in part.selections)]


def test_what_the_army_lacks_of_its_units_is_taken_in_one_of_them(db: None, owner: User) -> None:
    """A general that the army must have and any captain may be: the repair says in whom, and takes him."""
    general = """<selectionEntries><selectionEntry id="lead" name="General" type="upgrade" hidden="false"><constraints>
      <constraint type="min" value="1" field="selections" scope="roster" shared="true" includeChildSelections="true"
       includeChildForces="true" id="lead-min"/></constraints></selectionEntry>"""
    system = PublishedSystem.objects.create(id="leaderless", name="Leaderless")
    captain = CAPTAIN.replace("<selectionEntries>", general, 1)
    files: tuple[IncomingFile, ...] = (game_system(), catalogue("red", "Red Host", captain))
    publishing.publish(system, files, origin="a test")
    army = services.create_army_list(Viewer(user=owner), system_id=system.pk, name="Led", catalogue_id="red")
    force = services.check_army_list(army).state.forces[0].id
    edit(army, owner, AddUnit(force_id=force, entry_id="captain"))
    army.refresh_from_db()
    report = services.check_army_list(army)
    (finding,) = [found for found in report.findings if "General" in found.message.en]
    assert [repair.edits for repair in repairs_of(army, report, finding)][:1] == [
        (Select(parent_id=node_of(army, "Captain"), entry_id="lead"),)
    ]
