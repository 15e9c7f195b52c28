"""The command line: each command lives in its own module and is imported only when it is called."""

import os
from importlib import import_module
from typing import Any

import click

from engine.errors import OxeyeError

# matrices here are small: threads would only wait for one another; numpy asks when it is first imported
os.environ.setdefault("OMP_NUM_THREADS", "1")

COMMANDS = {
    "amend": ("firmware.cli.amend", "correct moves of a game; all later ones are judged again"),
    "backup": ("firmware.cli.backup", "a copy of all games, kept with the last ones"),
    "doctor": ("firmware.cli.doctor", "what is well with the box, and what helps where it is not"),
    "log": ("firmware.cli.log", "what happened in one game, move by move"),
    "pair": ("firmware.cli.pair", "a code to pair a phone with the box that runs here"),
    "read": ("firmware.cli.read", "say what lies on the table in a photograph"),
    "config": ("firmware.cli.config", "the settings of the box: check, show, set"),
    "count": ("firmware.cli.count", "count cards and bull heads of a pile in a photograph"),
    "print": ("firmware.cli.print", "make stickers, markers, a mat or a deck as PDF"),
    "record": ("firmware.cli.record", "play at a table, and keep what was seen and pressed"),
    "replay": ("firmware.cli.replay", "what a recorded evening comes to now"),
    "run": ("firmware.cli.run", "play at a table, real or simulated"),
    "play": ("firmware.cli.play", "watch a whole simulated game in the terminal"),
    "scores": ("firmware.cli.scores", "the scores of all games"),
    "update": ("firmware.cli.update", "install a new version; the old one comes back if it does not run"),
}


class CommandGroup(click.Group):
    """Help names every command; only the one that is called is imported (cv2 alone costs 100 ms)."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(COMMANDS[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A box says that it starts before that takes its time; its screen is then the command's ``obj``."""
        from firmware.cli.paths import prepare_lgpio
        from firmware.cli.plugins import load_games

        prepare_lgpio()
        if args[0] == "run":
            from firmware.app.splash import show_splash

            ctx.obj = show_splash(args[1:])
        load_games()
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Every error that Oxeye raises on purpose becomes one sentence and exit code 1, never a traceback."""
        try:
            return super().invoke(ctx)
        except OxeyeError as why:
            from firmware.texts.format import format_error

            raise click.ClickException(format_error(why)) from why

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.command(cls=CommandGroup)
@click.version_option(package_name="oxeye")
def main() -> None:
    """Oxeye watches the table, knows the rules and keeps the score."""
