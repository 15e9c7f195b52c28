"""The command line ``oxeye``: one module for each command, imported only when it is called."""

import os
from importlib import import_module
from typing import Any

import click

from engine.errors import OxeyeError

# the matrices here are small: threads would only wait for each other; numpy reads this when it is first imported
os.environ.setdefault("OMP_NUM_THREADS", "1")

COMMANDS = {
    "amend": ("firmware.cli.amend", "Correct moves of a recorded game; later moves are judged again."),
    "backup": ("firmware.cli.backup", "Copy the journal with all games."),
    "doctor": ("firmware.cli.doctor", "Check the whole box and say how to fix each problem."),
    "log": ("firmware.cli.log", "List the moves of one game with their source and time."),
    "pair": ("firmware.cli.pair", "Show a code that pairs a phone with the box that runs here."),
    "read": ("firmware.cli.read", "Read cards and tiles from a photo of the table."),
    "config": ("firmware.cli.config", "Check, show or change the settings of the box."),
    "count": ("firmware.cli.count", "Count the cards and bull heads of a pile from a photo."),
    "print": ("firmware.cli.print", "Make stickers, markers, a mat or a deck as PDF."),
    "record": ("firmware.cli.record", "Play at a table and record pictures and button presses."),
    "replay": ("firmware.cli.replay", "Run a recording again and show its moves and scores."),
    "restore": ("firmware.cli.restore", "Bring back lost games from a copy of the journal."),
    "run": ("firmware.cli.run", "Play at a table, real or simulated."),
    "play": ("firmware.cli.play", "Watch a whole simulated match in the terminal."),
    "scores": ("firmware.cli.scores", "Print the scores of all games."),
    "update": ("firmware.cli.update", "Install a new version, with automatic return to the old one."),
}


class CommandGroup(click.Group):
    """Lists every command in the help and imports only the one that is called: cv2 alone takes 100 ms."""

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
        """Show the splash screen of ``oxeye run`` before the slow imports; the opened panel becomes ``ctx.obj``."""
        from firmware.cli.installed_games import load_games
        from firmware.cli.lgpio_workaround import prepare_lgpio

        prepare_lgpio()
        if args[0] == "run":
            from firmware.app.splash_screen import show_splash

            ctx.obj = show_splash(args[1:])
        load_games()
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Every error that Oxeye raises on purpose becomes one sentence and exit code 1, never a traceback."""
        try:
            return super().invoke(ctx)
        except OxeyeError as why:
            from firmware.texts.names_times_errors import format_error

            raise click.ClickException(format_error(why)) from why

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.command(cls=CommandGroup)
@click.version_option(package_name="oxeye")
def main() -> None:
    """Oxeye watches the table, knows the rules and keeps the score."""
