"""The simulated table of ``make run`` and ``oxeye play``: table, players, mistakes, camera and session."""
