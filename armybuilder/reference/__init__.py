"""Published game data as rows: factions, units, force organisation, alliances, fortifications."""
