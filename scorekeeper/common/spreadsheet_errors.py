"""The error for a file that is not a spreadsheet."""


class UnreadableSpreadsheet(Exception):
    """The file cannot be read at all; the message says what to do."""
