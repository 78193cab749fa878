"""Views by noun: site, lists, builder, sharing, matchups, units, rules, accounts."""
