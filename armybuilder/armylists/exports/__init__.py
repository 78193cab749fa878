"""Lists as files that other tools read: one file a layout."""
