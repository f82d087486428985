"""The server: who may talk to it, jobs that survive it, pages that are connected."""

import hashlib
import json
import shlex
import subprocess
import sys
from contextlib import ExitStack

import numpy as np
import pytest
from service_server import REQUEST, RunningServer, ServiceError, digest, messages, of_type

from gambol.creatures.catalogue import make_creature
from gambol.errors import ConfigError, GambolError
from gambol.files.asset import export_scene
from gambol.service.motion_message import read_motion_message
from gambol.service.project import Project, RequestRefused, locked_project
from gambol.service.request_guard import Guard
from gambol.service.server import ServerSettings

MAX_UPLOAD = 2_000_000


@pytest.fixture(scope="module")
def fox_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("fox") / "fox.glb"
    return export_scene(make_creature("fox", 3, vertices=400).scene, (), path)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = RunningServer(tmp_path_factory.mktemp("server") / "project", "--max-upload-mb", str(MAX_UPLOAD / 1e6))
    yield running
    running.close()


@pytest.fixture(scope="module")
def fox(server, fox_file):
    return server.client.open(fox_file)


@pytest.fixture(scope="module")
def undisturbed(server, fox):
    """A motion that nothing interrupted, with everything that a page was told of it."""
    with server.socket() as page:
        messages(page, of_type("hello"))
        job = server.client.animate(fox["id"], **REQUEST)
        told = messages(page, lambda m: isinstance(m, dict) and m.get("job", {}) and m["type"] == "job"
                        and m["job"]["state"] in ("done", "failed"))  # fmt: skip
    return server.client.wait(job["id"]), told


def test_a_wrong_token_a_foreign_origin_and_a_foreign_host_are_refused(server):
    status, told = server.raw("GET", "/api/v1/jobs", Authorization="Bearer wrong")
    assert (status, told["error"][:24]) == (401, "The token is missing or ")
    assert server.raw("GET", "/api/v1/jobs", Authorization="")[0] == 401
    assert server.raw("GET", "/?token=wrong", Authorization="")[0] == 401
    for origin in ("https://evil.example", "null", f"http://evil.example:{server.address.split(':')[1]}"):
        status, told = server.raw("GET", "/api/v1/jobs", Origin=origin)
        assert (status, "may not use this server" in told["error"]) == (403, True)
    for host in ("evil.example", "evil.example:80", "127.0.0.1:1", ""):
        assert server.raw("GET", "/api/v1/jobs", Host=host or "[")[0] == 403
    assert server.raw("GET", "/api/v1/jobs", Origin=f"http://{server.address}")[0] == 200
    assert server.raw("GET", f"/api/v1/jobs?token={server.client.token}", Authorization="")[0] == 200
    for options in ({"token": "wrong"}, {"origin": "https://evil.example"}):
        with pytest.raises(Exception, match=r"HTTP 40[13]"), server.socket(**options):
            pass


def test_other_machines_need_a_token_and_names_are_refused():
    with pytest.raises(ConfigError, match="--token"):
        ServerSettings(host="0.0.0.0")
    with pytest.raises(ConfigError, match="16 letters"):
        ServerSettings(host="0.0.0.0", token="short")
    open_to_all = Guard("x" * 16, "0.0.0.0", 8421, 1000)
    assert open_to_all.accepts_host("192.168.1.7:8421")
    assert not open_to_all.accepts_host("rebound.example:8421")
    assert not Guard("x" * 16, "127.0.0.1", 8421, 1000).accepts_host("192.168.1.7:8421")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/characters/../../etc/passwd",
        "/api/v1/characters/..%2F..%2Fetc/model.glb",
        "/api/v1/jobs/job-00000000-000000-00000000/files/..%2Fjob.json",
        "/api/v1/jobs/..%2F..%2Fserver.json/files/x",
        "/assets/..%2Fplayer%2Fplayer.js",
        "/assets/../player/player.js",
    ],
)
def test_no_path_leads_out_of_the_project(server, path):
    status, told = server.raw("GET", path)
    assert status == 404
    assert told["error"].endswith(".")


