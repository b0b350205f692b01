"""Live pages: leaderboards, event pages and the big screen, updated by a stream of changes."""
