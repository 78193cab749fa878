"""Older revisions are upgraded while they are read: one statement of the format guide's section 3 each."""

from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.gamedata.places import root_entries
from armybuilder.engine.line_protocol import state_json
from tests.engine.battlescribe_files.files import source
from tests.engine.roster.builders import Player

OLD_SYSTEM = """<gameSystem id="gs" name="Game" revision="1" battleScribeVersion="1.15">
  <forceTypes><forceType id="patrol" name="Patrol" minSelections="0" maxSelections="-1">
    <categories><category id="hq" name="HQ" minSelections="1" maxSelections="2"><modifiers/></category>
      <category id="core" name="Core" minSelections="0" maxSelections="-1" minPercentage="25" maxPercentage="-1"/>
    </categories><forceTypes/></forceType></forceTypes>
  <profileTypes><profileType id="unit" name="Unit">
    <characteristics><characteristic id="ws" name="WS"/></characteristics></profileType></profileTypes>
</gameSystem>"""

OLD_CATALOGUE = """<catalogue id="army" name="Army" revision="1" battleScribeVersion="1.15" gameSystemId="gs">
  <entries>
    <entry id="boss" name="Boss" points="50.0" categoryId="hq" type="unit" minSelections="0" maxSelections="1"
           maxPoints="0.0" minInRoster="0" maxInRoster="-1" book="Red Book" page="3">
      <entries>
        <entry id="gun" name="Gun" points="5.0" categoryId="(No Category)" type="upgrade" maxSelections="1"/></entries>
      <entryGroups><entryGroup id="g" name="Arms" defaultEntryId="axe" minSelections="1" maxSelections="1">
        <entries><entry id="axe" name="Axe" points="2.5" type="upgrade"/></entries></entryGroup></entryGroups>
      <modifiers>
        <modifier type="increment" field="points" value="10" repeat="true" numRepeats="1" incrementValue="1.0"
                  incrementParentId="direct parent" incrementChildId="boss" incrementField="selections"/>
        <modifier type="hide" field="minSelections" value="0.0" repeat="false" numRepeats="1" incrementValue="1.0">
          <conditions>
            <condition parentId="roster" childId="mob" field="selections" type="at least" value="2"/></conditions>
        </modifier>
        <modifier type="set" field="maxInRoster" value="1" repeat="false">
          <conditions>
            <condition parentId="roster" field="points limit" type="equal to" value="500"/></conditions></modifier>
      </modifiers>
      <profiles><profile id="p" profileTypeId="unit" name="Boss"><characteristics>
        <characteristic characteristicId="ws" name="WS" value="4"/></characteristics><modifiers/></profile></profiles>
      <links><link id="lr" targetId="r" linkType="rule"><modifiers/></link></links>
    </entry>
  </entries>
  <links><link id="lm" targetId="mob" linkType="entry" categoryId="core"><modifiers/></link></links>
  <sharedEntries>
    <entry id="mob" name="Mob" points="100" type="unit" minSelections="0" maxSelections="-1"/></sharedEntries>
  <sharedRules><rule id="r" name="Brave"><description>Never runs.</description></rule></sharedRules>
</catalogue>"""


def old_library() -> Library:
    return load_library([source("Game.gst", OLD_SYSTEM), source("Army.cat", OLD_CATALOGUE)])


def test_entries_links_points_and_categories_of_1_15() -> None:
    library = old_library()
    assert library.problems == ()
    assert [(kind.id, kind.name) for kind in library.cost_types] == [("points", "pts")]
    player = Player(library)
    boss = player.node(player.take("boss"))
    assert boss.cost("points") == 60
    assert [(row.id, row.primary) for row in boss.categories] == [("hq", True)]
    assert (boss.publication_name, boss.page) == ("Red Book", "3")
    assert [rule.description for rule in boss.rules] == ["Never runs."]
    assert boss.profiles[0].value("WS") == "4"
    assert [(child.name, child.cost("points"), child.group_id) for child in boss.selections] == [
        ("Axe", Decimal("2.5"), "g")
    ]
    mob = player.node(player.take("lm"))
    assert (mob.entry_id, mob.cost("points"), [row.id for row in mob.categories]) == ("lm::mob", 100, ["core"])


