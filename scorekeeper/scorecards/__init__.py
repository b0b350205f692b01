"""Scorecards: what is folded from their logs, and the pages for entering dice."""
