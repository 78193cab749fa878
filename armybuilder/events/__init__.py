"""Events: packs described as data, submissions by link, locks and reveals, blind swaps for two."""
