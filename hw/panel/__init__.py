"""Small screens: one picture drawn for all of them, and a module for each kind."""
