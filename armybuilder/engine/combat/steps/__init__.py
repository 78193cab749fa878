"""The steps most attacks are made of, one step a file: the chart, its place in a dice tree, and its sampled twin."""
