"""Gambol's tools for agents over the Model Context Protocol: thin calls of the server, so that jobs are durable.

A tool that takes long starts a job and waits a while; the job's id stays good, also in a later session.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from gambol import __version__
from gambol.client import Client, Json, ServiceError

WAIT_SECONDS = 45.0
"""How long a tool waits for its job; agents' programs give up on tools after a minute or two."""
INSTRUCTIONS = (
    "Gambol gives rigged 3D characters motion from a sentence. Open a character (a file, or a built-in creature from a"
    " sentence), animate it, look at the result with render_picture, and export it. Long work is a job: tools return"
    " its id and state, wait_for_job waits on, and a job survives this session. Lengths are metres; x is ahead, y up,"
    " z right."
)
"""What an agent is told first."""
Seconds = Annotated[float, Field(ge=0.0, le=600.0, description="How long to wait for the job, seconds.")]
"""How long a tool waits."""
CharacterId = Annotated[str, Field(description="Id of a character, from open_character or list_characters.")]
"""A character."""
Source = Annotated[str, Field(description="Id of a job (its motion) or of a character (its file).")]
"""Where a motion is from."""


def serve_tools(project: Path) -> None:
    """Serve tools on standard input and output until the agent goes; the project's server is found or started."""
    with Client.start(project, timeout=300.0) as client:
        make_tools(client, project).run("stdio")


def make_tools(client: Client, project: Path) -> MCPServer[Any]:
    """The tools for a server's client."""
    server: MCPServer[Any] = MCPServer("gambol", version=__version__, instructions=INSTRUCTIONS)
    for tool in (*character_tools(client), *motion_tools(client), *output_tools(client, project)):
        server.tool()(with_sentences(tool))
    return server


