"""How the command line reports: console, progress and the description that `inspect` prints."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from gambol.progress import progress_bar as progress_bar

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table
    from rich.tree import Tree

    from gambol.files.describe_file import Description


UNLIMITED_WIDTH = 10_000
"""Width in which tables are laid out where the output is no terminal, characters."""


def console(*, stderr: bool = False) -> Any:
    """Return a rich console on stdout or stderr."""
    from rich.console import Console

    return Console(stderr=stderr)


def escape(text: str) -> str:
    """Return the text with rich's markup escaped."""
    from rich.markup import escape as rich_escape

    return rich_escape(text)


def say(text: str, *, stderr: bool = False) -> None:
    """Print a line of rich markup as it is: no colours of its own, no line breaks."""
    console(stderr=stderr).print(text, highlight=False, soft_wrap=True)


def print_phase(text: str) -> None:
    """Say on stderr what begins now."""
    say(f"[dim]{escape(text)}[/]", stderr=True)


def report_written(*paths: Path) -> None:
    """Print the files that were written."""
    for path in paths:
        say(f"[green]wrote[/] {escape(str(path))}")


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def print_table(table: Table) -> None:
    """Print a table; where the output is no terminal it is as wide as its columns need, and nothing is cut off."""
    out = console()
    if not out.is_terminal:
        out.width = max(out.width, out.measure(table, options=out.options.update(width=UNLIMITED_WIDTH)).maximum)
    out.print(table)


def print_description(d: Description) -> None:
    """Print what a file holds, as `gambol inspect` does."""
    from rich.table import Table

    out = console()
    looks = f"{d.materials} materials, {d.textures} textures"
    surface = f"{d.vertices} vertices, {d.triangles} triangles, {looks}, {d.influences:.1f} bones per vertex"
    out.print(f"[bold]{escape(d.file)}[/]  {surface}", highlight=False)
    units = f"({d.metres_per_unit:.4g} m per unit)"
    out.print(f"{d.height:.3g} m high, size {d.size:.3g} m {units}, faces {d.facing} in the file", highlight=False)
    if len(d.characters) > 1:
        out.print("\n[bold]Characters[/] (choose one with --character NAME)", highlight=False)
        for c in d.characters:
            facts = f"size {c.size:.3g} m, {c.joints} joints, {c.vertices} vertices"
            out.print(f"  · {escape(c.name)} [dim]{facts}[/]{' (shown here)' if c.loaded else ''}", highlight=False)
    if d.bones:
        out.print(
            f"\n[bold]Motion skeleton[/]: {len(d.bones)} bones of {d.joints} joints in {d.skins} skins; "
            "joint positions x,y,z in metres (+x ahead, +y up, -z left)",
            highlight=False,
            soft_wrap=True,
        )
        out.print(_bone_tree(d))
        for change in d.changes:
            out.print(f"  · {escape(change)}", highlight=False, soft_wrap=True)
    if d.clips:
        table = Table(
            "clip",
            "seconds",
            "keys",
            "channels",
            "travel m",
            "rise m",
            box=None,
            title="Clips",
            title_justify="left",
            title_style="bold",
        )
        for clip in d.clips:
            table.add_row(
                escape(clip.name),
                f"{clip.seconds:.2f}",
                str(clip.keys),
                str(clip.channels),
                f"{clip.travel:.2f}",
                f"{clip.rise:+.2f}",
            )
        out.print()
        out.print(table)
    if d.problems:
        out.print("\n[bold]Noticed[/]")
        for problem in d.problems:
            out.print(f"  · {escape(problem)}", highlight=False, soft_wrap=True)


def _bone_tree(d: Description) -> Tree:
    from rich.tree import Tree

    branches: dict[str, Tree] = {}
    for bone in d.bones:
        moved = bone.parent is not None and bone.file_parent != bone.parent
        note = f" [yellow](in the file under {escape(bone.file_parent or 'the top')})[/]" if moved else ""
        place = ",".join(f"{x:.3f}" for x in bone.position)
        facts = f"at {place}, {bone.length:.2f} m long, {bone.vertices} vertices"
        label = f"{escape(bone.name)} [dim]{facts}[/]{note}"
        branches[bone.name] = branches[bone.parent].add(label) if bone.parent else Tree(label)
    return branches[d.bones[0].name]
