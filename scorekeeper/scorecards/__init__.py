"""Scorecards and their logs: operations, chains, entries, conflicts and review."""
