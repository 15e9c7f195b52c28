"""One module for each kind of camera; importing one opens nothing."""
