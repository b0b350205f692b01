"""Values of choices during play, for everybody or nobody: where a contest is set to coach, while it is open."""
