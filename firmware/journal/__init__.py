"""Every accepted entry in one SQLite file."""
