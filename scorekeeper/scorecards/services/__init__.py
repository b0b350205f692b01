"""Everything that writes to the log goes through here; nothing else does."""
