"""Lists out of files that other tools wrote: one file a layout."""
