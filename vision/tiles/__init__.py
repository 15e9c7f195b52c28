"""Find the plain hexagon tiles of SIX in a picture and fit them to a lattice."""
