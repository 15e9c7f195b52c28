"""From frames to a table at rest: what is read, what moves, what cannot be seen, what the picture lacks."""
