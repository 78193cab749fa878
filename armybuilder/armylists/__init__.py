"""Stored army lists with revisions and share links; `services` writes, `queries` reads, `builder` prepares pages."""
