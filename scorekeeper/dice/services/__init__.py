"""Counting the dice of an event, and keeping the throws of a test."""
