"""Pictures made smaller: each pixel is the mean of a square."""

import cv2
import numpy as np
import pytest

from vision.frame import average_down

NOISE = np.random.default_rng(3).integers(0, 256, (211, 317), dtype=np.uint8)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(NOISE, id="noise"),
        pytest.param(NOISE[3:, 5:], id="a part of a picture"),
        pytest.param(np.full((200, 200), 255, np.uint8), id="white"),
        pytest.param(np.repeat(NOISE[..., None], 3, 2), id="colours"),
        pytest.param(NOISE[:17, :17], id="hardly one square"),
    ],
)
@pytest.mark.parametrize("times", [2, 3, 4, 6, 7, 8, 16, 17])
def test_the_means_are_those_of_opencv(picture: np.ndarray, times: int) -> None:
    rows, columns = picture.shape[0] // times, picture.shape[1] // times
    whole = picture[: rows * times, : columns * times]
    mean = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
    assert np.array_equal(average_down(picture, times), mean)
