"""Which papers each kind of print may have; without the PDF library, which the page must not load."""

SHEET_PAPERS = ("a4", "letter")
"""For stickers, markers and cards: what a home printer takes."""
TILED_PAPERS = ("a4", "a3", "letter")
"""For a mat that is cut and joined."""
MAT_PAPERS = (*TILED_PAPERS, "a2", "a1")
