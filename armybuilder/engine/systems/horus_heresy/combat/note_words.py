"""What answers say of their model, in both languages: `[messages.notes]` of the game's words.toml."""

from pathlib import Path

from armybuilder.engine.systems.words import message_words

(NOTES,) = message_words(Path(__file__).parents[1] / "words.toml", "notes")
