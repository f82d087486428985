"""`gambol batch`: jobs from files and products, skipped, resumed, made anew; summary, gallery, storage elsewhere."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from batch_setup import all_results, ordered, record_of, settings_in, write_inputs
from headless_browser import browser_page, needs_browser

import gambol
from gambol.app import batch_needs
from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.batch import BatchReport, batch
from gambol.app.batch_folder import SUMMARY_COLUMNS, FileDigests, job_hash
from gambol.app.batch_jobs import make_jobs, parse_cell, parse_settings, product_rows, read_jobs
from gambol.app.batch_needs import EMBEDDED_MEMORY, JobNeeds, PriorKey, needs_of, prior_key
from gambol.app.batch_status import BatchStatus
from gambol.app.batch_worker import HeldPrior
from gambol.app.find_runs import find_runs
from gambol.cli.batch import parse_seconds
from gambol.cli.batch_display import PlainLines, status_line, status_table
from gambol.cli.main import main
from gambol.errors import AssetError, ConfigError, GambolError
from gambol.scale.shared_folder import DiskFolder, RemoteFolder, fetch_input, open_shared_folder, put_input
from gambol.view.gallery_page import GalleryJob, gallery_page


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"))


def run_batch(inputs, output, **options) -> BatchReport:
    given = {"characters": inputs / "column.glb", "prompts": inputs / "prompts.txt", "address": "here"}
    return batch(None, output, settings=settings_in(inputs), **{**given, **options})


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Workers compute on one thread, and sums on several threads are rounded otherwise."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def done(inputs, tmp_path_factory):
    """A finished batch of two jobs, made in this process."""
    output = tmp_path_factory.mktemp("done") / "out"
    report = run_batch(inputs, output)
    assert [record.status for record in report.records] == ["done", "done"]
    return output


WALK, JUMP = "column-it-walks-0", "column-it-jumps-0"


def test_every_job_is_a_run_folder_like_any_other(inputs, done, tmp_path):
    request = AnimateFileRequest(
        AnimateRequest("it walks", steps=20),
        inputs / "column.glb",
        prior=str(inputs / "tiny.safetensors"),
        outputs=AnimateOutputs(film=False),
    )
    animate_file(request, tmp_path / "out" / WALK)
    assert all_results(tmp_path / "out")[WALK] == all_results(done)[WALK]
    assert {run.name for run in find_runs(done)} == {WALK, JUMP}


def test_the_same_command_again_does_nothing_and_a_changed_one_only_what_changed(inputs, done, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in done.rglob("*") if path.is_file() and path.parent != done}
    report = run_batch(inputs, done)
    assert (report.status.skipped, report.status.done, report.status.failed) == (2, 0, 0)
    assert {p: p.stat().st_mtime_ns for p in done.rglob("*") if p.is_file() and p.parent != done} == before
    asked = [
        {"run": WALK, "file": str(inputs / "column.glb"), "prompt": "it walks", **settings_in(inputs)},
        {"run": JUMP, "file": str(inputs / "column.glb"), "prompt": "it runs", **settings_in(inputs)},
    ]
    output = tmp_path / "copy"
    subprocess.run(["cp", "-r", done, output], check=True)
    report = batch(asked, output, address="here")
    assert (report.status.skipped, report.status.done) == (1, 1)
    assert record_of(output, JUMP)["prompt"] == "it runs"
    assert json.loads((output / JUMP / "settings.json").read_text())["prompt"] == "it runs"
    assert all_results(output)[WALK] == all_results(done)[WALK]


def test_a_result_that_was_removed_is_made_again_to_the_same_bytes(inputs, done, tmp_path):
    output = tmp_path / "copy"
    subprocess.run(["cp", "-r", done, output], check=True)
    subprocess.run(["rm", "-r", output / WALK], check=True)
    report = run_batch(inputs, output)
    assert (report.status.skipped, report.status.done) == (1, 1)
    assert all_results(output) == all_results(done)


def test_a_run_that_is_not_the_batchs_is_not_overwritten(inputs, done, tmp_path):
    output = tmp_path / "out"
    output.mkdir()
    subprocess.run(["cp", "-r", done / JUMP, output / WALK], check=True)
    before = all_results(output)
    report = run_batch(inputs, output, prompts=["it walks"])
    assert "holds a run with other settings" in report.failed[0].error
    assert all_results(output) == before


def test_failures_are_reported_and_do_not_stop_the_others(inputs, tmp_path, capsys):
    (tmp_path / "broken.glb").write_bytes(b"glTF is not this")
    rows = [
        {"file": str(tmp_path / "broken.glb"), "prompt": "it walks"},
        {"file": str(inputs / "column.glb"), "prompt": "it jumps"},
        {"file": str(inputs / "column.glb"), "prompt": "it jumps", "lock": ["Tail"], "seed": 3},
    ]
    path = tmp_path / "jobs.jsonl"
    path.write_text("\n".join(json.dumps({**row, **settings_in(inputs)}) for row in rows))
    code = main(["batch", str(path), "-o", str(tmp_path / "out"), "--address", "here"])
    told = capsys.readouterr()
    assert code == 1
    assert "1 of 3 jobs done, 2 failed" in told.out
    assert "2 jobs failed; the same command tries them again" in told.err
    for words in ("broken-it-walks-0: ", "column-it-jumps-3: ", "Tail"):
        assert words in told.err
    table = list(csv.DictReader((tmp_path / "out" / "summary.csv").open()))
    assert tuple(table[0]) == SUMMARY_COLUMNS
    assert [row["status"] for row in table] == ["failed", "done", "failed"]
    assert all(row["error"] for row in table if row["status"] == "failed")
    assert not any(p.name.startswith("broken") for p in (tmp_path / "out").iterdir())
    report = batch(path, tmp_path / "out", address="here", max_failures=1)
    assert (report.status.skipped, report.status.failed, report.status.queued) == (1, 1, 1)
    assert report.status.stopped


def test_a_killed_driver_and_a_killed_worker_cost_only_time(inputs, done, tmp_path):
    """The whole command is killed while a job runs; the same command again resumes it to the same bytes."""
    output = tmp_path / "out"
    words = ["--prompts", inputs / "prompts.txt", "--workers", 1, "-o", output]
    given = [f"{name}={'no' if value is False else value}" for name, value in settings_in(inputs).items()]
    command = [sys.executable, "-m", "gambol.cli.main", "batch", "--characters", inputs / "column.glb", *words, "--set"]
    command = [*map(str, command), *given]
    driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: any(output.glob("*/checkpoints/*.safetensors")))
    finally:
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    report = run_batch(inputs, output)
    assert report.status.failed == 0
    assert all_results(output) == all_results(done)


def wait_until(condition, seconds=240.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.mark.parametrize("address", ["memory://batch-{}", "file://{}"])
def test_where_nodes_share_no_disk_files_go_through_fsspec(address, inputs, done, tmp_path):
    output = address.format(tmp_path / "elsewhere")
    report = run_batch(inputs, output)
    assert [record.status for record in report.records] == ["done", "done"]
    shared = open_shared_folder(output)
    assert isinstance(shared, RemoteFolder)
    assert shared.names() >= {WALK, JUMP, "jobs", "inputs", "summary.csv", "gallery.html"}
    expected = all_results(done)
    for run, files in expected.items():
        found = {name: ordered(name, shared.read(f"{run}/{name}")) for name in shared.below(run)}
        assert {name: data for name, data in found.items() if name != "timings.json"} == files
    assert run_batch(inputs, output).status.skipped == 2


def test_a_job_elsewhere_resumes_from_its_last_checkpoint(inputs, done, tmp_path, monkeypatch):
    """The worker's own disk is lost after a checkpoint was saved; what was not saved is made again."""
    from gambol.app import batch_worker

    saves = []
    monkeypatch.setattr(RemoteFolder.__init__, "__kwdefaults__", {"save_seconds": 0.0})
    real = RemoteFolder.write

    def write(self, name, data):
        real(self, name, data)
        saves.append(name)
        if "checkpoints" in name and len([n for n in saves if "checkpoints" in n]) == 1:
            raise GambolError("the node is gone")

    monkeypatch.setattr(RemoteFolder, "write", write)
    output = f"memory://resumes-{os.getpid()}-{tmp_path.name}"
    failed = run_batch(inputs, output, prompts=["it walks"])
    assert failed.failed[0].error == "the node is gone"
    log = []
    real_animate = batch_worker.WorkerJob._animate

    def animate(self, path, *args, **kwargs):
        log.append(sorted(p.name for p in path.rglob("*") if p.is_file()))
        return real_animate(self, path, *args, **kwargs)

    monkeypatch.setattr(batch_worker.WorkerJob, "_animate", animate)
    report = run_batch(inputs, output, prompts=["it walks"])
    assert report.records[0].status == "done"
    assert log == [["0.safetensors", "log.jsonl", "settings.json"]]
    shared = open_shared_folder(output)
    for name, data in all_results(done)[WALK].items():
        assert ordered(name, shared.read(f"{WALK}/{name}")) == data


