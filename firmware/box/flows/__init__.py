"""What people go through at the box, one flow for each module."""
