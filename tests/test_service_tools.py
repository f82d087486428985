"""What programs do with the server: poses dragged by hand, corrections, exports, pictures; and an agent's tools."""

import asyncio
import base64
import json
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from service_server import REQUEST, RunningServer, ServiceError, digest, messages, of_type

from gambol.app.convert import convert_file
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.files.asset import export_clips, export_scene, load
from gambol.service.motion_message import read_motion_message


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = RunningServer(tmp_path_factory.mktemp("tools") / "project")
    yield running
    running.close()


@pytest.fixture(scope="module")
def fox(server, tmp_path_factory):
    folder, creature = tmp_path_factory.mktemp("fox"), make_creature("fox", 3, vertices=400)
    asset = load(export_scene(creature.scene, (), folder / "plain.glb"))
    walk = make_motion(asset.character, creature.anatomy(asset.character), "walk", seconds=1.0)
    return server.client.open(export_clips(asset, (walk,), folder / "fox.glb"))


def foot_of(fox, side="left"):
    return next(limb["contact"] for limb in fox["anatomy"]["limbs"] if limb["part"] == "leg" and limb["side"] == side)


def test_a_paw_is_dragged_while_another_is_pinned_and_the_pose_becomes_a_key(server, fox):
    moving, pinned = foot_of(fox), foot_of(fox, "right")
    place = next(bone["position"] for bone in fox["summary"]["bones"] if bone["name"] == moving)
    size = fox["summary"]["size"]
    with server.socket() as page:
        messages(page, of_type("hello"))
        start = {"type": "pose-start", "session": "a", "character": fox["id"], "start": "rest", "pins": {pinned: True}}
        page.send(json.dumps(start))
        told = messages(page, lambda m: isinstance(m, bytes))
        assert next(m for m in told if of_type("pose", kind="start")(m))["pins"].keys() == {pinned}
        for sequence in range(1, 21):
            target = [place[0] + 0.004 * sequence * size, place[1] + 0.004 * sequence * size, place[2]]
            move = {"type": "pose-move", "session": "a", "sequence": sequence, "handle": moving, "target": target}
            page.send(json.dumps(move))
        seen = messages(page, lambda m: isinstance(m, bytes) and read_motion_message(m)[0]["sequence"] == 20)
        header, rows = read_motion_message([m for m in seen if isinstance(m, bytes)][-1])
        assert (header["kind"], header["session"], header["frames"]) == ("drag", "a", 1)
        assert max(header["distances"].values()) < 0.01 * size
        assert np.isfinite(np.concatenate([row.ravel() for row in rows])).all()
        page.send(json.dumps({"type": "pose-release", "session": "a", "sequence": 21}))
        released = messages(page, of_type("pose", kind="released"))[-1]
        assert released["reached"]
        page.send(json.dumps({"type": "pose-move", "session": "b", "handle": moving, "target": target}))
        assert "has ended" in messages(page, of_type("pose-error"))[-1]["error"]
    kept = server.client.keep_pose(fox["id"], released["pose"], name="paw up")
    key = {"kind": "pose", "time": 0.5, "pose": kept["reference"]}
    job = server.client.animate(fox["id"], **{**REQUEST, "steps": 1, "constraints": [key]})
    done = server.client.wait(job["id"])
    reported = done["result"]["metrics"]["constraints"][0]
    assert (reported["name"], reported["met"]) == (f"pose {kept['reference']} at 0.5 s", True)
    assert "--request" in done["command"]
    listed = server.client.call("GET", f"/characters/{fox['id']}/poses")["poses"]
    assert [(p["name"], p["reference"]) for p in listed] == [("paw up", kept["reference"])]
    server.client.call("DELETE", f"/characters/{fox['id']}/poses/{kept['id']}")


def test_poses_are_sampled_and_solved(server, fox):
    poses = server.client.sample_poses(fox["id"], 2, seed=1)
    assert poses == server.client.sample_poses(fox["id"], 2, seed=1)
    assert np.allclose([np.linalg.norm(row[4:8]) for row in poses[0]["nodes"]], 1.0, atol=1e-4)
    name = foot_of(fox)
    place = next(bone["position"] for bone in fox["summary"]["bones"] if bone["name"] == name)
    solved = server.client.solve_pose(fox["id"], {name: [place[0], place[1] + 0.05, place[2]]})
    assert solved["reached"]
    with pytest.raises(ServiceError, match="rows of 3 numbers"):
        server.client.keep_pose(fox["id"], {"parameters": [[1, 2, 3]]})


