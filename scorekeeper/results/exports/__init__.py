"""Exports of results: the same tables as CSV, as a spreadsheet and as JSON."""
