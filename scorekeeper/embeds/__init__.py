"""What other people's sites and programs show of events: frames, oEmbed, a feed of results, and calendars."""
