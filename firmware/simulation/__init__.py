"""The simulated table that make run plays at: table, players, mistakes and camera."""