@pytest.mark.parametrize(
    "name", ["../fox.glb", "a/../../fox.glb", "/etc/fox.glb", ".hidden.glb", "c:fox.glb", "a\\b.glb"]
)
def test_uploads_have_plain_names(server, name):
    with pytest.raises(ServiceError, match="cannot be used as a file's name") as caught:
        server.client.call("POST", f"/characters?name={name}", data=b"x")
    assert caught.value.status == 400


def test_a_request_names_no_file_outside_the_project(server, fox):
    key = {"kind": "pose", "time": 0.5, "pose": "/etc/secret.glb"}
    for request in ({**REQUEST, "constraints": [key]}, {**REQUEST, "video": "../film.mp4"}):
        with pytest.raises(ServiceError, match="no file of the project"):
            server.client.animate(fox["id"], **request)
    with pytest.raises(ServiceError, match="takes the name of a prior"):
        server.client.create(
            {"kind": "animate", "character": fox["id"], "request": REQUEST, "prior": "../w.safetensors"}
        )


def test_large_and_empty_uploads_are_refused_and_leave_nothing(server):
    before = sorted(p.name for p in (server.project / "characters").iterdir())
    too_long = str(MAX_UPLOAD + 1)  # what is announced is enough to be refused, before it is sent
    status, told = server.raw("POST", "/api/v1/characters?name=big.glb", Content_Length=too_long)
    assert (status, told["error"]) == (413, "The body is larger than 2 MB, the most that is accepted here.")

    def chunks():
        for _ in range(40):
            yield b"\0" * 100_000

    try:
        status, _ = server.raw("POST", "/api/v1/characters?name=big.glb", chunks(), Transfer_Encoding="chunked")
        assert status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # the server closed the connection before everything was sent
    assert server.raw("POST", "/api/v1/characters?name=empty.glb", b"")[0] == 400
    assert server.raw("POST", "/api/v1/characters?name=virus.exe", b"x")[0] == 400
    assert sorted(p.name for p in (server.project / "characters").iterdir()) == before


def test_a_broken_file_is_refused_with_a_sentence_and_the_server_lives(server, fox_file):
    path = fox_file.with_name("broken.glb")
    path.write_bytes(fox_file.read_bytes()[:5000])
    with pytest.raises(ServiceError, match=r"broken\.glb .*\.$"):
        server.client.open(path)
    assert server.client.server()["api"] == 1
    failed = next(c for c in server.client.characters() if c["name"] == "broken.glb")
    with pytest.raises(ServiceError, match="not ready") as caught:
        server.client.animate(failed["id"], "a fox walks")
    assert caught.value.status == 409


def test_an_opened_character_is_what_the_player_shows(server, fox, fox_file):
    assert fox["state"] == "ready"
    assert not fox["rigged"]
    assert {bone["part"] for bone in fox["anatomy"]["bones"]} >= {"leg", "tail", "head", "torso"}
    facts = json.loads(server.client.read_file(fox["facts"]))
    assert [bone["name"] for bone in facts["bones"]] == [bone["name"] for bone in fox["summary"]["bones"]]
    assert server.client.read_file(fox["model"]) == fox_file.read_bytes()


def test_requests_are_refused_by_the_field_that_is_wrong(server, fox):
    for request, field, text in (
        ({"prompt": "a fox walks", "seconds": -1}, "seconds", "seconds is -1"),
        ({"prompt": "ein Fuchs geht"}, None, "English"),
        ({"prompt": "a fox walks", "constraints": [{"kind": "pin"}]}, "constraints[0].joint", "missing"),
        ({"prompt": "a fox walks", "velocity": 3}, None, "velocity"),
    ):
        with pytest.raises(ServiceError, match=text) as caught:
            server.client.animate(fox["id"], **request)
        assert caught.value.status == 400
        assert field in (None, caught.value.field)
    with pytest.raises(ServiceError, match="no field of animate"):
        server.client.create({"kind": "animate", "character": fox["id"], "request": {}, "sead": 1})
    with pytest.raises(ServiceError, match="variants"):
        server.client.create({"kind": "animate", "character": fox["id"], "request": REQUEST, "variants": 9})


