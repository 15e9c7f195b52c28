"""Fake libcamera: the colour space that the driver asks for and gets."""

from types import SimpleNamespace


class ColorSpace:
    def __init__(self, matrix, extent):
        self.ycbcrEncoding, self.range = SimpleNamespace(name=matrix), SimpleNamespace(name=extent)

    @classmethod
    def Sycc(cls):
        return cls("Rec601", "Full")
