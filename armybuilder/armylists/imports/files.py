"""A file of any kind that is read here becomes a stored list; what it is, its first bytes say."""

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.imports.battlescribe_roster import ImportedRoster, file_title, import_roster_file
from armybuilder.armylists.imports.list_file import import_list_file


def import_file(viewer: Viewer, data: bytes, *, file_name: str, name: str = "") -> ImportedRoster:
    """Make a list of the viewer's of a .ros, .rosz or .json file.

    Raises:
        UnreadableFile, BadDocument: no such file, damaged or hostile.
        EditRefused: its game is not published here, or nothing of it is in the data.
        TooLarge: larger than a list may be, or the viewer has as many lists as one may have.
    """
    if data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return ImportedRoster(import_list_file(viewer, data, file_name=file_title(file_name), name=name), ())
    return import_roster_file(viewer, data, file_name=file_name, name=name)
