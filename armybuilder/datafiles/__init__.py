"""Published game data as files: systems, immutable releases, and the libraries parsed from them."""
