"""Markers, homography and lens: from pixels to millimetres, and whether the camera stands well."""
