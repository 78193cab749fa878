"""A small invented game as data files: one chart with two detachments, two army lists, a fortification."""

from armybuilder.datafiles.bundles import IncomingFile

SYSTEM = "http://www.battlescribe.net/schema/gameSystemSchema"
CATALOGUE = "http://www.battlescribe.net/schema/catalogueSchema"

GAME_SYSTEM = f"""<?xml version="1.0" encoding="UTF-8"?>
<gameSystem xmlns="{SYSTEM}" id="game" name="Invented Game" revision="{{revision}}" battleScribeVersion="2.03">
  <costTypes><costType id="pts" name="Pts" defaultCostLimit="-1" hidden="false"/></costTypes>
  <profileTypes><profileType id="unit-profile" name="Unit"><characteristicTypes>
    <characteristicType id="ws" name="WS"/><characteristicType id="w" name="W"/>
  </characteristicTypes></profileType></profileTypes>
  <categoryEntries>
    <categoryEntry id="hq" name="HQ:" hidden="false"/>
    <categoryEntry id="troops" name="Troops" hidden="false"/>
    <categoryEntry id="fort" name="Fortifications" hidden="false"/>
  </categoryEntries>
  <forceEntries>
    <forceEntry id="primary" name="Primary Detachment" hidden="false"><categoryLinks>
      <categoryLink id="p-hq" name="HQ:" targetId="hq" primary="false" hidden="false"><constraints>
        <constraint type="min" value="1" field="selections" scope="parent" id="p-hq-min"/>
        <constraint type="max" value="3" field="selections" scope="parent" id="p-hq-max"/></constraints></categoryLink>
      <categoryLink id="p-troops" name="Troops" targetId="troops" primary="false" hidden="false"><constraints>
        <constraint type="min" value="2" field="selections" scope="parent" id="p-tr-min"/></constraints></categoryLink>
      <categoryLink id="p-fort" name="Fortifications" targetId="fort" primary="false" hidden="false"><constraints>
        <constraint type="max" value="1" field="selections" scope="parent" id="p-fo-max"/></constraints></categoryLink>
    </categoryLinks></forceEntry>
    <forceEntry id="allied" name="Allied Detachment" hidden="false"><categoryLinks>
      <categoryLink id="a-hq" name="HQ:" targetId="hq" primary="false" hidden="false"><constraints>
        <constraint type="min" value="1" field="selections" scope="parent" id="a-hq-min"/>
        <constraint type="max" value="1" field="selections" scope="parent" id="a-hq-max"/></constraints></categoryLink>
    </categoryLinks></forceEntry>
  </forceEntries>
  <selectionEntries>
    <selectionEntry id="wall" name="Long Wall" type="unit" hidden="false">
      <categoryLinks><categoryLink id="wall-c" targetId="fort" primary="true" hidden="false"/></categoryLinks>
      <selectionEntries><selectionEntry id="gun" name="Wall Gun" type="upgrade" hidden="false">
        <constraints><constraint type="max" value="2" field="selections" scope="parent" id="gun-max"/></constraints>
        <costs><cost typeId="pts" name="Pts" value="25"/></costs></selectionEntry></selectionEntries>
      <costs><cost typeId="pts" name="Pts" value="55"/></costs>
    </selectionEntry>
  </selectionEntries>
</gameSystem>"""

_CATALOGUE = f"""<?xml version="1.0" encoding="UTF-8"?>
<catalogue xmlns="{CATALOGUE}" id="{{id}}" name="{{name}}" revision="1" battleScribeVersion="2.03" library="false"
 gameSystemId="{{game}}" gameSystemRevision="1">
  <selectionEntries>{{entries}}</selectionEntries>
</catalogue>"""


def entry(key: str, name: str, *, category: str, points: int, hidden: bool = False) -> str:
    """A unit of one to five troopers, two by default, at 10 points besides its own."""
    return f"""
    <selectionEntry id="{key}" name="{name}" type="unit" hidden="{str(hidden).lower()}">
      <profiles><profile id="{key}-p" name="{name}" typeId="unit-profile" hidden="false"><characteristics>
        <characteristic name="WS" typeId="ws">4</characteristic><characteristic name="W" typeId="w">1</characteristic>
      </characteristics></profile></profiles>
      <rules><rule id="{key}-r" name="Fearless (2)" hidden="false"><description>x</description></rule></rules>
      <categoryLinks><categoryLink id="{key}-c" targetId="{category}" primary="true" hidden="false"/></categoryLinks>
      <selectionEntries><selectionEntry id="{key}-m" name="Trooper" type="model" hidden="false"><constraints>
        <constraint type="min" value="2" field="selections" scope="parent" id="{key}-min"/>
        <constraint type="max" value="5" field="selections" scope="parent" id="{key}-max"/></constraints>
        <costs><cost typeId="pts" name="Pts" value="10"/></costs></selectionEntry></selectionEntries>
      <costs><cost typeId="pts" name="Pts" value="{points}"/></costs>
    </selectionEntry>"""


CAPTAIN = entry("captain", "Captain", category="hq", points=100)
SQUAD = entry("squad", "Line Squad", category="troops", points=50)
GHOST = entry("ghost", "Hidden Squad", category="troops", points=50, hidden=True)
NAMES = '[units]\n"Captain" = "Капитан"\n"Line Squad" = "Линейный отряд"\n[rules]\n"Fearless" = "Бесстрашие"\n'


def catalogue(key: str, name: str, *entries: str, game: str = "game") -> IncomingFile:
    """A catalogue with these entries."""
    text = _CATALOGUE.format(id=key, name=name, game=game, entries="".join(entries))
    return IncomingFile(f"{key}.cat", text.encode())


def game_system(revision: int = 1) -> IncomingFile:
    """The game system file."""
    return IncomingFile("game.gst", GAME_SYSTEM.format(revision=revision).encode())


def release(*catalogues: IncomingFile, revision: int = 1) -> tuple[IncomingFile, ...]:
    """A whole release; without catalogues the two of the first one."""
    lists = catalogues or (
        catalogue("red", "2022 - Red Host", CAPTAIN, SQUAD, GHOST),
        catalogue("blue", "Blue Host", SQUAD),
    )
    return (game_system(revision), *lists, IncomingFile("names.ru.toml", NAMES.encode()))
