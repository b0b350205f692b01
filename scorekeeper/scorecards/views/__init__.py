"""Views of the pages for entering dice and correcting cards."""
