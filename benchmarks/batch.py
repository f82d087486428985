"""`gambol batch` against plain loops: speed of two workers, overhead per job, memory of 100,000 jobs.

    python benchmarks/batch.py --quick       2 jobs per case, 5,000 no-op jobs, no Ray: a few minutes
    python benchmarks/batch.py               8 jobs per case, 100,000 no-op jobs, Ray too
    python benchmarks/batch.py --only noop simulation

Resumable (out/batch.jsonl; runs in out/batch/).
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time
from functools import partial
from importlib import import_module
from pathlib import Path

from measure import Scoreboard

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out" / "batch"
RESULTS = ROOT / "out" / "batch.jsonl"
TARGETS = {"speed of two workers": 1.8, "overhead, CPU time": 0.05, "memory of no-op jobs, MB": 50.0}
PROMPTS = ("a fox is walking", "a fox is running", "a fox jumps", "a fox sits down")
CASES = ("loop", "one", "two", "spin", "noop", "simulation", "ray")


def nothing() -> None:
    """A job that does nothing."""


def spin(seconds: float) -> None:
    """A job that keeps one core busy for so much of its time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def shared(name: str):
    """A function of this file as workers can import it, who have another main module."""
    return getattr(import_module("batch"), name)


def fox() -> Path:
    """A small fox."""
    from gambol.creatures.catalogue import make_creature
    from gambol.files.asset import export_scene

    path = OUT / "fox.glb"
    if not path.exists():
        export_scene(make_creature("fox", 3, vertices=1500).scene, (), path)
    return path


