"""From frames to the table at rest: what is read, what moves, what is hidden, and faults of the picture."""
