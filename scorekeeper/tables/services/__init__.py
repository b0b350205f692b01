"""Writing: drawing up cards, noting actions, correcting them."""
