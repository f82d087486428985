"""The REST calls of the server: characters, poses, sentences, paths, the document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from gambol.files.formats import READABLE
from gambol.service import api_models as models
from gambol.service.project import RequestRefused, new_id
from gambol.service.studio import POSE_SECONDS, Studio

router = APIRouter()
Json = dict[str, Any]
"""A JSON object."""


def studio_of(request: Request) -> Studio:
    """The studio that a request is for."""
    return request.app.state.studio


@router.get("/server", tags=["server"])
async def server_facts(request: Request) -> Json:
    """Version, limits, formats, installed extras, the motions and style axes of the prior, the schema of requests."""
    return await studio_of(request).facts()


@router.get("/document", tags=["server"])
async def read_document(request: Request) -> Json:
    """The page's document and its revision."""
    return studio_of(request).read_document()


@router.put("/document", tags=["server"])
async def write_document(request: Request, body: models.DocumentBody) -> Json:
    """Store the page's document; 409 where another tab stored one since `revision`."""
    return {"revision": studio_of(request).write_document(body.document, body.revision)}


@router.post("/prompt", tags=["making motion"])
async def read_prompt(request: Request, body: models.PromptBody) -> Json:
    """How a sentence is understood: motion, style, used and unknown words, and the actions of a sequence."""
    prompts = [body.prompt] if body.segments is None else [str(one.get("prompt", "")) for one in body.segments]
    return await studio_of(request).ask("prompt", {"prompts": prompts})


@router.post("/path", tags=["making motion"])
async def measure_path(request: Request, body: models.PathBody) -> Json:
    """Speed and heading along a path, on the curve that the constraint `path` is met with."""
    studio, params = studio_of(request), body.model_dump(exclude={"character"})
    if body.character is not None:
        params["size"] = studio.characters.ready(body.character)["summary"]["size"]
    return await studio.ask("path", params)


@router.get("/characters", tags=["characters"])
async def list_characters(request: Request) -> Json:
    """All characters of the project, the newest first."""
    return {"characters": studio_of(request).characters.all()}


@router.post("/characters", status_code=202, tags=["characters"])
async def upload_character(
    request: Request,
    name: str,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    template: str | None = None,
) -> Json:
    """Upload a character of one file: its bytes are the body. It is opened in a worker; watch its `state`."""
    studio = studio_of(request)
    if Path(name).suffix.lower() not in READABLE:
        raise RequestRefused(f"{name[:60]} is no file that Gambol reads; there are {', '.join(READABLE)}.", 400, "name")
    identity, target = studio.characters.new_folder(name)
    try:
        await receive_file(request, target)
        settings = {"scale": scale, "facing": facing, "character": character, "template": template}
        return await studio.characters.add(identity, Path(name).name, target, settings)
    except BaseException:
        studio.project.remove("characters", identity)
        raise


@router.post("/uploads", status_code=201, tags=["characters"])
async def new_upload(request: Request) -> Json:
    """Begin an upload of several files, such as a .gltf with its .bin and textures."""
    return {"id": studio_of(request).new_upload()}


@router.put("/uploads/{upload}/{name:path}", status_code=201, tags=["characters"])
async def upload_file(request: Request, upload: str, name: str) -> Json:
    """Send one file of an upload: its bytes are the body."""
    studio = studio_of(request)
    folder = studio.project.folder("uploads", upload)
    if not folder.is_dir():
        raise RequestRefused(f"There is no upload {upload}.", 404)
    present = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    if present >= studio.max_upload_bytes:
        raise RequestRefused(f"The upload is larger than {studio.max_upload_bytes / 1e6:.4g} MB.", 413)
    return {"name": name, "bytes": await receive_file(request, studio.project.inside(folder, name))}


@router.post("/characters/uploaded", status_code=202, tags=["characters"])
async def open_upload(request: Request, body: models.UploadedBody) -> Json:
    """Make a character of the files of an upload."""
    return await studio_of(request).open_upload(body.upload, body.name, body.settings)


@router.post("/characters/creature", status_code=202, tags=["characters"])
async def make_creature(request: Request, body: models.CreatureBody) -> Json:
    """Make a built-in creature from a sentence."""
    return await studio_of(request).make_creature(body.sentence, body.seed)


@router.get("/characters/{identity}", tags=["characters"])
async def get_character(request: Request, identity: str) -> Json:
    """A character: its state, what the file holds, its anatomy, its clips."""
    characters = studio_of(request).characters
    return characters.present(characters.find(identity))


@router.patch("/characters/{identity}", status_code=202, tags=["characters"])
async def change_character(request: Request, identity: str, body: models.SettingsBody) -> Json:
    """Change how a character is read: scale, facing, anatomy. It is opened again."""
    return await studio_of(request).characters.change(identity, body.model_dump(exclude_unset=True))


