"""The names of the simulated players."""

PLAYER_NAMES = dict(enumerate("Ana Ben Clea Dov Eli Fay Gus Hana Ivo Jun".split(), 1))
