"""The organiser's pages across rooms."""
