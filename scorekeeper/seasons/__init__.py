"""Seasons: several rides whose results are added up."""
