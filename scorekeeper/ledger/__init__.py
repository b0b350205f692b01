"""The log: operations, chains, entries, and recording them."""
