"""Writes of the room: groups, their crews, the links handed out and the phones they become."""
