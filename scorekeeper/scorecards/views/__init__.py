"""The pages on which dice are noted and cards are put right."""