def test_inputs_are_fetched_by_their_digest_and_checked(inputs, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "here"))
    shared = open_shared_folder(f"memory://inputs-{tmp_path.name}")
    digest = FileDigests()(inputs / "column.glb")
    put_input(shared, inputs / "column.glb", digest)
    fetched = fetch_input(shared, digest, "column.glb")
    assert fetched.read_bytes() == (inputs / "column.glb").read_bytes()
    fetched.write_bytes(b"something else")
    assert fetch_input(shared, digest, "column.glb").read_bytes() == (inputs / "column.glb").read_bytes()
    with pytest.raises(AssetError, match="missing or not what it was"):
        fetch_input(shared, "0" * 64, "column.glb")


def test_a_second_command_on_the_same_folder_is_refused(inputs, done):
    from gambol.app.run_folder import RunInUse, locked

    with locked(done / "lock"), pytest.raises(RunInUse, match="in use by another process"):
        run_batch(inputs, done)


def test_names_of_runs_are_stable_and_unique(inputs):
    rows = [
        {"file": "column.glb", "prompt": "it walks", "seed": 2},
        {"file": "column.glb", "prompt": "it walks", "seed": 2, "seconds": 2},
        {"file": "column.glb", "prompt": "it walks", "seed": 3},
        {"file": "column.glb", "prompt": "it walks: very, very slowly?", "run": "slow.1"},
        {"prompt": "a fox runs"},
    ]
    jobs = make_jobs(enumerate(rows), {"prior": str(inputs / "tiny.safetensors")}, folder=inputs)
    names = [job.run for job in jobs]
    assert names[2:] == ["column-it-walks-3", "slow.1", "creature-a-fox-runs-0"]
    assert all(name.startswith("column-it-walks-2-") for name in names[:2])
    assert len(set(names)) == 5
    assert [job.run for job in make_jobs(enumerate(rows[2:]), folder=inputs)] == names[2:]
    with pytest.raises(ConfigError, match="ask for the same thing"):
        make_jobs([("row 1", rows[0]), ("row 2", rows[0])], folder=inputs)
    with pytest.raises(ConfigError, match=r"row 1 and row 2 are both called X"):
        make_jobs([("row 1", {**rows[0], "run": "x"}), ("row 2", {**rows[2], "run": "X"})], folder=inputs)


