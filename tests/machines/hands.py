"""Runs inside the virtual machine: reads commands as JSON lines from a virtio port, runs them and replies."""

import json
import subprocess
import sys

with open(sys.argv[1], "r+b", buffering=0) as wire:
    buffered = b""
    while part := wire.read(4096) or b" ":
        buffered += part
        while b"\n" in buffered:
            line, _, buffered = buffered.partition(b"\n")
            if not line.strip():
                continue
            done = subprocess.run(json.loads(line), stdin=subprocess.DEVNULL, capture_output=True, text=True)
            said = {"ended": done.returncode, "out": done.stdout, "err": done.stderr}
            wire.write(json.dumps(said).encode() + b"\n")
