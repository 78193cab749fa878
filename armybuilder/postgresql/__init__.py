"""PostgreSQL as Django has it, with statements that it keeps for the hottest paths."""
