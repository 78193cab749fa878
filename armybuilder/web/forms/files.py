"""The file or text a list is made of, and what its reader decides about each line."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.exports.paper import FIELD_LENGTH
from armybuilder.armylists.imports.pasted_text import TEXT_BYTES
from armybuilder.armylists.imports.review import Faction
from armybuilder.armylists.limits import BACKUP_BYTES, NAME_LENGTH, ROSTER_FILE_BYTES

LINE = "line-"
"""Fields that say what a line means begin so; the key of the line follows."""
CHOICES = 2_000


LIST_FILES = ".ros,.rosz,.json,.xml,.txt,.md,.zip"
"""What a browser offers where a list is read from a file."""


class RosterFileForm(forms.Form):
    """One roster file, or a text."""

    roster_file = forms.FileField(
        label=_("File of a list"),
        required=False,
        help_text=_(
            ".ros, .rosz or .json of this site, BattleScribe, New Recruit or ListForge, .owb.json of Old World "
            "Builder, .xml of Army Builder, or a text."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": LIST_FILES}),
    )
    text = forms.CharField(
        label=_("Or paste the list as text"),
        required=False,
        max_length=TEXT_BYTES,
        strip=False,
        help_text=_("Any of the layouts under “Text and files”, names of units one per line, or a link of ListForge."),
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        """One of the two."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not cleaned.get("roster_file") and not (cleaned.get("text") or "").strip():
            self.add_error("roster_file", _t("Choose a file or paste a text."))
        return cleaned

    def content(self) -> tuple[bytes, str]:
        """The bytes to read, and what they are called."""
        uploaded = self.cleaned_data.get("roster_file")
        if uploaded:
            return uploaded.read(BACKUP_BYTES + 1), uploaded.name
        return self.cleaned_data["text"].encode(), _t("The text")


class ReviewForm(forms.Form):
    """Where the names of a source are looked up, and what the list shall be called."""

    faction = forms.ChoiceField(label=_("Game and faction"))
    name = forms.CharField(label=_("Name of the list"), max_length=NAME_LENGTH, required=False)
    source = forms.CharField(widget=forms.HiddenInput, max_length=ROSTER_FILE_BYTES)

    def __init__(self, factions: tuple[Faction, ...], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_key = {faction_key(faction): faction for faction in factions}
        groups: dict[str, list[tuple[str, str]]] = {}
        for key, faction in self.by_key.items():
            groups.setdefault(faction.system.label, []).append((key, faction.label))
        field = self.fields["faction"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(groups.items())

    def chosen_faction(self) -> Faction:
        """The faction that was chosen."""
        return self.by_key[self.cleaned_data["faction"]]

    def choices(self) -> dict[str, str]:
        """What lines mean, by their keys; empty for a line that stays a note."""
        said = [(name[len(LINE) :], value) for name, value in self.data.items() if name.startswith(LINE)]
        return {key[:40]: str(value)[:400] for key, value in said[:CHOICES]}


class PaperForm(forms.Form):
    """How a list is printed: the query of its PDF."""

    player = forms.CharField(label=_("Player"), max_length=FIELD_LENGTH, required=False)
    team = forms.CharField(label=_("Team"), max_length=FIELD_LENGTH, required=False)
    event = forms.CharField(label=_("Event"), max_length=FIELD_LENGTH, required=False)
    date = forms.CharField(label=_("Date"), max_length=FIELD_LENGTH, required=False)
    paper = forms.ChoiceField(label=_("Paper"), choices=[("a4", "A4"), ("letter", "Letter")])
    card = forms.ChoiceField(
        label=_("Card"),
        choices=[("half", _("half a page")), ("a5", "A5"), ("a6", "A6"), ("poker", _("playing card"))],
    )
    without = forms.ChoiceField(
        label=_("Leave out"),
        choices=[
            ("", _("nothing")),
            ("summary", _("the summary")),
            ("profiles", _("profiles")),
            ("points", _("points")),
            ("notes", _("notes")),
            ("findings", _("findings")),
            ("facts", _("facts of the game")),
        ],
        required=False,
    )
    ink = forms.ChoiceField(label=_("Ink"), choices=[("", _("in colour")), ("save", _("save ink"))], required=False)


def faction_key(faction: Faction) -> str:
    """A catalogue of a game as one value."""
    return f"{faction.system.pk} {faction.catalogue_id}"
