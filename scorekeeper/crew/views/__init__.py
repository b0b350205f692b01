"""Views of the organiser pages for groups and crew, and of the pages with which a phone signs in and out."""
