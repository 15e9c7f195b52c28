"""The journal: every accepted entry in one SQLite file, fsynced before it is shown."""