@router.post("/characters/{identity}/rig", status_code=202, tags=["characters"])
async def rig_character(request: Request, identity: str, body: models.RigBody) -> Json:
    """Make a new skeleton and weights for a character's mesh."""
    rig = body.model_dump(exclude={"template"})
    return await studio_of(request).characters.change(identity, {"template": body.template}, rig)


@router.delete("/characters/{identity}", status_code=204, tags=["characters"])
async def delete_character(request: Request, identity: str) -> Response:
    """Remove a character and its files; 409 while a job needs it."""
    studio = studio_of(request)
    studio.characters.find(identity)
    if studio.jobs.uses(identity):
        raise RequestRefused("A job still needs this character; wait for it, or cancel it.", 409)
    await studio.characters.remove(identity)
    return Response(status_code=204)


@router.get("/characters/{identity}/facts.json", tags=["characters"])
async def get_facts(request: Request, identity: str) -> Response:
    """What the player needs besides the model."""
    return character_file(request, identity, "facts.json")


@router.get("/characters/{identity}/model.glb", tags=["characters"])
async def get_model(request: Request, identity: str) -> Response:
    """The character as a .glb that browsers read."""
    return character_file(request, identity, "model.glb")


@router.get("/characters/{identity}/file", tags=["characters"])
async def get_file(request: Request, identity: str) -> Response:
    """The file that jobs use."""
    studio = studio_of(request)
    path = studio.project.path / studio.characters.ready(identity)["file"]
    return FileResponse(path, filename=path.name)


@router.post("/characters/{identity}/poses/sample", tags=["poses"])
async def sample_poses(request: Request, identity: str, body: models.SampleBody) -> Json:
    """Plausible poses for a gallery."""
    studio = studio_of(request)
    return await studio.ask("pose-sample", studio.pose_params(identity, **body.model_dump()), seconds=POSE_SECONDS)


@router.post("/characters/{identity}/poses/solve", tags=["poses"])
async def solve_pose(request: Request, identity: str, body: models.SolveBody) -> Json:
    """Pull joints to places; the rest of the body follows plausibly."""
    studio = studio_of(request)
    return await studio.ask("pose-solve", studio.pose_params(identity, **body.model_dump()), seconds=POSE_SECONDS)


@router.get("/characters/{identity}/poses", tags=["poses"])
async def list_poses(request: Request, identity: str) -> Json:
    """The poses that were kept."""
    studio = studio_of(request)
    studio.characters.find(identity)
    folder = studio.project.folder("characters", identity) / "poses"
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        kept = json.loads(path.read_text(encoding="utf-8"))
        reference = studio.project.relative(path.with_suffix(".glb"))
        found.append({"id": path.stem, "name": kept["name"], "reference": reference, "pose": kept["pose"]})
    return {"poses": found}


@router.post("/characters/{identity}/poses", status_code=201, tags=["poses"])
async def keep_pose(request: Request, identity: str, body: models.KeepPoseBody) -> Json:
    """Keep a pose as a file; `reference` is what a pose constraint of a request names."""
    studio, pose = studio_of(request), new_id("pose")
    target = studio.project.folder("characters", identity) / "poses" / f"{pose}.glb"
    params = studio.pose_params(identity, target=studio.project.relative(target), **body.model_dump())
    return {"id": pose, **(await studio.ask("pose-keep", params, seconds=POSE_SECONDS))}


@router.delete("/characters/{identity}/poses/{pose}", status_code=204, tags=["poses"])
async def delete_pose(request: Request, identity: str, pose: str) -> Response:
    """Remove a pose."""
    studio = studio_of(request)
    studio.characters.find(identity)
    studio.project.folder("poses", pose)  # checks the id
    path = studio.project.folder("characters", identity) / "poses" / f"{pose}.glb"
    if not path.exists():
        raise RequestRefused(f"There is no pose {pose}.", 404)
    path.unlink()
    path.with_suffix(".json").unlink(missing_ok=True)
    return Response(status_code=204)


def character_file(request: Request, identity: str, name: str) -> Response:
    """A file that was made when a character was opened."""
    studio = studio_of(request)
    studio.characters.find(identity)
    path = studio.project.folder("characters", identity) / name
    if not path.is_file():
        raise RequestRefused("The character is not open yet.", 404)
    return FileResponse(path)


async def receive_file(request: Request, target: Path) -> int:
    """Write the body of a request to a file; nothing stays where it fails."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary, count = target.with_name(f".{target.name}.part"), 0
    try:
        with temporary.open("wb") as file:
            async for chunk in request.stream():
                count += file.write(chunk)
        if not count:
            raise RequestRefused("The body is empty; send the bytes of the file.", 400)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return count


async def refusal(request: Request, error: Exception) -> JSONResponse:
    """A refused request as JSON."""
    assert isinstance(error, RequestRefused)
    return JSONResponse({"error": str(error), "field": error.field}, error.status)
