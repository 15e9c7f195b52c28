"""Find and decode the QR tags of cards and tiles in a picture."""
