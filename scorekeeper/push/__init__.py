"""Notifications that a spectator asked for: what a bike records, and when results are official, by Web Push."""
