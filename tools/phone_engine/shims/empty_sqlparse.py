"""Instead of `sqlparse`: no page parses SQL."""
