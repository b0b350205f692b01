"""Pages that follow the ride by themselves: a stream of changes to whoever is watching."""
