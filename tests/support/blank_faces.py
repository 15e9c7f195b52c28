"""Pictures in which the table shows through the faces of all cards: only their codes are seen."""

import cv2
import numpy as np

from vision.frame import Picture, to_grey
from vision.tags.reader import read_tags


def show_table_through_cards(picture: Picture, bare: Picture) -> Picture:
    """The picture at its codes and their white borders, and that of the bare table everywhere else."""
    codes = np.zeros(picture.shape[:2], np.uint8)
    for tag in read_tags(to_grey(picture)):
        corners = np.array(tag.corners)
        grown = corners.mean(0) + (corners - corners.mean(0)) * 1.25
        cv2.fillPoly(codes, [np.round(grown).astype(np.int32)], 1)
    return np.where((codes > 0).reshape(codes.shape + (1,) * (picture.ndim - 2)), picture, bare)
