"""Table games: scorecards that are recorded action by action, created one at a time or for everyone at once."""
