"""Everything that happens: threads, files, sockets, clock, configuration and the command line."""
