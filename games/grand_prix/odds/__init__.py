"""The odds of a drive: the expected sum of places under best play, solved exactly where the sheet is small enough.

- `throws` is about the six dice as counts, and about throwing some of them again,
- `budgets` has what special actions can be paid with,
- `values` is the recursion over turns and circuits,
- `options` turns a drive into the records of `games.core.odds`.
"""
