"""Texts as values: an id and its arguments, rendered by each screen in its own language."""

from dataclasses import dataclass

Arg = int | str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """``Text("belongs_in_row", (("card", 44), ("row", 3)))``. Players and rows are numbers, named by the screen."""

    id: str
    args: tuple[tuple[str, Arg], ...] = ()

    def __str__(self) -> str:
        words = (f"{name}={','.join(map(str, v)) if isinstance(v, tuple) else v}" for name, v in self.args)
        return " ".join((self.id, *words))

    def get(self, name: str) -> Arg | None:
        return dict(self.args).get(name)


def say(id: str, **args: Arg) -> Text:
    return Text(id, tuple(args.items()))
