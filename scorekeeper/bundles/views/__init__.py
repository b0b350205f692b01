"""The pages with the bundles of an event."""
