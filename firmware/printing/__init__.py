"""Stickers, markers, mats and decks as PDF, drawn in millimetres."""
