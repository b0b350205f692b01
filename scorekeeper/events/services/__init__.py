"""Writes of the room: events, who runs them, the contests played at them, and organisers' accounts."""