def test_a_csv_and_a_jsonl_file_hold_the_same_jobs(inputs):
    (inputs / "jobs.csv").write_text(
        "\ufefffile,prompt,seed,seconds,loop,lock,style,size,travel,run\n"
        'column.glb,"it walks, slowly",3,2.5,yes,Root,tempo=0.8,,1.5,a\n'
        "column.glb,it jumps,,,,,,,,\n"
        ",a fox runs,,,no,,,,,c\n"
    )
    rows = [
        {"file": "column.glb", "prompt": "it walks, slowly", "seed": 3, "seconds": 2.5, "loop": True, "lock": ["Root"]}
        | {"style": {"tempo": 0.8}, "travel": 1.5, "run": "a"},
        {"file": "column.glb", "prompt": "it jumps"},
        {"prompt": "a fox runs", "loop": False, "run": "c"},
    ]
    (inputs / "jobs.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    from_csv, from_json = read_jobs(inputs / "jobs.csv"), read_jobs(inputs / "jobs.jsonl")
    assert from_csv == from_json
    assert from_csv[0].request.request == AnimateRequest(
        "it walks, slowly", seed=3, seconds=2.5, loop=True, lock=("Root",), style={"tempo": 0.8}, travel=1.5
    )
    assert from_csv[0].request.file == inputs / "column.glb"
    changed = read_jobs(inputs / "jobs.csv", {"seconds": 4.0, "film": False})
    assert [job.request.request.seconds for job in changed] == [2.5, 4.0, 4.0]
    assert not any(job.request.outputs.film for job in changed)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("seconds", "2.5", 2.5),
        ("seed", "7", 7),
        ("seed", "x", "x"),
        ("loop", "No", False),
        ("film", "true", True),
        ("size", "480x720", [480, 720]),
        ("lock", "Head Tail", ["Head", "Tail"]),
        ("exports", '["loop"]', ["loop"]),
        ("style", "tempo=0.8 head=-0.2", {"tempo": 0.8, "head": -0.2}),
        ("travel", "1.5", 1.5),
        ("travel", "0,0 2,0", "0,0 2,0"),
        ("segments", '[{"prompt": "a"}]', [{"prompt": "a"}]),
        ("prompt", "[it] walks", "[it] walks"),
        ("nothing", "text", "text"),
    ],
)
def test_cells_of_a_table_are_read_by_the_type_of_their_field(name, text, value):
    assert parse_cell(name, text) == value
    assert parse_settings([f"{name}={text}"]) == {name: value}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file,promt\ncolumn.glb,it walks\n", "jobs.csv, line 2: the request has a field 'promt'"),
        (
            "file,prompt\ncolumn.glb,it walks\nnone.glb,it walks\n",
            "1 of 2 jobs cannot be run.\njobs.csv, line 3: There is",
        ),
        ("file,prompt\ncolumn.glb,il marche\n", "jobs.csv, line 2: "),
        ("file,prompt,seed\ncolumn.glb,it walks,-1\n", "seed is -1; it takes a number from 0"),
        ("file,prompt,seed\ncolumn.glb,it walks,one\n", "seed is 'one'; it takes a whole number"),
        ("file,prompt\ncolumn.glb,it walks,3\n", "a field 'more cells than columns'"),
        ("file,prompt,prior\ncolumn.glb,it walks,wan\n", "There is no prior 'wan'"),
        ("file,prompt,run\ncolumn.glb,it walks,a/b\n", "run is 'a/b'; it takes a name of letters"),
        ("file,prompt,run\ncolumn.glb,it walks,jobs\n", "run is 'jobs'"),
        ("prompt,seed\n,1\n", "It has neither a file nor a prompt"),
        ("file,prompt\n", "There are no jobs"),
        ("", "jobs.csv is empty"),
    ],
)
def test_wrong_rows_are_all_told_before_anything_runs(text, message, inputs):
    path = inputs / "jobs.csv"
    path.write_text(text)
    with pytest.raises(GambolError) as told:
        read_jobs(path)
    assert message in str(told.value)