def test_limits_of_1_15_are_constraints_named_after_their_attributes() -> None:
    player = Player(old_library())
    assert player.errors == ["category hq < patrol-hq/minSelections"]
    player.roster = msgspec.structs.replace(player.roster, cost_limits={})
    player.take("boss")
    assert player.errors == []
    gun = player.take("gun", player.take("boss"))
    assert player.errors == []  # two bosses: maxSelections and maxPoints mean nothing on what a force offers itself
    player.amount(gun, 2)
    assert player.errors == ["selection boss < gun/maxSelections"]


def test_a_share_of_the_points_limit_of_1_15() -> None:
    player = Player(old_library())
    player.take("boss")
    player.roster = msgspec.structs.replace(player.roster, cost_limits={"points": Decimal(1000)})
    assert "category core < patrol-core/minPercentage" in player.errors
    player.take("lm")
    player.take("lm")
    player.take("lm")
    assert "category core < patrol-core/minPercentage" not in player.errors


def test_modifiers_and_conditions_of_1_15() -> None:
    player = Player(old_library())
    boss = player.take("boss")
    player.roster = msgspec.structs.replace(player.roster, cost_limits={"points": Decimal(500)})
    player.add_force()
    assert not player.node(boss).hidden
    player.take("lm")
    player.take("lm")
    assert player.node(boss).hidden


NESTED = """<gameSystem id="gs" name="Game" revision="1" battleScribeVersion="2.00">
  <costTypes><costType id="points" name="pts" defaultCostLimit="-1"/></costTypes>
  <profileTypes><profileType id="unit" name="Unit"><characteristicTypes><characteristicType id="ws" name="WS"/>
  </characteristicTypes></profileType></profileTypes>
  <forceEntries><forceEntry id="patrol" name="Patrol"><categoryEntries><categoryEntry id="hq" name="HQ"><constraints>
    <constraint id="c" type="min" field="selections" scope="parent" value="1"/></constraints></categoryEntry>
  </categoryEntries></forceEntry></forceEntries></gameSystem>"""
OWNED = """<catalogue id="army" name="Army" battleScribeVersion="{version}" gameSystemId="gs"><selectionEntries>
  <selectionEntry id="boss" name="Boss" type="unit" categoryEntryId="hq" book="Red Book">
    <costs><cost costTypeId="points" name="pts" value="7"/></costs>
    <profiles><profile id="p" name="Boss" profileTypeId="unit" profileTypeName="Unit"><characteristics>
      <characteristic characteristicTypeId="ws" name="WS" value="5"/></characteristics></profile></profiles>
  </selectionEntry></selectionEntries></catalogue>"""


@pytest.mark.parametrize("version", ["2.00", "2.03"])
def test_old_attributes_are_read_whatever_version_the_file_claims(version: str) -> None:
    library = load_library([source("Game.gst", NESTED), source("Army.cat", OWNED.format(version=version))])
    player = Player(library)
    assert player.errors == ["category hq < patrol-hq/c"]
    boss = player.node(player.take("boss"))
    assert (boss.cost("points"), [row.id for row in boss.categories], boss.publication_name) == (7, ["hq"], "Red Book")
    assert (boss.profiles[0].type_name, boss.profiles[0].value("WS")) == ("Unit", "5")
    assert player.errors == []


@pytest.mark.shared
def test_one_data_set_in_five_revisions_gives_one_roster(shared: Path) -> None:
    answers = {}
    for folder in sorted((shared / "battlescribe" / "data" / "format-versions").glob("v*")):
        files = [
            SourceFile(path.name, path.read_bytes()) for path in folder.iterdir() if path.suffix in {".gst", ".cat"}
        ]
        library = load_library(files)
        player = Player(library, force=None)
        for force in library.force_entries(library.catalogues[0].id):
            force_id = player.add_force(force.id, library.catalogues[0].id)
            for place in root_entries(library.roots(library.catalogues[0].id)):
                chosen = player.take(place.path, force_id)
                for inner in place.entries:
                    player.take(inner.path, chosen)
        answers[folder.name] = state_json(player.state, library)
    assert len(answers) == 5
    for answer in answers.values():
        assert answer == answers["v2_03"]
