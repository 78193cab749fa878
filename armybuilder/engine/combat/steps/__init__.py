"""The steps most attacks are made of, one step a file: the chart, and its place in a dice tree."""
