"""The demo ride: one readable file, played through the same services as the pages use."""
