"""The odds of Rogue: what the running turn comes to, what each choice costs, and the chance to win between two players.

- `values`: best play of one turn, whatever its end is worth.
- `chances`: the points of a turn that is played for its expected points.
- `duel`: the chance to win between the turns of two players.
- `options`: from the state to the records of `games.core.odds`.
"""
