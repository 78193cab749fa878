"""A list as a file of the site's own format: JSON with everything it knows, to be opened here or read by programs."""

import msgspec

from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.list_file import list_file_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.findings import Text


def list_file(army_list: ArmyList) -> bytes:
    """The file, written so that people can read it too."""
    content = msgspec.json.encode(list_file_of(army_list, check_army_list(army_list)))
    return msgspec.json.format(content, indent=2) + b"\n"


JSON = ExportFormat(
    id="json",
    ending="json",
    media_type="application/json",
    label=Text("Everything, for this site and for programs (JSON)", "Всё, для этого сайта и для программ (JSON)"),
    write=list_file,
)
