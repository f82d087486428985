"""A real Ray cluster of two nodes: worker, node and driver are killed, and every job is done once, to the byte."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial

import pytest
import scale_calls as calls
import torch
from batch_setup import all_results, record_of, settings_in, write_inputs

from gambol.app.batch import batch
from gambol.errors import ConfigError
from gambol.scale.choose_executor import open_executor
from gambol.scale.executor import Needs
from gambol.scale.schedule import Policy, Task, TaskGroup, run_tasks

ray = pytest.importorskip("ray")
os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "120")
STORE = 80 * 2**20
STEPS = 60
PROMPTS, SEEDS = ("it walks", "it jumps", "it runs"), 4
PATIENCE = 400.0


def start_cluster():
    """Two nodes of one core; on a machine that is busy with other tests Ray needs more than one attempt."""
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000}
    shared = {"num_cpus": 1, "object_store_memory": STORE}
    for attempt in range(3):
        cluster = Cluster()
        try:
            cluster.add_node(**shared, include_dashboard=False, _system_config=quick)
            second = cluster.add_node(**shared)
            cluster.wait_for_nodes(timeout=120)
        except Exception:
            cluster.shutdown()
            if attempt == 2:
                raise
        else:
            return cluster, second
    raise AssertionError


@pytest.fixture(scope="module")
def cluster():
    cluster, second = start_cluster()
    try:
        yield cluster, second
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.slow
def test_poison_is_reported_and_the_others_are_done_on_ray_too(cluster):
    poison = {"die": calls.die, "hang": calls.hang, "fill": calls.fill_memory}
    tasks = [Task(f"square {i}", partial(calls.square, i)) for i in range(4)]
    tasks[2:2] = [Task(name, call) for name, call in poison.items()]
    tasks += [Task("refuse", partial(calls.refuse, "take less")), Task("threads", calls.threads)]
    needs = Needs(memory=10**8, memory_limit=6 * 10**8)
    found = {}
    with open_executor(cluster[0].address) as executor:
        assert "no node has that much" in executor.shortage(Needs(gpus=1))
        for event in run_tasks(executor, [TaskGroup("mixed", tasks, needs)], Policy(timeout=20.0, attempts=2)):
            if event.kind in ("done", "failed"):
                assert event.task not in found
                found[event.task] = event
    assert [found[f"square {i}"].value for i in range(4)] == [0, 1, 4, 9]
    assert found["threads"].value == "1"
    why = {name: event.why for name, event in found.items() if event.kind == "failed"}
    assert set(why) == {*poison, "refuse"}
    assert "Its worker was lost 2 times" in why["die"]
    assert "Ray says" in why["die"]
    assert why["hang"] == "It was ended after 20 s, its time limit."
    assert "its limit is 0.60 GB" in why["fill"]
    assert why["refuse"] == "take less"


class DoneRecords(threading.Thread):
    """Watches the records of a batch, and remembers every different one that says done."""

    def __init__(self, output):
        super().__init__(daemon=True)
        self.output, self.ended, self.seen = output, threading.Event(), {}

    def run(self):
        while not self.ended.wait(0.02):
            self.look()

    def look(self):
        for path in self.output.glob("jobs/*.json"):
            with suppress(OSError, ValueError):
                record = record_of(self.output, path.stem)
                if record["status"] == "done":
                    self.seen.setdefault(path.stem, set()).add((record["place"], record["seconds"]))


def running_workers(output):
    """Processes of jobs that run, by their run."""
    found = {}
    for path in output.glob("jobs/*.json"):
        with suppress(OSError, ValueError):
            record = record_of(output, path.stem)
            if record["status"] == "running":
                found[path.stem] = int(record["place"].rpartition(":")[2])
    return found


def wait_until(condition, driver=None):
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert driver is None or driver.poll() is None, "the command has ended"
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
    return found


def begun(output, done):
    """A worker whose job has a checkpoint, once so many jobs are done."""

    def look():
        if len([1 for path in output.glob("*/metrics.json")]) < done:
            return None
        for run, pid in running_workers(output).items():
            if any((output / run / "checkpoints").glob("*.safetensors")) and alive(pid):
                return pid
        return None

    return look


def alive(pid):
    with suppress(OSError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.slow
def test_kills_of_a_worker_a_node_and_the_driver_cost_only_time(cluster, tmp_path):
    cluster, second = cluster
    torch.set_num_threads(1)  # as workers do: sums on several threads are rounded otherwise
    inputs, output = write_inputs(tmp_path / "inputs"), tmp_path / "out"
    settings = settings_in(inputs, steps=STEPS)
    given = {"characters": str(inputs / "column.glb"), "prompts": PROMPTS, "seeds": SEEDS, "settings": settings}
    expected = batch(None, tmp_path / "alone", address="here", **given)
    assert expected.status.done == 12

    (inputs / "prompts.txt").write_text("\n".join(PROMPTS))
    words = ["--characters", given["characters"], "--prompts", str(inputs / "prompts.txt"), "--seeds", str(SEEDS)]
    words += ["--set", *(f"{name}={'no' if value is False else value}" for name, value in settings.items())]
    command = [
        sys.executable,
        "-m",
        "gambol.cli.main",
        "batch",
        *words,
        "-o",
        str(output),
        "--address",
        cluster.address,
    ]
    records = DoneRecords(output)
    records.start()
    driver = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        os.kill(wait_until(begun(output, 1), driver), signal.SIGKILL)
        wait_until(begun(output, 3), driver)
        cluster.remove_node(second, allow_graceful=False)
        wait_until(begun(output, 6), driver)
    finally:
        driver.kill()
        driver.wait()

    again = batch(None, output, address=cluster.address, **given)
    records.ended.set()
    records.join()
    records.look()
    assert (again.status.failed, again.status.done + again.status.skipped) == (0, 12)
    assert again.status.skipped >= 6
    assert all_results(output) == all_results(tmp_path / "alone")
    assert {run: len(times) for run, times in records.seen.items()} == dict.fromkeys(all_results(output), 1)
    assert [path.name for path in output.rglob(".*")] == []


def test_an_address_without_a_cluster_gets_a_sentence():
    ray.shutdown()
    with pytest.raises(ConfigError, match="There is no Ray cluster at"), open_executor("127.0.0.1:1"):
        pass
