"""Probability of an attack; knows dice, not games.

distribution   finite distributions of whole numbers: sums, mixtures, binomials, powers of packet counts
dice           "2D6+1", re-rolls, exploding dice
sequence       an attack written down once as a tree of dice (Roll, Mark, Several, Both, End)
steps/         charts of to hit, to wound, saves; damage on models standing in a row
exact          the tree as chances, packets of many attacks, casualties of one pair or of a whole matrix
sampling       the same tree rolled for thousands of trials at once
outcomes       one description of what is measured, for chances and for trials
"""
