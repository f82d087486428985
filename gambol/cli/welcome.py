"""What `gambol` says without arguments: three commands to try, and where to read on."""

from __future__ import annotations

from gambol.cli.console import say

WELCOME = """\
[bold]Gambol[/] {version}: gives any rigged 3D character motion from a sentence.

Three commands to try:

  [bold]gambol animate "a fox is walking" -o fox --open[/]
      makes a fox, its motion, a film and a page; --open shows the page
  [bold]gambol animate hero.glb "she waves hello" -o wave[/]
      gives your own character one more clip (.glb, .fbx, .blend, or a bare mesh)
  [bold]gambol doctor[/]
      says what this machine can run, and what is missing

gambol --help lists all verbs, gambol VERB --help the options of one."""
"""The text, in rich's markup."""


def print_welcome() -> None:
    """Print the welcome."""
    from gambol import __version__

    say(WELCOME.format(version=__version__))
