"""From pictures to the table at rest, in millimetres; ``render`` makes pictures of a table."""
