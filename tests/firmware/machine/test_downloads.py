"""Downloads end: at a size, after a time, and at a redirect that leaves https."""

import io
from email.message import Message
from urllib.error import HTTPError
from urllib.request import Request

import pytest

from firmware.machine.downloads import DownloadTooLarge, SafeRedirects, download


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(1000))
    return path.as_uri()


def test_a_file_of_the_greatest_size_is_downloaded(source):
    target = io.BytesIO()
    download(source, target, most_bytes=1000, most_s=1.0)
    assert len(target.getvalue()) == 1000


def test_a_longer_file_ends_the_download(source):
    target = io.BytesIO()
    with pytest.raises(DownloadTooLarge, match="more than 999 bytes"):
        download(source, target, most_bytes=999, most_s=1.0)
    assert len(target.getvalue()) <= 999


def test_an_endless_file_ends_the_download():
    with pytest.raises(DownloadTooLarge):
        download("file:///dev/zero", io.BytesIO(), most_bytes=1 << 20, most_s=60.0)


def test_a_download_that_takes_too_long_ends(source):
    times = iter([0.0, 11.0])
    with pytest.raises(DownloadTooLarge, match="10 s"):
        download(source, io.BytesIO(), most_bytes=5000, most_s=10.0, clock=lambda: next(times))


@pytest.mark.parametrize("address", ["http://home.local/SHA256SUMS", "ftp://home.local/a", "/etc/passwd"])
def test_an_address_without_protection_is_refused(address):
    with pytest.raises(OSError, match="no safe address"):
        download(address, io.BytesIO(), most_bytes=10, most_s=1.0)


@pytest.mark.parametrize(
    ("start", "target", "followed"),
    [
        ("https://a.example/sums", "https://b.example/sums", True),
        ("https://a.example/sums", "http://a.example/sums", False),
        ("https://a.example/sums", "ftp://a.example/sums", False),
        ("https://a.example/sums", "file:///etc/passwd", False),
    ],
)
def test_a_redirect_stays_on_https(start, target, followed):
    def redirect():
        return SafeRedirects().redirect_request(Request(start), io.BytesIO(), 302, "Found", Message(), target)

    if followed:
        assert redirect().full_url == target
    else:
        with pytest.raises(HTTPError, match="without https"):
            redirect()
