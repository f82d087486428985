"""The JSON of requests, for the checks of the server and its OpenAPI page."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class JsonBody(BaseModel):
    """A request; fields that are not named are refused."""

    model_config = ConfigDict(extra="forbid")


class CreatureBody(JsonBody):
    """A built-in creature to make."""

    sentence: str = Field(min_length=1, max_length=2000, description="What to make, such as 'a small fox'.")
    seed: int = Field(0, ge=0, le=2**31 - 1, description="Seed of the individual.")


class UploadedBody(JsonBody):
    """A character of several uploaded files."""

    upload: str = Field(description="Id of the upload.")
    name: str | None = Field(None, description="The file that is read; by default the first that can be.")
    settings: dict[str, Any] = Field({}, description="scale, facing, character, anatomy, template.")


class SettingsBody(JsonBody):
    """Settings of a character that change; fields that are left out stay."""

    scale: float | None = Field(None, description="Metres per file unit; null finds it out.")
    facing: str | None = Field(None, description="The file's axis that it looks along (+x, -x, +z, -z).")
    character: str | None = Field(None, description="Which of several characters in the file.")
    template: str | None = Field(None, description="Kind of skeleton for a bare mesh.")
    anatomy: dict[str, str | None] | None = Field(
        None, description="Body parts of bones: leg, arm, wing, tail, neck, head, torso; null takes one back."
    )


class RigBody(JsonBody):
    """How a mesh is rigged again; fields are the options of `gambol rig`."""

    template: str = Field("auto", description="Kind of skeleton.")
    naming: str = Field("gambol", description="Naming convention of the bones.")
    symmetric: bool = Field(False, description="Make left and right weights mirror images.")
    smooth: float = Field(0.0, ge=0.0, le=1.0, description="Distance over which weights are smoothed, sizes.")
    rigid_parts: bool = Field(False, description="Bind each loose part to one bone.")


class PromptBody(JsonBody):
    """Sentences to be understood."""

    prompt: str = Field("", max_length=4000, description="A sentence.")
    segments: list[dict[str, Any]] | None = Field(None, max_length=20, description="Segments with a prompt each.")
    character: str | None = Field(None, description="The character that moves; not used yet.")


class PathBody(JsonBody):
    """A path that was drawn on the ground."""

    points: list[list[float]] = Field(description="Points (x ahead, z to the right), metres.", max_length=2000)
    seconds: float = Field(description="Time for the whole path, seconds.")
    times: list[float] | None = Field(None, description="When each point is reached, seconds.")
    headings: list[float] | None = Field(None, description="Heading at each point, radians to the left.")
    character: str | None = Field(None, description="Whose size speeds are compared with.")


class DocumentBody(JsonBody):
    """The page's document."""

    document: Any = Field(description="Whatever the page wants to find again.")
    revision: int | None = Field(None, description="The revision that it was made from; null overwrites.")


class ResumeBody(JsonBody):
    """How a job goes on."""

    request: dict[str, Any] | None = Field(None, description="The request of a paused motion with other constraints.")


class SampleBody(JsonBody):
    """Poses for a gallery."""

    count: int = Field(8, description="Number of poses, 1 to 64.")
    seed: int = Field(0, ge=0, description="Seed of the draw.")


class SolveBody(JsonBody):
    """Handles to be reached."""

    handles: dict[str, list[float]] = Field(description="Targets in metres by joint; NAME:end is the far end.")
    start: Any = Field("rest", description="The pose to start from.")


class KeepPoseBody(JsonBody):
    """A pose to keep."""

    name: str = Field("pose", min_length=1, max_length=80, description="Its name.")
    pose: Any = Field(description="A pose: parameters, rest, sample:SEED, CLIP:FRAME, or a job with a time.")
