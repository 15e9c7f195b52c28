"""What the box needs to know of one game, one module for each."""
