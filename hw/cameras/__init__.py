"""Camera drivers, one module for each kind; importing one opens nothing."""