def with_sentences(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with the server's sentence as its error, which an agent can act on."""

    @wraps(tool)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except ServiceError as error:
            raise ToolError(str(error)) from error

    return call


def character_tools(client: Client) -> tuple[Callable[..., Any], ...]:
    """Tools about characters and poses."""

    def open_character(
        file: Annotated[str, Field(description="Path of a .glb, .gltf, .vrm, .fbx, .bvh or mesh file.")] = "",
        creature: Annotated[str, Field(description="Instead of a file: a creature to make, as 'a small fox'.")] = "",
        facing: Annotated[str | None, Field(description="Axis it looks along (+x, -x, +z, -z), if known.")] = None,
    ) -> Json:
        """Open a character and describe it: bones, limbs, clips, size, problems. A bare mesh gets a skeleton."""
        if bool(file) == bool(creature):
            raise ServiceError("Give either file or creature.")
        settings: Json = {"facing": facing} if facing else {}
        opened = client.make_creature(creature) if creature else client.open(file, **settings)
        return described(opened)

    def list_characters() -> list[Json]:
        """The characters of the project, the newest first."""
        return [{key: c[key] for key in ("id", "name", "state", "error")} for c in client.characters()]

    def inspect_character(character: CharacterId) -> Json:
        """What a character's file holds: bones with joints and lengths, limbs, clips, units, problems."""
        return described(client.character(character), bones=True)

    def rig_character(
        character: CharacterId,
        template: Annotated[str, Field(description="auto, biped, quadruped, bird, ...")] = "auto",
        symmetric: bool = False,
    ) -> Json:
        """Make a new skeleton and skin weights for a character's mesh."""
        return described(client.rig(character, template=template, symmetric=symmetric))

    def correct_character(
        character: CharacterId,
        facing: str | None = None,
        parts: Annotated[
            dict[str, str] | None, Field(description="Body parts by bone: leg, arm, wing, tail, neck, head, torso.")
        ] = None,
    ) -> Json:
        """Correct which way a character looks, or what its limbs are."""
        settings: Json = {**({"facing": facing} if facing else {}), **({"anatomy": parts} if parts else {})}
        return described(client.change_character(character, **settings))

    def pose_character(
        character: CharacterId,
        handles: Annotated[dict[str, list[float]], Field(description="Places (x, y, z) in metres by joint name.")],
        start: Annotated[str, Field(description="rest, sample:SEED or CLIP:FRAME.")] = "rest",
        name: str = "pose",
    ) -> Json:
        """Pull joints to places; the rest follows plausibly. `reference` can be a key of animate's constraints."""
        found = client.solve_pose(character, handles, start=start)
        kept = client.keep_pose(character, {"parameters": found["pose"]["parameters"]}, name=name)
        return {"distances": found["distances"], "reached": found["reached"], "reference": kept["reference"]}

    return open_character, list_characters, inspect_character, rig_character, correct_character, pose_character


def motion_tools(client: Client) -> tuple[Callable[..., Any], ...]:
    """Tools that make motion, and those about jobs."""

    def understand(prompt: str) -> Json:
        """How a sentence is understood: motions, style, words that are used and ignored. Costs nothing."""
        return client.read_prompt(prompt)

    def animate(
        character: CharacterId,
        prompt: Annotated[str, Field(description="Plain English, such as 'a fox walks slowly, then jumps'.")],
        seconds: Annotated[float | None, Field(description="Length; by default the motion's own.")] = None,
        loop: Annotated[bool, Field(description="Make a seamless cycle.")] = False,
        seed: Annotated[int, Field(ge=0, description="Another seed gives another motion.")] = 0,
        style: Annotated[dict[str, float] | None, Field(description="Numbers by axis, such as tempo 0.8.")] = None,
        constraints: Annotated[
            list[Json] | None, Field(description="pin, pose, path, speed, look_at, hold, freeze; docs/control.md.")
        ] = None,
        steps: Annotated[int | None, Field(description="Optimiser steps; fewer are quicker and rougher.")] = None,
        wait_seconds: Seconds = WAIT_SECONDS,
    ) -> Json:
        """Give a character motion from a sentence. Returns the job, with quality badges once it is done."""
        given: Json = {"seconds": seconds, "loop": loop or None, "seed": seed or None, "style": style, "steps": steps}
        request: Json = {
            name: value for name, value in {**given, "constraints": constraints}.items() if value is not None
        }
        return waited(client, client.animate(character, prompt, **request)["id"], wait_seconds)

    def edit(source: Source, constraints: list[Json], clip: str | None = None, wait_seconds: Seconds = 45.0) -> Json:
        """Change a finished clip where constraints demand it, and nothing else."""
        options = {"clip": clip} if clip else {}
        return waited(client, client.edit(source_of(source), constraints, **options)["id"], wait_seconds)

    def track(
        source: Source, clip: str | None = None, iterations: int = 200, wait_seconds: Seconds = WAIT_SECONDS
    ) -> Json:
        """Find the nearest motion that physics allows; takes minutes, writes a .glb, MJCF (.xml) and arrays."""
        options: Json = {"iterations": iterations, **({"clip": clip} if clip else {})}
        return waited(client, client.track(source_of(source), **options)["id"], wait_seconds)

    def evaluate(source: Source, clip: str | None = None, prompt: str | None = None) -> Json:
        """Measure clips: what motion they show, skate, penetration, self-intersection, jerk, strides."""
        options = {name: value for name, value in {"clip": clip, "prompt": prompt}.items() if value}
        done = client.wait(client.evaluate(source_of(source), **options)["id"], timeout=300)
        return done["result"]["evaluation"]

    def list_jobs(state: Annotated[str | None, Field(description="queued, running, paused, done, ...")] = None) -> Any:
        """Jobs of the project, the newest first."""
        return [told(job) for job in client.jobs(**({"state": state} if state else {}))]

    def wait_for_job(job: str, wait_seconds: Seconds = WAIT_SECONDS) -> Json:
        """Wait for a job, and return its state, progress and result."""
        return waited(client, job, wait_seconds)

    def stop_job(job: str) -> Json:
        """Cancel a job; resume_job goes on with it from its last step."""
        return told(client.cancel(job))

    def resume_job(job: str, wait_seconds: Seconds = WAIT_SECONDS) -> Json:
        """Go on with a job that was cancelled, paused or failed."""
        client.resume(job)
        return waited(client, job, wait_seconds)

    return understand, animate, edit, track, evaluate, list_jobs, wait_for_job, stop_job, resume_job


def output_tools(client: Client, project: Path) -> tuple[Callable[..., Any], ...]:
    """Tools that give files and pictures."""

    def render_picture(
        source: Source,
        clip: Annotated[str | None, Field(description="Name of the clip; a job's own by default.")] = None,
        views: Annotated[list[str] | None, Field(description="side, three-quarter, front, top.")] = None,
        moments: Annotated[int, Field(ge=1, le=12, description="Number of moments of the clip.")] = 6,
        width: Annotated[int, Field(ge=64, le=512, description="Width of one picture, pixels.")] = 192,
    ) -> Image:
        """Look at a character or a motion: a sheet with one column for each moment and one row for each view."""
        options: Json = {"format": "png", "columns": moments, "width": width, "height": width, "clip": clip}
        options = {**options, "views": views or ["three-quarter", "side"]}
        drawn = client.film(source_of(source), **{k: v for k, v in options.items() if v is not None})
        done = client.wait(drawn["id"], timeout=300)
        picture = client.read_file(done["result"]["files"][0]["url"])
        client.delete(drawn["id"])
        return Image(data=picture, format="png")

    def export(
        source: Source,
        format: Annotated[str, Field(description="glb, gltf, fbx, bvh, usda, usdc or usdz.")] = "glb",
        clip: str | None = None,
    ) -> Json:
        """Write a motion as a file; returns the paths of what was written, and the command that does the same."""
        done = client.wait(
            client.export(source_of(source), format, **({"clip": clip} if clip else {}))["id"], timeout=300
        )
        folder = project.resolve() / "jobs" / done["id"] / "run"
        files = [str(folder / file["name"]) for file in done["result"]["files"]]
        return {"files": files, "command": done["command"], "notes": done["notes"]}

    return render_picture, export


def source_of(identity: str) -> Json:
    """A job or a character by its id."""
    return {"job": identity} if identity.startswith("job-") else {"character": identity}


def described(character: Json, *, bones: bool = False) -> Json:
    """A character in the few words that an agent needs."""
    summary, anatomy = character["summary"] or {}, character["anatomy"] or {}
    short = {
        key: summary.get(key) for key in ("size", "height", "facing", "facing_confidence", "triangles", "problems")
    }
    limbs = [{"part": limb["part"], "side": limb["side"], "bones": limb["bones"]} for limb in anatomy.get("limbs", [])]
    told_of = {"id": character["id"], "name": character["name"], "state": character["state"], **short}
    told_of |= {"clips": [clip["name"] for clip in character["clips"]], "limbs": limbs, "notes": character["notes"]}
    if bones:
        told_of["bones"] = summary.get("bones")
    return told_of


def told(job: Json) -> Json:
    """A job in the few words that an agent needs."""
    keys = ("id", "kind", "title", "state", "progress", "error", "notes", "command")
    short = {key: job[key] for key in keys if job[key] not in (None, [])}
    result = job["result"] or {}
    if result:
        short["result"] = {key: result[key] for key in ("clip", "seconds", "badges") if result.get(key)}
        short["result"]["files"] = [file["name"] for file in result.get("files", [])]
    return short


def waited(client: Client, job: str, seconds: float) -> Json:
    """A job after it was waited for, done or not."""
    until = time.monotonic() + seconds
    for _ in client.follow(job):
        if time.monotonic() > until:
            break
    return told(client.job(job))
