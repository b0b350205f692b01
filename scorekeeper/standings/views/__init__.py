"""Closing, reopening and publishing a contest, and its ties."""