def test_a_job_shows_the_character_moving_and_ends_with_badges(undisturbed, fox):
    job, told = undisturbed
    motions = [read_motion_message(m) for m in told if isinstance(m, bytes)]
    assert motions
    header, rows = motions[-1]
    assert (header["kind"], header["job"]) == ("preview", job["id"])
    moved = [r for (_, path), r in zip(header["channels"], rows, strict=True) if path == "rotation"]
    assert {len(r) for r in moved} == {header["frames"]}
    assert np.allclose([np.linalg.norm(r, axis=1) for r in moved], 1.0, atol=1e-5)
    assert max(np.ptp(r, axis=0).max() for r in moved) > 1e-3
    steps = [m["done"] for m in told if isinstance(m, dict) and m["type"] == "progress"]
    assert steps == sorted(steps)
    losses = [m for m in told if isinstance(m, dict) and m["type"] == "losses"]
    assert {"prior", "motion"} <= set(losses[0]["losses"])
    assert {badge["name"] for badge in job["result"]["badges"]} >= {"match", "penetration"}
    assert job["result"]["seconds"] == pytest.approx(1.5, abs=0.1)


def test_a_job_gives_the_bytes_of_the_command_line(server, undisturbed, tmp_path):
    job, _ = undisturbed
    command = shlex.split(job["command"])
    assert command[:2] == ["gambol", "animate"]
    run = [sys.executable, "-m", "gambol.cli.main", *command[1:-1], str(tmp_path / "run")]
    subprocess.run(run, cwd=server.project, check=True, capture_output=True)
    written = hashlib.sha256((tmp_path / "run" / "fox.glb").read_bytes()).hexdigest()
    assert written == digest(job)
    assert written == hashlib.sha256(server.client.read_file(job["result"]["model"])).hexdigest()


def test_a_job_that_is_paused_and_resumed_gives_the_same_bytes(server, fox, undisturbed):
    with server.socket() as page:
        job = server.client.animate(fox["id"], **REQUEST)
        messages(page, lambda m: isinstance(m, bytes))
        paused = server.client.pause(job["id"])
    assert paused["state"] == "paused"
    with pytest.raises(ServiceError, match="cannot be paused"):
        server.client.pause(job["id"])
    done = len(server.client.call("GET", f"/jobs/{job['id']}/log")["lines"])
    assert 0 < done < REQUEST["steps"]
    server.client.resume(job["id"])
    finished = server.client.wait(job["id"])
    assert any(note.startswith(f"Resumed after step {done} of") for note in finished["notes"])
    assert digest(finished) == digest(undisturbed[0])


def test_a_server_that_is_killed_in_the_middle_goes_on_to_the_same_bytes(server, fox, undisturbed):
    with server.socket() as page:
        job = server.client.animate(fox["id"], **REQUEST)
        waiting = server.client.animate(fox["id"], **{**REQUEST, "steps": 1})
        messages(page, lambda m: of_type("progress", job=job["id"])(m) and m["done"] >= 10)
        server.kill()
    server.restart()
    finished = server.client.wait(job["id"])
    assert any(note.startswith("Resumed after step") for note in finished["notes"])
    assert digest(finished) == digest(undisturbed[0])
    assert server.client.wait(waiting["id"])["state"] == "done"


def test_jobs_are_cancelled_and_deleted_and_hold_their_character(server, fox):
    first = server.client.animate(fox["id"], **REQUEST)
    second = server.client.animate(fox["id"], **REQUEST)
    with pytest.raises(ServiceError, match="still needs") as caught:
        server.client.call("DELETE", f"/characters/{fox['id']}")
    assert caught.value.status == 409
    assert server.client.cancel(second["id"])["state"] == "cancelled"
    assert server.client.cancel(first["id"])["state"] == "cancelled"
    with pytest.raises(ServiceError, match="cancelled already"):
        server.client.cancel(first["id"])
    for job in (first, second):
        server.client.delete(job["id"])
        assert not (server.project / "jobs" / job["id"]).exists()
    with pytest.raises(ServiceError, match="no job") as caught:
        server.client.job(first["id"])
    assert caught.value.status == 404


