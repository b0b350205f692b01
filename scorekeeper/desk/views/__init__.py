"""The organiser's pages across apps."""
