"""Small data files for tests, as the text a data author's tool writes."""

from armybuilder.engine.gamedata.links import SourceFile

SYSTEM = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<gameSystem id="gs" name="Game" revision="7" battleScribeVersion="2.03"
            xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
  <publications><publication id="book" name="The Book"/></publications>
  <costTypes><costType id="pts" name="pts" defaultCostLimit="-1.0" hidden="false"/></costTypes>
  <profileTypes><profileType id="unit" name="Unit"><characteristicTypes>
    <characteristicType id="ws" name="WS"/></characteristicTypes></profileType></profileTypes>
  <categoryEntries><categoryEntry id="hq" name="HQ" hidden="false"/></categoryEntries>
  <forceEntries><forceEntry id="patrol" name="Patrol" hidden="false"><categoryLinks>
    <categoryLink id="patrol-hq" name="HQ" targetId="hq" primary="false"/></categoryLinks></forceEntry></forceEntries>
</gameSystem>
"""

UNIT = """<selectionEntry id="boss" name="Boss &amp; Sons" hidden="false" collective="false" import="true" type="unit"
    publicationId="book" page="12">
  <comment>authors' notes</comment>
  <profiles><profile id="p" name="Boss" hidden="false" typeId="unit" typeName="Unit"><characteristics>
    <characteristic name="WS" typeId="ws">4+ &lt;best&gt;</characteristic></characteristics></profile></profiles>
  <rules><rule id="r" name="Brave" hidden="false"><description>Never
runs.</description></rule></rules>
  <categoryLinks><categoryLink id="boss-hq" targetId="hq" primary="true"/></categoryLinks>
  <costs><cost name="pts" typeId="pts" value="50.5"/></costs>
  <entryLinks><entryLink id="to-gun" name="Gun" targetId="gun" type="selectionEntry"/></entryLinks>
</selectionEntry>"""

GUN = '<selectionEntry id="gun" name="Gun" hidden="false" type="upgrade"/>'


def catalogue(entries: str = UNIT, shared: str = GUN, attributes: str = "", links: str = "") -> str:
    """A catalogue with these root entries, shared entries and entry links."""
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<catalogue id="army" name="Army" revision="3" battleScribeVersion="2.03" gameSystemId="gs" {attributes}
           xmlns="http://www.battlescribe.net/schema/catalogueSchema">
  <selectionEntries>{entries}</selectionEntries>
  <entryLinks>{links}</entryLinks>
  <sharedSelectionEntries>{shared}</sharedSelectionEntries>
</catalogue>
"""


def source(name: str, text: str) -> SourceFile:
    """A file as it comes from outside."""
    return SourceFile(name, text.encode())


def system_file(text: str = SYSTEM) -> SourceFile:
    """The game system."""
    return source("Game.gst", text)


def army_file(text: str | None = None) -> SourceFile:
    """The catalogue."""
    return source("Army.cat", catalogue() if text is None else text)
