"""Marks for tests that need an optional QR decoder."""

import pytest

from vision.tags.decoders import has_zbar

needs_zbar = pytest.mark.skipif(not has_zbar(), reason="no zbar here: apt install libzbar0")
