"""Services that write to the log. Nothing else does."""
