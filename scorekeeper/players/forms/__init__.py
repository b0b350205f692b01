"""Forms of the roster and of sign-ups."""
