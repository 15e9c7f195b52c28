"""Pairing: a code admits one phone within two minutes, a few wrong codes lock pairing, a token keeps a phone paired."""

import numpy as np
import pytest
import zxingcpp

from firmware.box.events import PageStatus
from firmware.box.flow_context import Context
from firmware.box.flows.pair_phone import PhonePairing
from firmware.runtime.screen_text import render_screen
from firmware.web.paired_phones import PHONES_FILE, Phones
from firmware.web.pairing_rules import (
    CODE_LIFETIME_S,
    LOCKOUT_S,
    MAX_PHONES,
    MAX_WRONG_CODES,
    TOKEN_LIFETIME_S,
    Pairing,
    admit,
    close_pairing,
    forget_token,
    is_paired,
    open_pairing,
)
from hw.panel.screen import draw_screen, list_cut_texts

OPEN = open_pairing(Pairing(), "123456", 0.0)


def tried(pairing, *codes, now=1.0):
    """The answers to these codes, and the pairing after them."""
    answers = []
    for code in codes:
        pairing, answer = admit(pairing, code, "token", now, 0.0)
        answers.append(answer)
    return answers, pairing


@pytest.mark.parametrize(
    ("pairing", "codes", "now", "last"),
    [
        pytest.param(OPEN, ["123456"], 1.0, "paired", id="the right code"),
        pytest.param(OPEN, ["123457"], 1.0, "wrong", id="another code"),
        pytest.param(OPEN, [""], 1.0, "wrong", id="no code at all"),
        pytest.param(OPEN, ["١٢٣٤٥٦"], 1.0, "wrong", id="the same number in other digits"),
        pytest.param(Pairing(), [""], 1.0, "closed", id="pairing is not open"),
        pytest.param(OPEN, ["123456"], CODE_LIFETIME_S, "closed", id="too late"),
        pytest.param(close_pairing(OPEN), ["123456"], 1.0, "closed", id="withdrawn"),
        pytest.param(open_pairing(OPEN, "654321", 0.0), ["123456"], 1.0, "wrong", id="the code before"),
        pytest.param(OPEN, ["123456"] * 2, 1.0, "closed", id="a code is for one phone"),
        pytest.param(
            OPEN, ["0"] * (MAX_WRONG_CODES - 1) + ["123456"], 1.0, "paired", id="the last try is the right one"
        ),
        pytest.param(OPEN, ["0"] * MAX_WRONG_CODES, 1.0, "shut", id="one try too many"),
        pytest.param(OPEN, ["0"] * MAX_WRONG_CODES + ["123456"], 1.0, "shut", id="after that not even the right one"),
    ],
)
def test_codes_are_answered(pairing, codes, now, last):
    answers, after = tried(pairing, *codes, now=now)
    assert answers[-1] == last
    assert is_paired(after, "token", 0.0) == ("paired" in answers)


@pytest.mark.parametrize(("later", "answer"), [(LOCKOUT_S - 0.1, "shut"), (LOCKOUT_S, "paired")])
def test_a_new_code_works_after_the_lockout(later, answer):
    _, pairing = tried(OPEN, *["0"] * MAX_WRONG_CODES, now=1.0)
    again = open_pairing(pairing, "222222", 1.0)
    assert tried(again, "222222", now=1.0 + later)[0] == [answer]


def test_a_token_expires_and_can_be_forgotten():
    _, pairing = tried(OPEN, "123456")
    assert is_paired(pairing, "token", TOKEN_LIFETIME_S - 1)
    assert not is_paired(pairing, "token", TOKEN_LIFETIME_S)
    assert not is_paired(forget_token(pairing, "token"), "token", 0.0)


def test_the_oldest_token_is_dropped_for_a_new_phone():
    pairing = Pairing()
    for n in range(MAX_PHONES + 1):
        pairing, _ = admit(open_pairing(pairing, "123456", 0.0), "123456", f"token {n}", 1.0, 0.0)
    assert len(pairing.tokens) == MAX_PHONES
    assert not is_paired(pairing, "token 0", 0.0)
    assert is_paired(pairing, f"token {MAX_PHONES}", 0.0)


class TestTheFile:
    def test_phones_stay_paired_over_a_restart_and_no_token_is_written(self, tmp_path):
        phones = Phones(tmp_path)
        answer, token = phones.admit(phones.invite())
        assert answer == "paired"
        assert Phones(tmp_path).knows(token)
        assert token not in (tmp_path / PHONES_FILE).read_text()
        assert (tmp_path / PHONES_FILE).stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("torn", [b"", b"{", b"[1]", b"\xff"], ids=["empty", "half", "another", "noise"])
    def test_a_damaged_file_admits_no_phone_and_is_reported(self, tmp_path, capfd, torn):
        phones = Phones(tmp_path)
        _, token = phones.admit(phones.invite())
        (tmp_path / PHONES_FILE).write_bytes(torn)
        again = Phones(tmp_path)
        assert not again.knows(token)
        assert "paired again" in capfd.readouterr().err
        assert again.admit(again.invite())[0] == "paired"

    def test_pairing_works_in_a_read_only_folder(self, tmp_path, capfd):
        phones = Phones(tmp_path / "nowhere")
        _, token = phones.admit(phones.invite())
        assert phones.knows(token)
        assert "nowhere" in capfd.readouterr().err


class TestTheScreen:
    ADDRESS = "192.168.178.123:8480"

    def view(self, **page):
        return PhonePairing(10.0).view(Context(now=30.0, page=PageStatus(self.ADDRESS, **page)))

    @pytest.mark.parametrize("size", [(128, 64), (256, 64)], ids=["small", "wide"])
    def test_the_screen_shows_the_address_as_a_qr_code_and_the_pairing_code_as_text(self, size):
        view = self.view(code="123456", until=120.0)
        lines = render_screen(view, {})
        dots = draw_screen(view, lines, size).convert("L").resize((size[0] * 4, size[1] * 4))
        assert [code.text for code in zxingcpp.read_barcodes(np.asarray(dots))] == [f"http://{self.ADDRESS}"]
        assert list_cut_texts(view, lines, size) == ()
        assert "123 456" in lines.prompt

    def test_a_flat_screen_shows_the_address_as_text(self):
        view = self.view(code="123456", until=120.0)
        assert list_cut_texts(view, render_screen(view, {}), (128, 32)) == ()

    @pytest.mark.parametrize(
        ("page", "prompt", "first"),
        [
            ({"code": "123456", "until": 30.0}, "pair_over", "phone:new-code"),
            ({}, "pair_over", "phone:new-code"),
            ({"paired": 9.0, "code": "123456", "until": 120.0}, "pair_code", "back"),
            ({"paired": 11.0}, "pair_is_in", "back"),
        ],
        ids=["the code is over", "there is none", "another phone came first", "the phone is paired"],
    )
    def test_the_prompt_follows_the_state_of_pairing(self, page, prompt, first):
        view = self.view(**page)
        assert (view.prompt.id, view.offers[0].move) == (prompt, first)
