"""Agreed cards: that a rider has seen a scorecard and agrees to it, or says that something on it is wrong."""
