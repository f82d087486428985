"""The REST calls about jobs and their files."""

from __future__ import annotations

import mimetypes
from typing import Any

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import FileResponse

from gambol.service.api_models import ResumeBody
from gambol.service.motion_tasks import PICTURE
from gambol.service.project import RequestRefused
from gambol.service.routes import Json, studio_of

router = APIRouter(prefix="/jobs", tags=["jobs"])
MODEL_TYPES = {".glb": "model/gltf-binary", ".gltf": "model/gltf+json", ".bvh": "text/plain", ".usda": "text/plain"}
"""Media types that not every system knows."""
SHOWN_TYPES = (".png", ".mp4", ".gif", ".glb", ".json")
"""Files that a browser may show; all others are downloads, since a page among them would run as this server's."""


@router.get("")
async def list_jobs(request: Request, character: str | None = None, state: str | None = None) -> Json:
    """Jobs, the newest first."""
    return {"jobs": studio_of(request).jobs.chosen(character, state)}


@router.post("", status_code=201)
async def create_jobs(request: Request, body: dict[str, Any] = Body(...)) -> Json:  # noqa: B008 - FastAPI's way
    """Queue a job (`kind` animate, edit, track, export, film, compare, evaluate); variants are jobs of their own."""
    return {"jobs": await studio_of(request).jobs.create(body)}


@router.get("/{identity}")
async def get_job(request: Request, identity: str) -> Json:
    """A job: state, progress, command, result."""
    jobs = studio_of(request).jobs
    return jobs.present(jobs.find(identity))


@router.post("/{identity}/pause")
async def pause_job(request: Request, identity: str) -> Json:
    """End a job at its next step, to go on later."""
    return await studio_of(request).jobs.pause(identity)


@router.post("/{identity}/resume")
async def resume_job(request: Request, identity: str, body: ResumeBody | None = None) -> Json:
    """Go on with a job that was paused, cancelled or failed, from its last step that was saved."""
    return await studio_of(request).jobs.resume(identity, body.request if body is not None else None)


@router.post("/{identity}/cancel")
async def cancel_job(request: Request, identity: str) -> Json:
    """End a job; what it saved stays."""
    return await studio_of(request).jobs.cancel(identity)


@router.delete("/{identity}", status_code=204)
async def delete_job(request: Request, identity: str) -> Response:
    """End a job and remove its folder."""
    await studio_of(request).jobs.delete(identity)
    return Response(status_code=204)


@router.post("/{identity}/keep", status_code=202)
async def keep_result(request: Request, identity: str) -> Json:
    """Make a character of the result, whose clips can be edited, compared and exported."""
    studio = studio_of(request)
    return {"character": await studio.keep_result(studio.jobs.find(identity))}


@router.get("/{identity}/log")
async def get_log(request: Request, identity: str) -> Json:
    """The numbers of every optimiser step."""
    from gambol.app.run_folder import LOG, read_log

    studio = studio_of(request)
    studio.jobs.find(identity)
    return {"lines": read_log(studio.project.folder("jobs", identity) / "run" / LOG)}


@router.get("/{identity}/preview")
async def get_preview(request: Request, identity: str) -> Response:
    """The last moving preview, as a motion message."""
    motion = studio_of(request).jobs.preview(identity)
    if motion is None:
        raise RequestRefused("There is no preview yet.", 404)
    return Response(motion, media_type="application/octet-stream")


@router.get("/{identity}/picture.png")
async def get_picture(request: Request, identity: str) -> Response:
    """What the prior was shown last."""
    studio = studio_of(request)
    studio.jobs.find(identity)
    path = studio.project.folder("jobs", identity) / PICTURE
    if not path.is_file():
        raise RequestRefused("There is no picture yet.", 404)
    return FileResponse(path, media_type="image/png")


@router.get("/{identity}/files/{name}")
async def get_job_file(request: Request, identity: str, name: str, download: bool = False) -> Response:
    """A file of a job's result."""
    studio = studio_of(request)
    result = studio.jobs.find(identity)["result"] or {"files": []}
    if name not in [file["name"] for file in result["files"]]:
        raise RequestRefused(f"The job has no file '{name[:60]}'.", 404)
    path = studio.project.inside(studio.project.folder("jobs", identity) / "run", name)
    shown = not download and path.suffix.lower() in SHOWN_TYPES
    kind = MODEL_TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileResponse(path, media_type=kind, filename=None if shown else path.name)
