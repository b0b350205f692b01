"""What phones say to the program without a page: the operations they have kept."""
