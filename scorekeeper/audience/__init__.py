"""What the audience sees of an event: its standings, a freeze, and the reveal of the results."""