def test_a_correction_travels_with_the_file_and_can_be_taken_back(server, fox):
    limb = next(one for one in fox["anatomy"]["limbs"] if one["part"] == "leg" and one["pair"] == 0)
    first = limb["bones"][0]
    changed = server.client.change_character(fox["id"], anatomy={first: "arm"})
    assert changed["revision"] == fox["revision"] + 1
    assert [one["part"] for one in changed["anatomy"]["limbs"] if first in one["bones"]] == ["arm"]
    parts = {bone["name"]: bone["part"] for bone in changed["anatomy"]["bones"]}
    assert {parts[bone] for bone in limb["bones"]} == {"arm"}
    back = server.client.change_character(fox["id"], anatomy={first: None})
    assert back["anatomy"] == fox["anatomy"]
    with pytest.raises(ServiceError, match="cannot be 'nose'"):
        server.client.change_character(fox["id"], anatomy={first: "nose"})
    with pytest.raises(ServiceError, match="no bone"):
        server.client.change_character(fox["id"], anatomy={"Nobody": "leg"})


@pytest.mark.parametrize("kind", ["bvh", "usda", "fbx", "glb"])
def test_exports_have_the_bytes_of_the_command_line(server, fox, kind, tmp_path, monkeypatch):
    options = {"clip": "walk"} if kind == "bvh" else {}
    done = server.client.wait(server.client.export({"character": fox["id"]}, kind, **options)["id"])
    command = shlex.split(done["command"])
    monkeypatch.chdir(server.project)
    if kind == "glb":
        assert command[0] == "cp"
        assert server.client.read_file(done["result"]["model"]) == (server.project / command[1]).read_bytes()
        return
    assert command[:2] == ["gambol", "convert"]
    given = dict(zip(command[5::2], command[6::2], strict=True)) if len(command) > 5 else {}
    target = tmp_path / command[4].rsplit("/", 1)[1]
    facing = given.get("--facing")
    convert_file(command[2], target, clip=given.get("--clip"), facing=facing)
    assert server.client.download(done, tmp_path / "got", target.name)[0].read_bytes() == target.read_bytes()
    assert digest(done, f".{kind}")


def test_clips_are_measured_compared_and_drawn(server, fox):
    source = {"character": fox["id"]}
    found = server.client.wait(server.client.evaluate(source, clip="walk")["id"])["result"]["evaluation"]
    assert found["clips"][0]["clip"] == "walk"
    body = {"kind": "compare", "source": source, "clip": "walk", "other": {**source, "clip": "walk"}}
    same = server.client.wait(server.client.create(body)[0]["id"])["result"]
    assert (same["offset_seconds"], same["distance"]) == (0.0, 0.0)
    drawn = server.client.film(source, clip="walk", format="png", width=64, height=64, columns=2, views=["side"])
    picture = server.client.wait(drawn["id"])["result"]["files"][0]
    assert server.client.read_file(picture["url"])[:8] == b"\x89PNG\r\n\x1a\n"
    with pytest.raises(ServiceError, match="format is 'exe'"):
        server.client.export(source, "exe")


def test_an_agent_animates_a_character_and_looks_at_it(server, fox):
    from mcp import ClientSession, StdioServerParameters, stdio_client

    async def talk():
        command = ["-m", "gambol.cli.main", "mcp", "--project", str(server.project)]
        async with (
            stdio_client(StdioServerParameters(command=sys.executable, args=command)) as streams,
            ClientSession(*streams) as session,
        ):
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            asked = {"character": fox["id"], "prompt": "a fox is walking", "steps": 1, "wait_seconds": 120}
            made = await session.call_tool("animate", asked)
            job = json.loads(made.content[0].text)
            seen = await session.call_tool("render_picture", {"source": job["id"], "width": 64, "moments": 2})
            wrong = await session.call_tool("animate", {"character": fox["id"], "prompt": "ein Fuchs geht"})
            inspected = await session.call_tool("inspect_character", {"character": fox["id"]})
        return tools, job, seen, wrong, json.loads(inspected.content[0].text)

    # in a thread of its own: a browser's loop may run in this one
    tools, job, seen, wrong, inspected = ThreadPoolExecutor(1).submit(asyncio.run, talk()).result()
    assert {"inspect_character", "animate", "pose_character", "rig_character", "track", "evaluate"} <= tools
    assert {"render_picture", "wait_for_job", "export", "open_character"} <= tools
    assert job["state"] == "done"
    assert {badge["name"] for badge in job["result"]["badges"]} >= {"match"}
    assert base64.b64decode(seen.content[0].data)[:8] == b"\x89PNG\r\n\x1a\n"
    assert "English" in wrong.content[0].text
    assert [bone["name"] for bone in inspected["bones"]] == [bone["name"] for bone in fox["summary"]["bones"]]
    assert server.client.job(job["id"])["state"] == "done"
