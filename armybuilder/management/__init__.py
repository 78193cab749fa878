"""The command line: thin commands over the same services and engine that the site uses."""
