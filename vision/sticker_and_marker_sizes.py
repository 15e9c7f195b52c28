"""Sizes in which stickers and corner markers are printed: the smallest, the usual and the largest."""

SMALLEST_STICKER_MM, STICKER_MM, LARGEST_STICKER_MM = 12.0, 18.0, 25.0
"""Side of a sticker; the usual one is what is expected without a setting."""
SMALLEST_MARKER_MM, MARKER_MM, LARGEST_MARKER_MM = 25.0, 40.0, 80.0
"""Side of the black square of a marker."""
