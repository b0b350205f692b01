"""Imports from spreadsheets: a file becomes a table, the table rows, and the rows a plan that the user confirms."""
