"""Reading events for bundles."""
