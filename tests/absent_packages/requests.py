"""Hides the package of this name from the programs that tests start, since production does not install it."""

raise ImportError("requests is installed for development only")
