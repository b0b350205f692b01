"""The odds of a heat, solved exactly for both players: the chance to win it, and what each choice costs.

- `unused` counts with sets of unused counters as bits,
- `chances` has the chances to spin out,
- `alone` is about a player who drives on after the other has crossed,
- `values` is the recursion over everything before,
- `openings` has the values of the first moves of a heat, which take longest,
- `options` turns a race into the records of `games.core.odds`.
"""
