"""The pages at which actions are noted, cards drawn up and put right."""
