"""Power cuts and killed processes, a few of those that ``make powercut`` tries; and the proof itself is tested."""

from pathlib import Path

import pytest

from tests.powercut.disk import Disk
from tests.powercut.proof import FILE, cut_power, kill_players, make_memory_folder, record_matches


@pytest.fixture
def memory():
    with make_memory_folder() as folder:
        yield Path(folder)


@pytest.mark.parametrize("checkpoint", [1000, 8], ids=["as it is", "copying back every 8 pages"])
def test_a_power_cut_loses_nothing_that_was_confirmed(memory, checkpoint):
    disk = Disk()
    record_matches(disk, memory, 1, checkpoint)
    result = cut_power(disk, 12, memory)
    assert (result.faults, result.endings) == ([], 48)


BAD_DISKS = [
    ("one that lies about syncing", {"lying": True}, "dropped", 3),
    ("one that spoils what lies beside, and denies it", {"powersafe": True}, "spoiled", 100),
]


@pytest.mark.parametrize(("traits", "fate", "points"), [b[1:] for b in BAD_DISKS], ids=[b[0] for b in BAD_DISKS])
def test_the_proof_notices_a_bad_disk(memory, traits, fate, points):
    disk = Disk(**traits)
    record_matches(disk, memory, 1)
    assert cut_power(disk, points, memory, fates=(fate,)).lost > 0


def test_a_killed_process_loses_nothing_that_was_confirmed(tmp_path):
    result = kill_players(4, tmp_path / FILE)
    assert (result.faults, result.endings) == ([], 4)
