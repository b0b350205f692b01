"""Messages to programs on other servers when the public standings of an event change."""
