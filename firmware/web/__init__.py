"""The page for phones: everybody on the network may look, whoever is paired may tell."""
