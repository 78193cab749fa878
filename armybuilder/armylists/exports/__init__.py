"""Lists as files that other tools read: one file a layout, and `FORMATS`, which pages and the API read."""

from armybuilder.armylists.exports import army_document, battlescribe_roster
from armybuilder.armylists.exports.files import ExportFormat

FORMATS: dict[str, ExportFormat] = {
    one.ending: one for one in (battlescribe_roster.ROS, battlescribe_roster.ROSZ, army_document.JSON)
}
"""Every format by its ending."""