def requests(count: int) -> list:
    """Embedded jobs without films: the fit is what is measured."""
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest

    outputs = AnimateOutputs(film=False)
    asked = [AnimateRequest(PROMPTS[i % len(PROMPTS)], seed=i // len(PROMPTS)) for i in range(count)]
    return [AnimateFileRequest(request, fox(), outputs=outputs) for request in asked]


def used() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measured(case: str, work) -> dict:
    """Wall-clock and CPU seconds of some work."""
    began, before = time.perf_counter(), used()
    found = work() or {}
    return {"case": case, "seconds": time.perf_counter() - began, "cpu_seconds": used() - before, **found}


def run_loop(count: int) -> dict:
    """The same jobs in a plain loop with the prior loaded once: what batch is compared with."""
    from gambol.app.animate import animate_file
    from gambol.priors.load import find_prior

    prior = find_prior("embedded").load()
    shutil.rmtree(OUT / "loop", ignore_errors=True)
    parts = []
    for i, request in enumerate(requests(count)):
        began = time.process_time()
        animate_file(request, OUT / "loop" / str(i), load_prior=lambda source, options: prior)
        parts.append(round(time.process_time() - began, 2))
    return {"jobs": count, "cpu_per_job": parts}


def run_batch(count: int, name: str, **options) -> dict:
    """The jobs as a batch."""
    from gambol.app.batch import batch

    shutil.rmtree(OUT / name, ignore_errors=True)
    done = batch(requests(count), OUT / name, **options)
    assert done.status.done == count, done.failed
    return {"jobs": count, "in_jobs": sum(record.seconds or 0.0 for record in done.records)}


def run_spin(count: int) -> dict:
    """Jobs that only need a core, on one and on two workers: what this machine's second core is worth."""
    from gambol.scale.choose_executor import open_executor
    from gambol.scale.schedule import Policy, Task, TaskGroup, run_tasks

    taken = {}
    for workers in (1, 2):
        tasks = [Task(str(i), partial(shared("spin"), 2.0)) for i in range(count)]
        began = time.perf_counter()
        with open_executor("local", cpus=workers) as executor:
            list(run_tasks(executor, [TaskGroup("spin", tasks)], Policy(workers)))
        taken[workers] = time.perf_counter() - began
    return {"jobs": count, "one": taken[1], "two": taken[2]}


def run_noop(count: int, address: str) -> dict:
    """Jobs that do nothing: what the schedule and the executor cost."""
    from gambol.scale.choose_executor import open_executor
    from gambol.scale.schedule import Task, TaskGroup, run_tasks

    before = peak()
    with open_executor(address, cpus=2) as executor:
        call = shared("nothing")
        tasks = (Task(str(i), call) for i in range(count))
        done = sum(event.kind == "done" for event in run_tasks(executor, [TaskGroup("noop", tasks)]))
    assert done == count
    return {"jobs": count, "peak_growth_mb": peak() - before, "peak_mb": peak()}


def run_simulation(count: int) -> dict:
    """So many jobs of half a minute to a minute and a half on 25 nodes of 8 cores, 40 of which are lost on the way."""
    from gambol.scale.schedule import Task, TaskGroup, run_tasks
    from gambol.scale.simulated_cluster import SimulatedCall, SimulatedCluster, SimulatedNode

    r = random.Random(0)
    losses = [(r.uniform(0, count * 0.3), r.randrange(25)) for _ in range(40)]
    cluster = SimulatedCluster([SimulatedNode(8) for _ in range(25)], losses=losses)
    calls = (SimulatedCall(30 + i % 60, kills=i % 1000 == 7) for i in range(count))
    tasks = (Task(str(i), call) for i, call in enumerate(calls))
    kinds: dict[str, int] = {}
    for event in run_tasks(cluster, [TaskGroup("simulated", tasks)], clock=cluster.clock):
        kinds[event.kind] = kinds.get(event.kind, 0) + 1
    busy = cluster.busy_seconds / cluster.now / 200
    return {"jobs": count, **kinds, "simulated_hours": cluster.now / 3600, "busy": busy, "peak_mb": peak()}


def run_ray(count: int) -> dict:
    """No-op jobs on a Ray cluster of this machine; its start is not counted."""
    import ray

    ray.init(num_cpus=2, object_store_memory=80 * 2**20, include_dashboard=False, log_to_driver=False)
    try:
        began = time.perf_counter()
        found = run_noop(count, "auto")
        return {**found, "ray_seconds": time.perf_counter() - began}
    finally:
        ray.shutdown()


def peak() -> float:
    """Largest memory of this process, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def work_of(case: str, quick: bool) -> dict:
    """One case, in this process."""
    jobs, many = (2, 5_000) if quick else (8, 100_000)
    cases = {
        "loop": lambda: run_loop(jobs),
        "one": lambda: run_batch(jobs, "one", workers=1),
        "two": lambda: run_batch(jobs, "two", workers=2),
        "spin": lambda: run_spin(jobs),
        "noop": lambda: run_noop(many, "local"),
        "simulation": lambda: run_simulation(many),
        "ray": lambda: run_ray(many // 10),
    }
    return measured(case, cases[case])


def main() -> None:
    """Run the cases that are missing, each in a process of its own, and print the scoreboard."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=CASES)
    parser.add_argument("--case", choices=CASES, help="run one case here and print it as JSON")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    if given.case:
        print(json.dumps(work_of(given.case, given.quick)))
        return
    known = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    found = {line["case"]: line for line in known if line["quick"] == given.quick}
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for case in given.only or [case for case in CASES if not (given.quick and case == "ray")]:
        if case not in found:
            command = [sys.executable, __file__, "--case", case, *(["--quick"] if given.quick else [])]
            told = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
            found[case] = {**json.loads(told.splitlines()[-1]), "quick": given.quick}
            with RESULTS.open("a") as file:
                file.write(json.dumps(found[case]) + "\n")
        print(found[case], flush=True)
    print_scoreboard(found)


def print_scoreboard(found: dict[str, dict]) -> None:
    """The numbers beside their targets."""
    board = Scoreboard()
    if {"one", "two"} <= set(found):
        speed = found["one"]["seconds"] / found["two"]["seconds"]
        board.at_least("speed of two workers against one", speed, TARGETS["speed of two workers"], "")
    if "spin" in found:
        print(f"two cores against one on this machine: {found['spin']['one'] / found['spin']['two']:.2f}")
    if {"loop", "one"} <= set(found):
        # the first job compiles and loads in both
        share = found["one"]["cpu_seconds"] / found["loop"]["cpu_seconds"] - 1.0
        board.at_most("overhead over a plain loop, CPU time", share, TARGETS["overhead, CPU time"], "")
    if "noop" in found:
        noop = found["noop"]
        print(f"{noop['jobs']} no-op jobs: {noop['jobs'] / noop['seconds']:.0f} per second")
        board.at_most("memory that they take", noop["peak_growth_mb"], TARGETS["memory of no-op jobs, MB"], " MB")
    board.finish()


if __name__ == "__main__":
    main()