def test_variants_are_jobs_with_seeds_of_their_own(server, fox):
    body = {"kind": "animate", "character": fox["id"], "request": {**REQUEST, "steps": 1}, "variants": 3}
    jobs = server.client.create(body)
    assert [(job["variant"], job["seed"], job["request"]["seed"]) for job in jobs] == [(0, 5, 5), (1, 6, 6), (2, 7, 7)]
    assert len({job["group"] for job in jobs}) == 1
    for job in jobs:
        server.client.delete(job["id"])


def test_fifty_pages_hold_and_each_hears_of_every_change(server):
    with ExitStack() as stack:
        pages = [stack.enter_context(server.socket()) for _ in range(50)]
        assert all(messages(page, of_type("hello")) for page in pages)
        revision = server.client.call("PUT", "/document", {"document": {"a": 1}})["revision"]
        for page in pages:
            assert messages(page, of_type("document"))[-1]["revision"] == revision
            page.send(json.dumps({"type": "ping"}))
            assert messages(page, of_type("pong"))
        pages[0].send("not json")
        assert "no message" in messages(pages[0], of_type("error"))[-1]["error"]


def test_two_tabs_do_not_overwrite_each_other(server):
    first = server.client.call("GET", "/document")
    saved = server.client.call("PUT", "/document", {"document": {"b": [1, 2]}, "revision": first["revision"]})
    with pytest.raises(ServiceError, match="Another tab") as caught:
        server.client.call("PUT", "/document", {"document": {}, "revision": first["revision"]})
    assert caught.value.status == 409
    assert server.client.call("GET", "/document") == {"document": {"b": [1, 2]}, "revision": saved["revision"]}


def test_prompts_and_paths_are_explained_while_they_are_typed_and_drawn(server, fox):
    read = server.client.read_prompt("a fox walks slowly, then jumps")
    assert [(s["motion"], s["added"]) for s in read["segments"]] == [("walk", False), ("jump", False)]
    assert read["segments"][0]["style"]["tempo"] < 0
    assert server.client.read_prompt("ein Hund rennt schnell")["error"].endswith(".")
    body = {"points": [[0, 0], [2, 0], [4, 0]], "seconds": 2.0, "character": fox["id"]}
    path = server.client.call("POST", "/path", body)
    assert path["length"] == pytest.approx(4.0)
    assert path["mean_speed"] == pytest.approx(2.0)
    assert np.allclose(np.array(path["samples"])[:, 3:], [0.0, 2.0], atol=1e-3)
    turned = server.client.call("POST", "/path", {"points": [[0, 0], [0, -3]], "seconds": 3.0})
    assert turned["samples"][10][3] == pytest.approx(np.pi / 2, abs=1e-4)


def test_the_calls_are_listed_offline(server):
    listed = server.client.call("GET", "/openapi.json")["paths"]
    page = server.client.read_file("/api/v1/docs").decode()
    assert {"/api/v1/jobs", "/api/v1/characters", "/api/v1/prompt"} <= set(listed)
    assert all(path in page for path in listed)
    assert "http://" not in page
    assert "<script" not in page


def test_a_project_has_one_server_and_is_no_folder_of_other_things(server, tmp_path):
    with pytest.raises(GambolError, match="Another server already works on"), locked_project(Project(server.project)):
        pass
    (tmp_path / "thesis.doc").write_text("x")
    with pytest.raises(GambolError, match="holds other things"):
        Project(tmp_path).open()
    with pytest.raises(RequestRefused, match="no id"):
        Project(tmp_path).folder("jobs", "../x")
