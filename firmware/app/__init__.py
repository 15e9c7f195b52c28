"""The composition root: opens the devices, wires everything together, runs it and shuts it down."""
