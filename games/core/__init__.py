"""What all games share: actions as data, problems, replay, the score sheet, standings and ranking.

Nothing in this package names a particular game.
"""
