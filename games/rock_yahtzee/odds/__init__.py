"""The odds of a scorecard: values and chances of best play, for any number of turns, as long as the time suffices.

`future` says what of a card matters for what is still to come, `throws` how dice are kept and thrown, `values` what
best play comes to, `by_value` the totals that it ends with, `for_targets` the best chance of each total, and `answer`
puts these together for one card. `house_table` has the values of the house rules.
"""
