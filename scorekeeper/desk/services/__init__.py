"""Database writes that concern a whole event: copying it, archiving it, deleting it."""
