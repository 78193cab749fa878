"""Lists as files and texts: one module a layout, and `FORMATS`, which pages, the API and commands read."""

from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.exports import (
    battlescribe_roster,
    battlescribe_text,
    bbcode,
    list_file,
    markdown,
    new_recruit,
    official_app,
    old_world_builder,
    organiser_layout,
    paper,
    plain_text,
    secret_text,
    table,
    virtual_table,
    wtc,
)
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.models import ArmyList

FORMATS: dict[str, ExportFormat] = {
    one.id: one
    for one in (
        list_file.JSON,
        battlescribe_roster.ROS,
        battlescribe_roster.ROSZ,
        battlescribe_text.TEXT,
        new_recruit.TEXT,
        wtc.COMPACT,
        wtc.FULL,
        official_app.TEXT,
        old_world_builder.COMPACT,
        old_world_builder.FULL,
        markdown.TEXT,
        bbcode.TEXT,
        plain_text.TEXT,
        secret_text.TEXT,
        organiser_layout.TEXT,
        table.CSV,
        paper.PDF,
        paper.CARDS_PDF,
        paper.PNG,
        paper.SVG,
        virtual_table.TTS,
    )
}
"""Every format by its id, in the order pages show them."""


def format_called(format_id: str) -> ExportFormat:
    """The format with this id. Raises NotFound."""
    found = FORMATS.get(format_id)
    if found is None:
        raise NotFound("There is no such kind of file.")
    return found


def formats_of(army_list: ArmyList) -> tuple[ExportFormat, ...]:
    """The formats that a list can be handed out in."""
    return tuple(one for one in FORMATS.values() if army_list.document_kind in one.kinds)
