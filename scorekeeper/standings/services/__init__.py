"""The writes of the app: refreshing the standings, closing, cutting cards, publishing."""
