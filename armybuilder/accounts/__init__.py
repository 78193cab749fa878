"""Who uses the site: users, API tokens, and the viewer a door makes of a request."""
