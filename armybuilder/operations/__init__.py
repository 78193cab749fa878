"""Looking after an installation: backups, its state, what is wrong with it, figures for those who watch it."""