def test_many_wrong_rows_are_counted():
    with pytest.raises(ConfigError, match=r"25 of 25 jobs cannot be run(.|\n)*And 15 more"):
        make_jobs((f"row {i}", {"seed": -1}) for i in range(25))


def test_a_product_is_every_character_with_every_prompt_and_seed(inputs):
    rows = [row for _, row in product_rows([inputs], inputs / "prompts.txt", 2)]
    assert [(Path(r["file"]).name, r["prompt"], r["seed"]) for r in rows] == [
        ("column.glb", prompt, seed) for prompt in ("it walks", "it jumps") for seed in (0, 1)
    ]
    pattern = [str(inputs / "*.glb"), inputs / "column.glb"]
    assert len(list(product_rows(pattern, ["it walks"], 1))) == 1
    with pytest.raises(AssetError, match="names no character file"):
        list(product_rows([inputs / "*.fbx"], ["it walks"], 1))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["jobs.csv"], "There is no file jobs.csv|cannot be read"),
        ([], "either a file of jobs, or characters and prompts"),
        (["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--seeds", "0"], "seeds is 0"),
        (
            ["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--timeout", "soon"],
            "time limit is 'soon'",
        ),
        (["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--workers", "0"], "workers is 0"),
        (["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--address", "head"], "address is 'head'"),
        (
            ["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--memory-per-job", "a lot"],
            "'a lot' is no",
        ),
        (["--characters", "{inputs}", "--prompts", "{inputs}/prompts.txt", "--set", "film"], "'film' is no setting"),
    ],
)
def test_bad_arguments_get_a_sentence_and_exit_code_2(words, message, inputs, tmp_path, capsys):
    code = main(["batch", *(word.format(inputs=inputs) for word in words), "-o", str(tmp_path / "out")])
    told = capsys.readouterr()
    assert code == 2
    assert any(part in told.err.replace("\n", " ") for part in message.split("|"))
    assert "Traceback" not in told.err


