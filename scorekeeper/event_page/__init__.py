"""The event's own page: what invites riders to it, its programme, its route, and who helps."""
