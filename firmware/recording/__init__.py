"""Recordings: pictures of the zones, events and entries of a session, written, read and replayed."""