def test_everything_that_decides_the_result_changes_the_hash(inputs, tmp_path):
    digest, file = FileDigests(), inputs / "column.glb"
    base = AnimateFileRequest(AnimateRequest("it walks"), file, prior=str(inputs / "tiny.safetensors"))
    moved = tmp_path / "column.glb"
    moved.write_bytes(file.read_bytes())
    (tmp_path / "other.glb").write_bytes(file.read_bytes() + b" ")
    weights = tmp_path / "tiny.safetensors"
    weights.write_bytes((inputs / "tiny.safetensors").read_bytes())
    from dataclasses import replace

    assert job_hash(replace(base, file=moved, prior=str(weights)), digest) == job_hash(base, FileDigests())
    changed = [
        replace(base, request=AnimateRequest("it runs")),
        replace(base, request=AnimateRequest("it walks", seconds=2)),
        replace(base, file=tmp_path / "other.glb"),
        replace(base, file=None),
        replace(base, prior="embedded"),
        replace(base, character="Column"),
        replace(base, scale=2.0),
        replace(base, outputs=AnimateOutputs(fbx=True)),
    ]
    assert len({job_hash(request, digest) for request in [base, *changed]}) == len(changed) + 1


def test_a_worker_loads_a_prior_once_and_holds_one_at_a_time():
    class Source:
        loaded = 0

        def load(self, options):
            self.loaded += 1
            return object()

    def key(name):
        return prior_key(AnimateFileRequest(prior=name))

    held, source = HeldPrior(), Source()
    first = [held.prior(key("embedded"), source, None, 0.0) for _ in range(3)]
    assert len(set(map(id, first))) == 1
    held.prior(key("wan2.1-1.3b"), source, None, 1.0)
    held.prior(key("embedded"), source, None, 0.0)
    assert source.loaded == 3


def test_needs_follow_the_prior_and_the_users_word(monkeypatch):
    embedded, large = prior_key(AnimateFileRequest()), prior_key(AnimateFileRequest(prior="wan2.1-1.3b"))
    needs, _ = needs_of(embedded, JobNeeds())
    assert (needs.cpus, needs.threads, needs.gpus, needs.memory) == (1.0, 1, 0.0, EMBEDDED_MEMORY)
    needs, _ = needs_of(embedded, JobNeeds(cpus=2, memory=10**9))
    assert (needs.threads, needs.memory, needs.memory_limit) == (2, 10**9, 10**9)
    monkeypatch.setattr(batch_needs, "estimated_memory", lambda key, *, on_cpu: 50 if on_cpu else 7)
    assert needs_of(large, JobNeeds())[0].gpus == 1.0
    assert needs_of(large, JobNeeds(gpus=0.5))[0].memory == 7
    assert needs_of(large, JobNeeds(gpus=0))[0].memory == 50

    def unknown(key, *, on_cpu):
        raise GambolError("no idea")

    monkeypatch.setattr(batch_needs, "estimated_memory", unknown)
    needs, note = needs_of(large, JobNeeds())
    assert needs.memory == 0
    assert "no idea" in note


def test_the_memory_of_a_large_model_is_the_doctors_estimate():
    pytest.importorskip("diffusers")
    from tiny_video_models import saved

    from gambol.app.doctor import check_prior

    folder = saved("cogvideox-2b")[1]
    frames, size = 9, (64, 64)
    key = PriorKey(str(folder), frames, size, None, None, "none", None)
    step = check_prior(folder, frames=frames, size="64x64", memory="80GB").estimate
    weights = sum(step.denoisers) + step.autoencoder
    assert batch_needs.estimated_memory(key, on_cpu=False) == weights + batch_needs.LOADER_MEMORY
    assert batch_needs.estimated_memory(key, on_cpu=True) > weights + batch_needs.LOADER_MEMORY


