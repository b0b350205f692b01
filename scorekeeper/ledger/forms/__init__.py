"""The wire format of operations."""
