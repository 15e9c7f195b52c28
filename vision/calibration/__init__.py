"""Markers, homography and lens: from pixels to millimetres, and how well the camera is set up."""
