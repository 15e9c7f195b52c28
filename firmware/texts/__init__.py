"""Text catalogues, their rendering, and the choice of a language."""
