"""A phone inside the booted Debian: pairs with the box, sends a command or reads the state; prints one JSON line.

``python3 phone.py state`` or ``python3 phone.py tell WORDS``. Uses only the standard library.
"""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

BOX = "http://127.0.0.1:8480"
TOKEN = Path("/root/phone")


def ask(path, said=None, token=""):
    headers = {"content-type": "application/json", "origin": BOX, "cookie": f"oxeye={token}"}
    body = None if said is None else json.dumps(said).encode()
    with urllib.request.urlopen(urllib.request.Request(BOX + path, body, headers), timeout=20) as answer:
        cookie = re.match("oxeye=([^;]+)", answer.headers.get("set-cookie", ""))
        return json.load(answer), cookie and cookie[1]


def paired():
    if not TOKEN.exists():
        told = subprocess.check_output(["oxeye", "pair"], text=True)
        code = re.search(r"(\d{3}) (\d{3})", told)
        _, token = ask("/api/pair", {"code": code[1] + code[2]})
        TOKEN.write_text(token)
    return TOKEN.read_text()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["tell", words]:
            print(json.dumps(ask("/api/tell", {"words": words}, paired())[0]))
        case ["state"]:
            print(json.dumps(ask("/api/state")[0]))
