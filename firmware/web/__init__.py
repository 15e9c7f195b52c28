"""The page for phones: open to read for the whole network; commands need a paired phone."""