def test_status_counts_speed_and_time_left():
    status = BatchStatus(20, skipped=4, running=2, done=5, failed=1, seconds=120.0)
    assert status.queued == 8
    assert status.jobs_per_hour == pytest.approx(180.0)
    assert status.seconds_left == pytest.approx(9 * 20.0)
    assert status_line(status) == "8 queued, 2 running, 9 done, 1 failed, 180 jobs/hour, about 3:00 left"
    assert status_line(BatchStatus(3)) == "3 queued, 0 running, 0 done, 0 failed"
    assert "more nodes" in status_line(BatchStatus(3, waiting_for="more nodes"))
    from rich.console import Console

    console = Console(width=80, file=io.StringIO())
    console.print(status_table(BatchStatus(3, running=1, last="a is done")))
    assert "a is done" in console.file.getvalue()


def test_plain_lines_are_rare(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("gambol.cli.batch_display.time.monotonic", lambda: now[0])
    lines = PlainLines()
    for second in range(12):
        now[0] = float(second)
        lines.report(BatchStatus(100, running=1, done=second, seconds=float(second)))
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7200)])
def test_times_have_units(text, seconds):
    assert parse_seconds(text) == seconds


def test_python_has_the_same_door(inputs, done):
    asked = [AnimateFileRequest(AnimateRequest("it walks"), inputs / "column.glb")]
    assert gambol.batch is batch
    report = run_batch(inputs, done)
    assert report.status.skipped == 2
    assert [job.run for job in make_jobs([("a", asked[0])])] == [WALK]


def test_disk_folders_write_all_or_nothing(tmp_path):
    folder = DiskFolder(tmp_path)
    folder.write("a/b.txt", b"one")
    before = folder.state("a")
    assert folder.read("a/b.txt") == b"one"
    assert folder.read("a/c.txt") is None
    assert folder.names("a") == {"b.txt"}
    folder.write("a/b.txt", b"three")
    assert folder.state("a") != before
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a", "b.txt"]


def shown(run, status, character, prompt, motion="", error="", report="", notes=(), **numbers):
    return GalleryJob(run, status, character, prompt, 0, "embedded", motion, "", report, error, notes, numbers)


JOBS = [
    shown(
        "a", "done", "fox.glb", "a fox <b>runs</b>", "run", report="a/report.html", notes=("Note",), sure=0.9, speed=2
    ),
    shown("b", "failed", "wolf.glb", "a wolf walks", error="It was ended."),
    shown("c", "done", "wolf.glb", "a wolf runs", "walk", sure=0.2),
    shown("d", "queued", "wolf.glb", "a wolf jumps"),
]


@needs_browser
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_gallery_filters_orders_and_fits_a_phone(size, tmp_path):
    path = tmp_path / "gallery.html"
    path.write_text(gallery_page(JOBS, live=False))
    titles = "[...document.querySelectorAll('article h2')].map(e => e.textContent)"
    with browser_page(size=size) as browser:
        assert browser.open(path) == "ready"
        assert browser.run(titles) == [job.prompt for job in JOBS]
        assert browser.run("document.getElementById('counts').textContent") == "4 jobs: 2 done, 1 queued, 1 failed"
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        browser.page.select_option("#status", "failed")
        assert browser.run(titles) == ["a wolf walks"]
        assert "It was ended." in browser.run("document.querySelector('article').textContent")
        browser.page.select_option("#status", "")
        browser.page.select_option("#order", "sure")
        assert browser.run(titles)[:2] == ["a wolf runs", "a fox <b>runs</b>"]
        browser.page.fill("#text", "fox note")
        assert browser.run(titles) == ["a fox <b>runs</b>"]
        browser.page.fill("#text", "nothing of the kind")
        assert not browser.run("document.getElementById('none').hidden")
        assert "text=nothing" in browser.run("location.hash")
        browser.check_quiet()
