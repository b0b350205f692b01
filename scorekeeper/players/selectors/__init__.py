"""Database reads for players: the roster, names for the public pages, and the plan of an import."""
