"""The odds of Go 500: what the race comes to, what each choice costs, and the chances of all final totals.

- `throws`: what can be thrown, with the number of ways.
- `segment`: the recursion of one segment, for any kind of figures.
- `values`: the expected points that are still to come.
- `chances`: the chances of all totals that are still to come, at once.
- `house_starts`: what the segments of the house courses bring, as a table.
- `race`: solves the segments of a course from the last to the first, and remembers them.
- `options`: from the state to the records of `games.core.odds`.
"""
