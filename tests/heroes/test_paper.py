"""A hero on paper: the summary has what he has, and no columns that say nothing."""

from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.exports.paper import PaperOptions, paper_data
from armybuilder.engine.systems.relic.hero import Asset
from armybuilder.heroes import edits as h
from tests.heroes.hero import HeroInHand, captain, hero_viewer, new_hero, relic

__all__ = ["captain", "hero_viewer", "new_hero", "relic"]


def test_the_summary_of_a_hero_counts_no_models_and_no_points(captain: HeroInHand) -> None:
    """Its columns of models and points were a row of ones and an empty one; his name stood twice above his cards."""
    captain.edit(h.TakeAsset(card=Asset(name="Sword")))
    sheet = plain_sheet_of(captain.row)
    data = paper_data(sheet, PaperOptions(), kind="roster")
    assert [data["summary"]["head"][at] for at in data["summary"]["columns"]] == ["Unit", "Role"]
    assert "Sword" in [row[0] for row in data["summary"]["rows"]]
    assert [block["name"] for block in data["detachments"]] == list(dict.fromkeys(sheet.factions))
    assert FORMATS["pdf"].file_of(captain.row).content.startswith(b"%PDF")
