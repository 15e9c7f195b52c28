"""Clock, inbox, loop, threads and screens around the pure box."""
