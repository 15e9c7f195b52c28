"""Third-party decoders: the codes that they claim to read in a picture, to be verified."""

import cv2
import numpy as np
import zxingcpp

from vision.frame import Grey
from vision.tags.verification import Corners, find_middle, measure_side, scale_corners

Claim = tuple[str, Corners]
"""A text, and the corners of its code as the decoder gives them."""

LEAST_PX = 12
"""A picture with fewer pixels across cannot show a code."""


def decode_zxing(grey: Grey, binarizer: zxingcpp.Binarizer = zxingcpp.Binarizer.LocalAverage) -> list[Claim]:
    """Codes at any angle; the options switched off cost time and read no more tags."""
    results = zxingcpp.read_barcodes(
        grey,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode),
        try_rotate=False,
        try_downscale=False,
        try_invert=False,
        binarizer=binarizer,
    )
    claims: list[Claim] = []
    for result in results:
        place = result.position
        tl, tr, br, bl = place.top_left, place.top_right, place.bottom_right, place.bottom_left
        claims.append((result.text, ((tl.x, tl.y), (tr.x, tr.y), (br.x, br.y), (bl.x, bl.y))))
    return claims


def decode_by_histogram(grey: Grey) -> list[Claim]:
    """Codes in a small part of a picture, told from their paper by one level for each line and not by that of the
    squares around: most codes of which squares of eight pixels hide an edge are read so, and quickly."""
    return decode_zxing(grey, zxingcpp.Binarizer.GlobalHistogram)


def decode_enlarged(grey: Grey, place: Corners) -> list[Claim]:
    """What zxing reads around a place in a picture enlarged twice."""
    (x, y), reach = find_middle(place), measure_side(place) * 0.95
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = grey[top : int(y + reach) + 1, left : int(x + reach) + 1]
    if min(part.shape) < LEAST_PX:
        return []
    large = np.asarray(cv2.resize(part, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    return [(text, scale_corners(corners, 0.5, left, top)) for text, corners in decode_zxing(large)]


def has_zbar() -> bool:
    """Is zbar installed? It is a library of the system, needed only if zbar is asked for."""
    try:
        from pyzbar import pyzbar
    except ImportError:
        return False
    return bool(pyzbar)


def decode_zbar(grey: Grey) -> list[Claim]:
    """Codes with their corners in every possible order: zbar does not tell which one is the first."""
    from pyzbar import pyzbar

    claims: list[Claim] = []
    for symbol in pyzbar.decode(np.ascontiguousarray(grey), symbols=[pyzbar.ZBarSymbol.QRCODE]):
        if len(symbol.polygon) == 4:
            middle = np.mean(symbol.polygon, 0)
            ring = sorted(symbol.polygon, key=lambda p: float(np.arctan2(p.y - middle[1], p.x - middle[0])))
            a, b, c, d = ((float(p.x), float(p.y)) for p in ring)
            text = symbol.data.decode("ascii", "replace")
            claims += [(text, order) for order in ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c))]
    return claims
