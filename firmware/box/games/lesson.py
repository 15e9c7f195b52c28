"""What a first game explains at one prompt: why it is asked for, the ruling, and the rule in lines of a screen."""

from dataclasses import dataclass

from engine.text import Text


@dataclass(frozen=True, slots=True)
class Lesson:
    why: Text
    ruling: str
    rule: tuple[Text, ...]
