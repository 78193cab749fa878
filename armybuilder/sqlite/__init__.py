"""SQLite as Django has it, with its hottest detour taken once a query."""
