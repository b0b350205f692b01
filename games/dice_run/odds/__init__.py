"""The odds of a sheet: what best play comes to, and the chances of final totals, all of them exact.

- `throws` has the chances of the sums of a throw and of a turn without a choice,
- `without_choice` has the chances of final totals where nobody has anything to decide,
- `play` is the recursion over the turns where stopping is a choice,
- `answer` turns a sheet into the records of `games.core.odds`.

Terms: *points* are sums of turns with a sign that makes more points better. Under goal low they are negative; with a
target, for which neither high nor low sums are good, they are the sums themselves.
"""
