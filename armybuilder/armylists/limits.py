"""How large a stored list and a collection of lists may become; beyond it an edit is refused with LimitExceeded."""

from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.plain_words import straight
from armybuilder.engine.findings import Text

NAME_LENGTH = 120
NOTES_LENGTH = 4_000
FOLDER_LENGTH = 60
TAG_LENGTH = 30
LABEL_LENGTH = 60
TAGS = 12
AMOUNT = 1_000
"""Models of one selection."""
COPIES = 100
"""Separate copies of one option under one parent."""
SELECTIONS = 1_500
"""Selections of one list, on all levels."""
FORCES = 20
DEPTH = 30
"""Levels of selections under each other."""
DOCUMENT_BYTES = 1_000_000
FACTS_BYTES = 64_000
POINTS = 1_000_000
"""A points limit lies between minus and plus this number; a negative one is a finding of the rules, not an error."""
LISTS_OF_A_USER = 1_000
LISTS_OF_A_GUEST = 50
EDITS_AT_ONCE = 100
BACKUP_BYTES = 20_000_000
STATES_LEFT = 20
"""Newest states that a list keeps when its owner's lists take more bytes than they may."""
ROSTER_FILE_BYTES = 4_000_000
"""A .ros or .rosz file as it comes; the largest known one, with every profile written out, has 1 MB."""
SHARE_LINKS_OF_A_LIST = 20
AUTHOR_LENGTH = 60
REPLY_LENGTH = 2_000
LAYOUT_LENGTH = 5_000
LAYOUTS_OF_A_USER = 50
UNIT_NAME_LENGTH = 200
UNITS_OF_A_COLLECTION = 300
"""Units of one game that somebody owns."""
OWNED_MODELS = 10_000
LISTS_OF_A_NEED = 20
"""Lists whose models are counted together."""
REPLIES_TO_A_LIST = 200
"""Comments and suggestions that readers may leave before the owner tidies up."""
CARDS = 60
"""Cards of one pile of a hero, or actions he plans."""
DIAL = 999
"""A dial of a hero lies between minus and plus this number; what no rule allows is a finding, not an error."""


def validated_text(text: str, length: int, at: str) -> str:
    """A straight text without blanks around it.

    Raises TooLarge when it is longer than `length`; `at` is where it stands.
    """
    text = straight(text).strip()
    if len(text) > length:
        raise TooLarge(
            Text(
                en=f"The text has {len(text)} characters; {length} are allowed.",
                ru=f"В тексте {len(text)} знаков; допускается {length}.",
            ),
            at,
        )
    return text
