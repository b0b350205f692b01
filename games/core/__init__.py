"""What every game shares: actions as data, problems, replay, the score sheet, standings and their ranking.

Nothing in this package names a game.
"""
