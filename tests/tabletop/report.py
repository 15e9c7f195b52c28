"""What the examinations counted, printed as one table for each game."""

from collections import Counter
from collections.abc import Mapping

FAULTS = ("wrong record", "accusation", "dead end", "misleading advice")
"""None of these may happen: the referee is wrong."""
ALWAYS_SHOWN = ("rounds", "looks", *FAULTS, "cure")


def has_failed(counts: Mapping[str, Counter[str]]) -> bool:
    """Has any variant a fault, or none of them a round?"""
    every = sum(counts.values(), Counter[str]())
    return not every["rounds"] or any(every[fault] for fault in FAULTS)


def format_counts(game: str, counts: Mapping[str, Counter[str]]) -> str:
    """One line for each variant with what is always shown, then every other count of the game."""
    every = sum(counts.values(), Counter[str]())
    wide = max(map(len, (game, "together", *counts)))
    lines = ["  ".join((game.ljust(wide), *ALWAYS_SHOWN))]
    for variant, counted in (*counts.items(), ("together", every)):
        lines.append("  ".join((variant.ljust(wide), *(str(counted[kind]).rjust(len(kind)) for kind in ALWAYS_SHOWN))))
    lines += [f"  {kind}: {every[kind]}" for kind in sorted(every.keys() - set(ALWAYS_SHOWN))]
    return "\n".join(lines)
